import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox';
import { assertRefused, exchange, fileForm, head, open, postForm, postJson, uploadHead } from './exchange';
import { english, runSandbox } from './runSandbox';

const queryPath = '/openapi/open/v1/query-task';

function request(sandbox: Sandbox, path = queryPath) {
  const headers = { 'Access-Key': sandbox.accessKey, 'Content-Type': 'application/json', 'Content-Length': 2 };
  return exchange(sandbox, head(path, headers), '{}');
}

describe('The sandbox', () => {
  it('listens on 127.0.0.1, with a different port and key each time it starts', () =>
    runSandbox({}, (first) =>
      runSandbox({}, async (second) => {
        assert.match(first.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
        assert.notEqual(first.baseUrl, second.baseUrl);
        assert.ok(first.accessKey.length > 20);
        assert.notEqual(first.accessKey, second.accessKey);
      }),
    ));

  it('cannot be reached from other machines', async function () {
    const address = Object.values(networkInterfaces()).flatMap(
      (addresses = []) => addresses.find((a) => !a.internal) ?? [],
    );
    if (!address[0]) this.skip();
    const host = address[0].address;
    await runSandbox({}, async (sandbox) => {
      const socket = connect({ host, port: Number(new URL(sandbox.baseUrl).port) });
      await assert.rejects(once(socket, 'connect'), { code: 'ECONNREFUSED' });
    });
  });

  it('rejects a request without an access key, and a wrong access key for every operation', () =>
    runSandbox({}, async (sandbox) => {
      const bare = head(queryPath, { 'Content-Type': 'application/json', 'Content-Length': 2 });
      const { status, envelope } = await exchange(sandbox, bare, '{}');
      assert.equal(status, 401);
      assert.deepEqual(envelope, { code: '401', message: 'The Access-Key is missing or wrong.', data: null });
      for (const operation of ['file-task', 'query-task', 'set-webhook']) {
        const other = { ...sandbox, accessKey: `${sandbox.accessKey}x` };
        const reply = await (operation === 'file-task'
          ? postForm(other, fileForm('x'))
          : postJson(other, operation, '{"url":"http://localhost/"}'));
        assertRefused(reply, 401);
      }
    }));

  it('responds with 404 to an unknown path and lists the known paths, and with 405 to a method other than POST', () =>
    runSandbox({}, async (sandbox) => {
      const reply = await request(sandbox, '/openapi/open/v2/query-task');
      assertRefused(reply, 404);
      assert.match(reply.envelope.message ?? '', /\/openapi\/open\/v1\/query-task/);
      const get = `GET ${queryPath} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      assertRefused(await exchange(sandbox, get), 405);
    }));

  it('logs a line for each request, without the access key', async () => {
    const lines: string[] = [];
    await runSandbox({ log: (line) => lines.push(line) }, async (sandbox) => {
      await request(sandbox);
      await postForm(sandbox, fileForm('x'));
      assert.equal(lines.length, 2);
      assert.match(lines[0] ?? '', /^POST \/openapi\/open\/v1\/query-task → HTTP 400 \{"code":"400","message":".+\}$/);
      assert.match(lines[1] ?? '', /^POST \/openapi\/open\/v1\/file-task → HTTP 200 \{"code":"0",.+"taskId"/);
      assert.doesNotMatch(lines.join(), new RegExp(sandbox.accessKey));
    });
  });

  it('closes immediately, even if some of its connections are idle or in the middle of a request', async () => {
    const lines: string[] = [];
    const sandbox = await startSandbox({ l10n: english, log: (line) => lines.push(line) });
    const sockets = await Promise.all([open(sandbox), open(sandbox), open(sandbox)]);
    sockets[1]?.write('POST / HT');
    sockets[2]?.write(uploadHead(sandbox, 1000));
    sockets[2]?.write(fileForm('x').subarray(0, 50));
    // By the time this request gets a response, the sandbox has read the bytes sent above.
    await request(sandbox);
    const closed = sockets.map(
      (socket) =>
        new Promise((resolve) =>
          socket
            .on('error', () => {})
            .on('close', resolve)
            .resume(),
        ),
    );
    await Promise.all([sandbox.close(), sandbox.close()]);
    await Promise.all(closed);
    await new Promise(setImmediate);
    assert.equal(lines.length, 1);
    await assert.rejects(open(sandbox), { code: 'ECONNREFUSED' });
  });
});
