import assert from 'node:assert/strict';
import { textBody } from '../../../src/service/content/sourceBody';
import { DEFAULT_CONTRACT } from '../../../src/service/contract/contract';
import { parseJson } from '../../../src/service/json/json';
import { taskIdOf, typedTaskId } from '../../../src/service/json/taskId';
import { KEY_MASK } from '../../../src/service/masking/mask';
import { assertKeyIsMasked } from './assertKeyIsMasked';
import { OPERATIONS, outcomeText } from './operations';
import { RawServer } from './rawServer';
import { acceptsAll, answering, response } from './responses';
import { TemporaryFiles } from './temporaryFiles';
import { CANARY, target, unwatched, wire } from './wire';

/** The literal head of a request: the request line, the host and connection headers, and then the `shown` headers. */
function head(port: number, requestLine: string, ...shown: string[]): string {
  // Only queries keep the connection open until a file-task response contains a task ID.
  const connection = requestLine.includes('query-task') ? 'keep-alive' : 'close';
  const needed = [`host: 127.0.0.1:${port}`, `connection: ${connection}`];
  return [requestLine, ...needed, ...shown, '', ''].join('\r\n');
}

describe('ImportService', () => {
  const jsonRequests = [
    ['query-task', ['cache-control: no-cache', 'scheme: https'], 15, '{"taskId":"T1"}'],
    ['set-webhook', [], 32, '{"url":"https://hooks.example/"}'],
  ] as const;
  for (const [name, kindHeaders, length, body] of jsonRequests) {
    it(`sends ${name} requests exactly as shown in INTERFACE.md, with no other headers`, async () => {
      await using server = await RawServer.start(acceptsAll);
      await using files = await TemporaryFiles.make();
      await OPERATIONS[name](wire(), target(server.url), await files.write('a.txt'), unwatched());
      const shown = [`Access-Key: ${CANARY}`, 'Content-Type: application/json', ...kindHeaders];
      const needed = ['accept-encoding: identity', `content-length: ${length}`];
      const expected = head(server.port, `POST /openapi/open/v1/${name} HTTP/1.1`, ...shown, ...needed);
      assert.equal(server.received.toString(), expected + body);
    });
  }

  it('sends file-task requests as multipart forms with one part and the exact Content-Length', async () => {
    await using files = await TemporaryFiles.make();
    await using server = await RawServer.start(acceptsAll);
    await wire().fileTask(target(server.url), await files.write('notes.txt', 'Grüße\r\n'), unwatched());
    const boundary = /boundary=(\S+)/.exec(server.request.head)?.[1] ?? '';
    const body = [
      `--${boundary}`,
      'Content-Disposition: form-data; name="file"; filename="notes.txt"',
      'Content-Type: text/plain',
      '',
      'Grüße\r\n',
      `--${boundary}--`,
      '',
    ].join('\r\n');
    const expected = head(
      server.port,
      'POST /openapi/open/v1/file-task HTTP/1.1',
      `Access-Key: ${CANARY}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      'cache-control: no-cache',
      'scheme: https',
      'accept-encoding: identity',
      `content-length: ${Buffer.byteLength(body)}`,
    );
    assert.match(boundary, /^[0-9A-Za-z'()+_,./:=?-]{1,70}$/, 'a boundary as RFC 2046 allows it');
    assert.equal(server.received.toString(), expected + body);
  });

  it('reports upload progress until the whole body has been sent', async () => {
    await using files = await TemporaryFiles.make();
    await using server = await RawServer.start(acceptsAll);
    const seen: number[] = [];
    const onSent = (sentBytes: number) => seen.push(sentBytes);
    const file = await files.write('long.txt', 'x'.repeat(3_000_000));
    await wire().fileTask(target(server.url), file, { ...unwatched(), onSent });
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.equal(seen.at(-1), server.request.body.length);
  });
});

describe('An import', () => {
  it('ends even if its file cannot be closed, for example because a network drive does not answer', async () => {
    await using server = await RawServer.start(acceptsAll);
    const file = { ...textBody('a.txt', Buffer.from('text')), close: () => new Promise<void>(() => {}) };
    const source = { relativePath: 'a.txt', open: async () => file };
    assert.equal(outcomeText(await wire().fileTask(target(server.url), source, unwatched())), 'accepted');
  });
});

describe('An import that fails with an unexpected error', () => {
  const broken = () => {
    throw new TypeError('broken');
  };

  it('is unconfirmed if the service may have received it', async () => {
    await using server = await RawServer.start(answering(response('404 Not Found', 'no')));
    await using files = await TemporaryFiles.make();
    const contract = Object.defineProperty({ ...DEFAULT_CONTRACT }, 'codes', { get: broken });
    const dataset = { ...target(server.url), contract };
    const outcome = await wire().fileTask(dataset, await files.write('a.txt'), unwatched());
    assert.equal(outcomeText(outcome), 'unconfirmed: UnexpectedError');
    assert.equal(server.posts, 1);
  });

  it('is reported as not uploaded if nothing was sent', async () => {
    const outcome = await wire().fileTask(
      target(new URL('http://127.0.0.1:9')),
      { relativePath: 'a.txt', open: broken },
      unwatched(),
    );
    assert.equal(outcomeText(outcome), 'not uploaded: UnexpectedError');
  });
});

describe('A task ID from a file-task response', () => {
  const given = [
    ['a 19-digit number', '9223372036854775807', '{"taskId":9223372036854775807}'],
    ['a number written with an exponent', '1E3', '{"taskId":1E3}'],
    ['a string with quotes and a line break', '"a\\"b\\n"', '{"taskId":"a\\"b\\n"}'],
  ] as const;
  for (const [what, literal, body] of given) {
    it(`that is ${what} is sent back unchanged in query-task requests`, async () => {
      await using files = await TemporaryFiles.make();
      await using server = await RawServer.start(async (peer) => {
        await peer.readRequest();
        const envelope = `{"code":"0","message":null,"data":{"taskId":${literal}}}`;
        peer.end(`HTTP/1.1 200 OK\r\nContent-Length: ${envelope.length}\r\n\r\n${envelope}`);
      });
      const begun = await wire().fileTask(target(server.url), await files.write('a.txt'), unwatched());
      assert.equal(begun.kind, 'accepted');
      const [taskId] = begun.value.ids;
      assert.equal(taskId, taskIdOf(parseJson(literal)));
      assert.ok(taskId !== undefined);
      await wire().queryTask(target(server.url), taskId, unwatched());
      const asked = server.peers[1]?.received.toString() ?? '';
      assert.equal(asked.slice(asked.indexOf('\r\n\r\n') + 4), body);
    });
  }

  for (const id of [`${CANARY}-7`, `"${CANARY}"\\`]) {
    it(`that contains the access key, such as ${id}, is masked in the outcome but sent back unmasked`, async () => {
      await using files = await TemporaryFiles.make();
      const status = id.startsWith(CANARY) ? 'RUNNING' : 'DONE';
      const envelope = JSON.stringify({ code: '0', message: null, data: { taskId: id, status } });
      await using server = await RawServer.start(answering(response('200 OK', envelope)));
      const service = wire();
      const begun = await service.fileTask(target(server.url), await files.write('a.txt'), unwatched());
      assert.ok(begun.kind === 'accepted' && begun.value.ids[0] !== undefined);
      assertKeyIsMasked(begun);
      const report = await service.queryTask(target(server.url), begun.value.ids[0], unwatched());
      assert.ok(report.kind === 'accepted');
      assertKeyIsMasked(report);
      // The matching status shows that the report is about this task.
      assert.equal(report.value.status, status);
      const asked = server.peers[1]?.received.toString() ?? '';
      assert.equal(asked.slice(asked.indexOf('\r\n\r\n') + 4), JSON.stringify({ taskId: id }));
    });
  }

  it('identifies our task in a list, even if every ID in the list contains a masked access key', async () => {
    const tasks = [6, 7].map((count) => ({ taskId: `${CANARY}-${count}`, status: `STEP ${count}` }));
    const envelope = JSON.stringify({ code: '0', message: null, data: tasks });
    await using server = await RawServer.start(answering(response('200 OK', envelope)));
    const id = typedTaskId(`${KEY_MASK}-7`, 'string');
    const report = await wire().queryTask(target(server.url), id, unwatched());
    assert.ok(report.kind === 'accepted');
    assert.equal(report.value.status, 'STEP 7');
  });
});
