import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { answer } from '../service/answers';
import { keyForms, mustNotTellTheKey } from '../service/mustNotTellTheKey';
import { CANARY } from '../service/wire';
import { ImportWindow } from './importWindow';
import { afterRequest, type Deed, inTurn, says } from './script';

/** Every place of an answer in which a service may repeat the key. */
function echoes(key: string): Deed[] {
  const json = (envelope: unknown) => JSON.stringify(envelope);
  const data = { taskId: 'T1', [key]: key, deep: [{ [key]: [key] }] };
  const refusal = { code: key, message: `no, not with ${key}`, data };
  return [
    answer('200 OK', json({ code: '0', message: key, data })),
    answer('200 OK', json({ code: '0', message: null, data: { taskId: key } })),
    answer('200 OK', json({ code: '0', message: null, data: { taskId: `task of ${key}` } })),
    answer('200 OK', json({ code: '0', message: null, data: key })),
    answer('200 OK', json({ code: '0', message: null, data: { status: key, progress: key, message: key } })),
    answer('200 OK', json({ code: '0', message: null, data: null, [key]: key })),
    answer('200 OK', json(refusal)),
    answer(`401 ${encodeURIComponent(key)}`, json(refusal), 'X-Echo: 1'),
    answer('422 No', `<html>${key}</html>`),
    answer('500 No', `${'x'.repeat(150)}${key}`),
    answer('503 No', json(refusal), `Retry-After: ${encodeURIComponent(key)}`),
    answer('200 OK', json(refusal).slice(0, -3)),
    answer('200 OK', json({ words: key })),
    answer('302 Found', key, `Location: https://${encodeURIComponent(key)}.invalid/${encodeURIComponent(key)}`),
    answer('307 Moved', key, `Location: /login?key=${encodeURIComponent(key)}`),
    `HTTP/1.1 200 OK\r\nContent-Length: ${encodeURIComponent(key)}\r\n\r\n`,
    `${key}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${key}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${key}\r\n`,
  ].map((bytes) => says(bytes));
}

describe('The access key', () => {
  // No answer comes in UTF-16.
  for (const form of keyForms.filter((form) => !form.includes('\0'))) {
    it(`that a service repeats as ${form} stands in no file, no outcome and no task`, async () => {
      const scripts = echoes(form).map(afterRequest);
      const [first = assert.fail(), ...others] = scripts;
      await using window = await ImportWindow.open({ script: inTurn(first, ...others) });
      for (const _ of scripts) {
        await window.queue.goOn();
        await window.import();
      }
      // The key is looked for when the window goes: each answer must have come by then.
      assert.equal(window.posts, scripts.length);
      for (const { received } of window.faulty.server.peers) assert.ok(received.includes(`Access-Key: ${CANARY}\r\n`));
      assert.equal(window.stored.length, scripts.length);
    });
  }

  it('would be found in a file of the store, in any of these forms', async () => {
    for (const form of keyForms) {
      const window = await ImportWindow.open({ script: afterRequest(says('')) });
      await window.list.loaded();
      appendFileSync(`${window.store.path}.log`, `..${form}..`);
      await assert.rejects(window[Symbol.asyncDispose](), /the key is told/);
    }
    assert.throws(() => mustNotTellTheKey({ deep: [new Error('no', { cause: CANARY })] }));
  });
});
