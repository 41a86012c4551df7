import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { KEY_MASK } from '../../../src/service/masking/mask';
import { assertKeyIsMasked, keyForms } from '../service/assertKeyIsMasked';
import { response } from '../service/responses';
import { spellings } from '../service/spellings';
import { CANARY } from '../service/wire';
import { FAULTS } from './faults';
import { ImportWindow } from './importWindow';
import { type Action, afterRequest, inTurn, sends } from './script';

/** Responses that echo the key, each in a different place. */
function echoes(key: string): Action[] {
  const json = (envelope: unknown) => JSON.stringify(envelope);
  // Headers can't contain line breaks.
  const inHeader = encodeURIComponent(key);
  const data = { taskId: 'T1', [key]: key, deep: [{ [key]: [key] }] };
  const rejection = { code: key, message: `no, not with ${key}`, data };
  return [
    response('200 OK', json({ code: '0', message: key, data })),
    response('200 OK', json({ code: '0', message: null, data: { taskId: key } })),
    response('200 OK', json({ code: '0', message: null, data: { taskId: `task of ${key}` } })),
    response('200 OK', json({ code: '0', message: null, data: { [key]: { taskId: 'T1' } } })),
    response('200 OK', json({ code: '0', message: null, data: key })),
    response('200 OK', json({ code: '0', message: null, data: { status: key, progress: key, message: key } })),
    response('200 OK', json({ code: '0', message: null, data: null, [key]: key })),
    response('200 OK', json(rejection)),
    response(`401 ${inHeader}`, json(rejection), 'X-Echo: 1'),
    response('422 No', `<html>${key}</html>`),
    response('500 No', `${'x'.repeat(150)}${key}`),
    response('503 No', json(rejection), `Retry-After: ${inHeader}`),
    response('200 OK', json(rejection).slice(0, -3)),
    response('200 OK', json({ words: key })),
    response('200 OK', json({ code: '0', message: null, data: { a: 1 } }), `Content-Encoding: ${inHeader}`),
    response('302 Found', key, `Location: https://${inHeader}.invalid/${inHeader}`),
    response('302 Found', key, `Location: ${'x'.repeat(190)}${inHeader}`, `Location: https://[${inHeader}`),
    response('307 Moved', key, `Location: /login?key=${inHeader}`),
    `HTTP/1.1 200 OK\r\nContent-Length: ${inHeader}\r\n\r\n`,
    `${key}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${key}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${key}\r\n`,
  ].map((bytes) => sends(bytes));
}

describe('The access key', () => {
  // The unit tests for masking cover each form of the key separately.
  const forms = {
    literally: CANARY,
    'escaped as JSON': JSON.stringify(CANARY).slice(1, -1),
    'in every spelling at once': Object.values(spellings(CANARY)).join(' '),
  };
  for (const [name, form] of Object.entries(forms)) {
    it(`never reaches files, outcomes or tasks, even if the service echoes it ${name}`, async () => {
      const scripts = echoes(form).map(afterRequest);
      await using window = await ImportWindow.open({ script: inTurn(...scripts) });
      for (const index of scripts.keys()) {
        await window.import({ [`${index}.txt`]: 'some text\n' });
        await window.tasks.serving.cancel({});
        await window.tasks.serving.tryNow(window.tasks.serving.destinations.map(({ id }) => id));
      }
      // Closing the window checks everything for the key, so all responses must have arrived before that.
      assert.equal(window.posts, scripts.length);
      for (const { received } of window.faulty.server.peers) assert.ok(received.includes(`Access-Key: ${CANARY}\r\n`));
      assert.equal((await window.rows()).length, scripts.length);
    });
  }

  it('never reaches files, outcomes or tasks, even if it is replaced before the service echoes it', async () => {
    const scripts = Object.values(spellings(CANARY)).map((form, index) => {
      const data = { taskId: `${form}-${index}`, words: form };
      return afterRequest(sends(response('200 OK', JSON.stringify({ code: '0', message: form, data }))));
    });
    const keys = [CANARY, ...scripts.map(() => 'another-key-of-ours')];
    const findTarget = async ({ faulty }: ImportWindow) => ({
      ...faulty.target,
      accessKey: keys[faulty.server.posts] ?? '',
    });
    await using window = await ImportWindow.open({ script: inTurn(...scripts) }, findTarget);
    for (const index of scripts.keys()) {
      await window.tasks.targetsChanged();
      await window.import({ [`${index}.txt`]: 'some text\n' });
    }
    for (const { tasks } of await window.rows()) assert.ok(tasks[0]?.id.includes(KEY_MASK), tasks[0]?.id);
    assert.ok(window.faulty.server.peers.at(-1)?.received.includes('Access-Key: another-key-of-ours\r\n'));
  });

  it('never reaches files, outcomes or tasks, even if the service echoes a numeric key as a number', async () => {
    const key = '90071992547409931234';
    const numbers = [key, `${key}.0`, `-${key}e0`, `1${key}5`];
    const scripts = numbers.map((number) =>
      afterRequest(
        sends(response('200 OK', `{"code":"0","message":null,"data":{"taskId":${number},"k":[${number}]}}`)),
      ),
    );
    const findTarget = async ({ faulty }: ImportWindow) => ({ ...faulty.target, accessKey: key });
    await using window = await ImportWindow.open({ script: inTurn(...scripts) }, findTarget);
    for (const index of numbers.keys()) await window.import({ [`${index}.txt`]: 'some text\n' });
    assert.equal((await window.rows()).length, numbers.length);
    const stored = JSON.stringify([await window.rows(), window.faulty.outcomes]);
    assert.ok(!stored.includes(key), stored);
    assert.ok(stored.includes(KEY_MASK), stored);
  });

  it("never reaches outcomes or tasks, even if the service's certificate contains it", async () => {
    // TLS errors list a certificate's names only if the host isn't an IP address.
    const baseUrl = ({ url }: { url: URL }) => new URL(`https://localhost:${url.port}`);
    const fault = { ...FAULTS.certificateOfAnotherHost, baseUrl };
    const findTarget = async ({ faulty }: ImportWindow) => ({ ...faulty.target, accessKey: 'elsewhere.invalid' });
    await using window = await ImportWindow.open(fault, findTarget);
    await window.import();
    const [outcome] = window.faulty.outcomes;
    assert.ok(outcome?.kind === 'notUploaded' && /altnames/.test(outcome.cause.message));
    assert.doesNotMatch(
      `${outcome.cause.stack} ${outcome.cause.cause} ${JSON.stringify(await window.rows())}`,
      /elsewhere/,
    );
  });

  it('is detected by these tests, no matter how it is encoded', async () => {
    for (const form of keyForms) {
      const window = await ImportWindow.open({ script: afterRequest(sends('')) });
      await window.store.counts(null);
      appendFileSync(`${window.stores.path}.log`, `..${form}..`);
      await assert.rejects(window[Symbol.asyncDispose](), /the key appears as/);
    }
    assert.throws(() => assertKeyIsMasked({ deep: [new Error('no', { cause: CANARY })] }));
  });
});
