import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { deliver } from '../../../../src/sandbox/operations/webhook';
import type { WebhookDelivery } from '../../../../src/sandbox/sandbox';
import { importText, postJson, query } from '../exchange';
import { runSandbox } from '../runSandbox';

const headers = { 'Content-Type': 'application/json', 'Content-Length': '2' };

describe('set-webhook of the sandbox', () => {
  let receiver: Server;
  let url: string;
  let received: { headers: IncomingHttpHeaders; body: unknown }[];
  let answerStatus: number;

  beforeEach(async () => {
    received = [];
    answerStatus = 204;
    receiver = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: JSON.parse(await text(request)) });
      response.writeHead(answerStatus, { Location: '/elsewhere' }).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook?a=b`;
  });

  afterEach(() => {
    receiver.close();
    receiver.closeAllConnections();
  });

  it('answers with the address it took', () =>
    runSandbox({}, async (sandbox) => {
      const { envelope } = await postJson(sandbox, 'set-webhook', JSON.stringify({ url }));
      assert.deepEqual(envelope, { code: '0', message: null, data: { url } });
    }));

  it('posts an event when a task ends, even if nobody asks', async () => {
    const delivered = Promise.withResolvers<WebhookDelivery>();
    await runSandbox({ stageMs: 0, onDelivery: delivered.resolve }, async (sandbox) => {
      await postJson(sandbox, 'set-webhook', JSON.stringify({ url }));
      const taskId = await importText(sandbox, 'abc');
      const { outcome } = await delivered.promise;
      assert.deepEqual(outcome, { kind: 'responded', status: 204 });
      assert.equal(received.length, 1);
      assert.equal(received[0]?.headers['content-type'], 'application/json');
      assert.deepEqual(received[0]?.body, {
        event: 'TASK_FINISHED',
        taskId,
        fileName: 'a.txt',
        status: 'SUCCEEDED',
        progress: 100,
        message: null,
      });
      assert.doesNotMatch(JSON.stringify(received), new RegExp(sandbox.accessKey));
    });
  });

  it('posts one event for a task, at its end and not before, however often it is queried', async () => {
    let time = 0;
    const delivered = Promise.withResolvers<WebhookDelivery>();
    await runSandbox({ now: () => time, onDelivery: delivered.resolve }, async (sandbox) => {
      await postJson(sandbox, 'set-webhook', JSON.stringify({ url }));
      const taskId = await importText(sandbox, 'abc');
      time = 2999;
      await query(sandbox, taskId);
      time = 3000;
      await query(sandbox, taskId);
      await query(sandbox, taskId);
      await delivered.promise;
      await query(sandbox, taskId);
      assert.equal(received.length, 1);
    });
  });

  it('sends nothing to an address for tasks that ended before it was set', async () => {
    let time = 0;
    const delivered = Promise.withResolvers<WebhookDelivery>();
    await runSandbox({ now: () => time, onDelivery: delivered.resolve }, async (sandbox) => {
      await importText(sandbox, 'before');
      time = 5000;
      await postJson(sandbox, 'set-webhook', JSON.stringify({ url }));
      const taskId = await importText(sandbox, 'after');
      time = 10_000;
      await query(sandbox, taskId);
      const { body } = await delivered.promise;
      assert.equal(JSON.parse(body).taskId, taskId);
      assert.equal(received.length, 1);
    });
  });

  it('records an address that does not answer as a failure, and goes on', async () => {
    const delivered = Promise.withResolvers<WebhookDelivery>();
    receiver.close();
    await runSandbox({ stageMs: 0, onDelivery: delivered.resolve }, async (sandbox) => {
      await postJson(sandbox, 'set-webhook', JSON.stringify({ url }));
      const taskId = await importText(sandbox, 'abc');
      const delivery = await delivered.promise;
      assert.ok(delivery.outcome.kind === 'failed');
      assert.match(delivery.outcome.reason, /ECONNREFUSED/);
      assert.deepEqual(sandbox.records.at(-1), { number: sandbox.records.length, kind: 'delivery', ...delivery });
      assert.equal((await query(sandbox, taskId))?.status, 'SUCCEEDED');
    });
  });

  it('does not follow a redirect', async () => {
    answerStatus = 307;
    const outcome = await deliver(new URL(url), headers, '{}', new AbortController().signal);
    assert.deepEqual(outcome, { kind: 'responded', status: 307 });
    assert.equal(received.length, 1);
  });

  it('gives up on an address that takes the event and stays silent', async () => {
    const silent = createServer(() => giveUp.abort());
    const giveUp = new AbortController();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const port = (silent.address() as AddressInfo).port;
    const outcome = await deliver(new URL(`http://localhost:${port}/`), headers, '{}', giveUp.signal);
    assert.deepEqual(outcome, { kind: 'failed', reason: 'No response came in time.' });
    silent.close();
    silent.closeAllConnections();
  });

  for (const outside of [
    'http://example.com/hook',
    'https://192.168.0.1/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://127.0.0.1@example.com/',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'http://169.254.169.254/latest/meta-data',
  ]) {
    it(`refuses ${outside}, as it is not on this machine`, () =>
      runSandbox({}, async (sandbox) => {
        const { status, envelope } = await postJson(sandbox, 'set-webhook', JSON.stringify({ url: outside }));
        assert.equal(status, 200);
        assert.equal(envelope.code, '1004');
        assert.match(envelope.message ?? '', /this machine only/);
      }));
  }

  for (const json of [
    '{}',
    '{"url": 1}',
    '{"url": ""}',
    '{"url": "localhost:80"}',
    '{"url": "ftp://localhost/"}',
    '[]',
  ]) {
    it(`refuses ${json}, as it names no http address`, () =>
      runSandbox({}, async (sandbox) => {
        assert.equal((await postJson(sandbox, 'set-webhook', json)).envelope.code, '400');
      }));
  }
});
