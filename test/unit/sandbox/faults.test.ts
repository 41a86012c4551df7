import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { ReceivedRequest, Sandbox, SandboxOptions } from '../../../src/sandbox/sandbox';
import { exchange, fileForm, head, open, postJson, query, readReply, uploadHead } from './exchange';
import { runSandbox } from './runSandbox';

const form = fileForm('hello, this is a text');

describe("the sandbox's profile flaky", () => {
  it('meets imports with the same troubles again and again, every second one with success', () =>
    runFlaky(async (sandbox) => {
      const round = [];
      for (let n = 1; n <= 16; n++) round.push(await importForm(sandbox));
      assert.deepEqual(round, [
        'accepted as task-1',
        'reset',
        'accepted as task-2',
        'reset',
        'accepted as task-3',
        'HTTP 429, code 429',
        'accepted as task-4',
        'HTTP 503, code 503',
        'accepted as task-5',
        'HTTP 502, no JSON',
        'accepted as task-6',
        'reset',
        'accepted as task-8',
        'HTTP 200, no JSON',
        'accepted as task-10',
        'HTTP 200, code 1007',
      ]);
      const next = [];
      for (let n = 17; n <= 20; n++) next.push(await importForm(sandbox));
      assert.deepEqual(next, ['accepted as task-11', 'reset', 'accepted as task-12', 'reset']);
    }));

  it('meets queries with a reset and an HTTP 503 in turn, every fifth, whatever the imports meet', () =>
    runFlaky(async (sandbox) => {
      await importForm(sandbox);
      const responses = [];
      for (let n = 1; n <= 15; n++) {
        if (n % 4 === 0) await importForm(sandbox);
        responses.push(await outcome(await ask(sandbox)));
      }
      const fine = Array(4).fill('accepted as task-1');
      assert.deepEqual(responses, [...fine, 'reset', ...fine, 'HTTP 503, code 503', ...fine, 'reset']);
    }));

  it('speaks as the standard one does where nothing goes wrong', () => {
    let time = 0;
    return runFlaky(
      async (sandbox) => {
        await importForm(sandbox);
        time = 3000;
        const task = await query(sandbox, 'task-1');
        assert.deepEqual([task?.status, task?.fileName, task?.bytes], ['SUCCEEDED', 'a.txt', 21]);
      },
      { now: () => time },
    );
  });

  it('does not count a request without the key, and leaves set-webhook alone', () =>
    runFlaky(async (sandbox) => {
      await importForm(sandbox);
      const stranger = { ...sandbox, accessKey: 'wrong' };
      assert.equal(await importForm(stranger), 'HTTP 401, code 401');
      for (let n = 0; n < 5; n++) {
        const { envelope } = await postJson(sandbox, 'set-webhook', '{"url":"http://localhost:1/"}');
        assert.equal(envelope.code, '0');
      }
      assert.equal(await importForm(sandbox), 'reset');
    }));

  it('resets the 2nd import before anything of its body is read', () =>
    runNth(2, async (sandbox, record) => {
      const socket = await open(sandbox);
      socket.write(uploadHead(sandbox, form.length));
      assert.equal(await outcome(socket), 'reset');
      const { response, body, parts } = await record;
      assert.deepEqual(response, { kind: 'reset', readBytes: 0, wholeBytes: form.length });
      assert.deepEqual([body.bytes, parts], [0, []]);
    }));

  it('resets the 4th import in the middle of its body', () =>
    runNth(4, async (sandbox, record) => {
      const half = Math.floor(form.length / 2);
      const socket = await open(sandbox);
      socket.write(uploadHead(sandbox, form.length));
      socket.write(form.subarray(0, half - 1));
      await exchange(sandbox, head('/', {}));
      assert.equal(socket.destroyed, false);
      socket.write(form.subarray(half - 1, half));
      assert.equal(await outcome(socket), 'reset');
      const { response, body } = await record;
      assert.deepEqual(response, { kind: 'reset', readBytes: half, wholeBytes: form.length });
      assert.equal(body.start, form.subarray(0, half).toString());
    }));

  it('reads no more than the half of a 4th import that comes as a whole', () =>
    runNth(4, async (sandbox, record) => {
      assert.equal(await importForm(sandbox), 'reset');
      assert.equal((await record).body.bytes, Math.floor(form.length / 2));
    }));

  it('notices a client that goes away before the middle of a 4th import', () =>
    runNth(4, async (sandbox, record) => {
      const socket = await open(sandbox);
      socket.write(uploadHead(sandbox, form.length));
      await new Promise((resolve) => socket.write(form.subarray(0, 10), resolve));
      socket.destroy();
      assert.deepEqual((await record).response, { kind: 'clientWentAway' });
    }));

  for (const [n, status] of [
    [6, 429],
    [8, 503],
  ] as const) {
    it(`turns the ${n}th import away with HTTP ${status}, an envelope and Retry-After`, () =>
      runNth(n, async (sandbox, record) => {
        const reply = await readReply(await send(sandbox));
        assert.equal(reply.status, status);
        assert.match(reply.head, /^Retry-After: 2$/m);
        assert.equal(reply.envelope.code, `${status}`);
        const { response, parts } = await record;
        assert.equal(response.kind === 'sent' && response.headers['Retry-After'], '2');
        assert.equal(parts[0]?.bytes, 21);
      }));
  }

  it('answers the 10th import with a page of HTML', () =>
    runNth(10, async (sandbox) => {
      const { text } = await receive(await send(sandbox));
      assert.match(text, /^HTTP\/1\.1 502 /);
      assert.match(text, /^Content-Type: text\/html$/im);
      assert.match(text, /<title>502 Bad Gateway<\/title>/);
    }));

  it('takes the 12th import and loses the answer', () =>
    runNth(12, async (sandbox, record) => {
      assert.deepEqual(await receive(await send(sandbox)), { text: '', isReset: true });
      const { response } = await record;
      const id = /"taskId":"([^"]+)"/.exec(response.kind === 'lost' ? response.body : '')?.[1];
      assert.equal((await query(sandbox, String(id)))?.fileName, 'a.txt');
    }));

  it('takes the 14th import and sends half of the answer as if it were whole', () =>
    runNth(14, async (sandbox, record) => {
      const { text, isReset } = await receive(await send(sandbox));
      const [replyHead = '', body = ''] = text.split('\r\n\r\n');
      assert.equal(isReset, false);
      assert.match(replyHead, new RegExp(`^Content-Length: ${body.length}$`, 'm'));
      const { response } = await record;
      assert.ok(response.kind === 'cutShort');
      assert.equal(response.body, body);
      assert.equal(body.length, Math.floor(response.wholeBytes / 2));
      assert.ok(body.startsWith('{"code":"0"'));
    }));
});

/** Runs a test with a flaky sandbox whose tasks are called task-1, task-2, … */
function runFlaky(test: (sandbox: Sandbox) => Promise<void>, options: SandboxOptions = {}): Promise<void> {
  let tasks = 0;
  return runSandbox({ profile: 'flaky', newUuid: () => `task-${++tasks}`, ...options }, test);
}

/** Runs a test whose first import is the nth; it gets what the sandbox will have seen of that. */
function runNth(n: number, test: (sandbox: Sandbox, record: Promise<ReceivedRequest>) => Promise<void>): Promise<void> {
  const record = Promise.withResolvers<ReceivedRequest>();
  let imports = 0;
  const onRequest = (request: ReceivedRequest) => {
    if (request.target.endsWith('/file-task') && ++imports === n) record.resolve(request);
  };
  return runFlaky(
    async (sandbox) => {
      for (let before = 1; before < n; before++) await importForm(sandbox);
      await test(sandbox, record.promise);
    },
    { onRequest },
  );
}

/** Sends a whole import. */
async function send(sandbox: Sandbox): Promise<Socket> {
  const socket = await open(sandbox);
  socket.write(Buffer.concat([Buffer.from(uploadHead(sandbox, form.length)), form]));
  return socket;
}

async function ask(sandbox: Sandbox): Promise<Socket> {
  const json = '{"taskId":"task-1"}';
  const headers = { 'Access-Key': sandbox.accessKey, 'Content-Type': 'application/json', 'Content-Length': 19 };
  const socket = await open(sandbox);
  socket.write(head('/openapi/open/v1/query-task', headers) + json);
  return socket;
}

async function importForm(sandbox: Sandbox): Promise<string> {
  return outcome(await send(sandbox));
}

/** Reads until the connection is closed, or reset. */
async function receive(socket: Socket): Promise<{ text: string; isReset: boolean }> {
  const chunks: Buffer[] = [];
  let isReset = false;
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET');
    isReset = true;
  }
  return { text: Buffer.concat(chunks).toString(), isReset };
}

/** What a client makes of what comes. */
async function outcome(socket: Socket): Promise<string> {
  const { text, isReset } = await receive(socket);
  if (isReset) return 'reset';
  const status = text.split(' ')[1];
  try {
    const { code, data } = JSON.parse(text.split('\r\n\r\n')[1] ?? '');
    return code === '0' ? `accepted as ${data.taskId}` : `HTTP ${status}, code ${code}`;
  } catch {
    return `HTTP ${status}, no JSON`;
  }
}
