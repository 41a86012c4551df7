import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { textBody } from '../../../../src/service/content/sourceBody';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { type Action, afterRequest, atBodyByte, ends, resets, stalls, trickles } from '../../faults/script';
import { assertKeyIsMasked } from '../assertKeyIsMasked';
import { OPERATIONS, type Operation, outcomeText, runAgainst } from '../operations';
import { RawServer, type Script } from '../rawServer';
import { ACCEPTED, acceptsAll, answering, response } from '../responses';
import { type FileToImport, TemporaryFiles } from '../temporaryFiles';
import { SETTINGS, target, unwatched, wire } from '../wire';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const OF_1000_BYTES = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n';
const fileTask = OPERATIONS['file-task'];
let files: TemporaryFiles;
/** A file that is larger than the socket buffers on both sides. */
let long: FileToImport;
before(async () => {
  files = await TemporaryFiles.make();
  long = await files.write('long.txt', 'All work and no play. '.repeat(400_000));
});
after(() => files[Symbol.asyncDispose]());

const shortly = (...which: (keyof typeof SETTINGS.timeOuts)[]) => ({
  timeOuts: { ...SETTINGS.timeOuts, ...Object.fromEntries(which.map((timeOut) => [timeOut, 250])) },
});

describe('An import', () => {
  it("is reported as not uploaded if the host name doesn't resolve", async () => {
    const nowhere = target(new URL('https://dataset-import.invalid'));
    const outcome = await fileTask(wire(), nowhere, await files.write('a.txt'), unwatched());
    assertKeyIsMasked(outcome);
    assert.equal(outcomeText(outcome), 'not uploaded: ConnectError dns');
  });

  it("is reported as not uploaded if both of the host's addresses refuse the connection", async () => {
    const refusing = target(new URL('http://localhost:1'));
    const outcome = await fileTask(wire(), refusing, await files.write('a.txt'), unwatched());
    assert.equal(outcomeText(outcome), 'not uploaded: ConnectError refused');
  });

  it('is not retried if the connection is reset immediately', async () => {
    const broken: Script = async (peer) => peer.reset();
    await using server = await RawServer.start(broken);
    const outcome = await fileTask(wire(), target(server.url), await files.write('a.txt'), unwatched());
    assert.match(outcomeText(outcome), /^(?:not uploaded: ConnectError|unconfirmed: ConnectionLostError reset)/);
    assert.equal(server.peers.length, 1);
  });
});

describe('A partially sent import', () => {
  const resetsAtFirstByte: Script = async (peer) => {
    await peer.readBytes(1);
    peer.reset();
  };
  const breaks: readonly (readonly [what: string, reason: string, script: Script, settings?: object])[] = [
    ['the connection is reset after the first byte', 'reset', resetsAtFirstByte],
    ['the connection is reset in the middle of the request body', 'reset', atBodyByte(4_000_000, resets)],
    ['the connection is closed in the middle of the request body', 'reset', atBodyByte(4_000_000, ends)],
    ['the service stops reading the request', 'stalled', atBodyByte(100_000, stalls), shortly('idleMs')],
  ];
  for (const [what, reason, script, settings = {}] of breaks) {
    it(`is unconfirmed and not retried if ${what}`, async () => {
      const end = `unconfirmed: ConnectionLostError ${reason}`;
      assert.deepEqual(await runAgainst(script, { file: long, settings }), { end, posts: 1 });
    });
  }
});

const trickling = trickles('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', ' ');

describe('The response deadline', () => {
  it("for queries doesn't apply to imports or webhooks", async () => {
    for (const name of ['file-task', 'set-webhook'] as const) {
      const query = Promise.withResolvers<void>();
      const answersAfterTheQuery: Script = async (peer, count) => {
        await peer.readRequest();
        if (peer.received.includes('/query-task')) return peer.readToEnd();
        await query.promise;
        await acceptsAll(peer, count);
      };
      await using server = await RawServer.start(answersAfterTheQuery);
      const service = wire(shortly('queryMs'));
      const ask = (operation: Operation) => operation(service, target(server.url), long, unwatched());
      const other = ask(OPERATIONS[name]);
      assert.match(outcomeText(await ask(OPERATIONS['query-task'])), /^unconfirmed: ConnectionLostError silent/);
      query.resolve();
      assert.equal(outcomeText(await other), 'accepted');
    }
  });

  it("is measured from the start of the response, even if the file hasn't been completely sent yet", async () => {
    const early: Script = async (peer) => {
      await peer.readBytes(100_000);
      void peer.readToEnd();
      await trickling(peer);
    };
    const { end, posts } = await runAgainst(early, { file: long, settings: shortly('responseMs') });
    assert.match(end, /^unconfirmed: ConnectionLostError truncated/);
    assert.equal(posts, 1);
  });
});

describe('An import without a complete response', () => {
  const slow = shortly('responseMs', 'queryMs');
  const cut = (bytes: string) => afterRequest(async (peer) => peer.end(bytes));
  const resetsInBody: Action = async (peer) => peer.socket.write(`${OF_1000_BYTES}{"code":`, () => peer.reset());
  const chunked = `${ACCEPTED.length.toString(16)}\r\n${ACCEPTED}\r\n`;
  const breaks: readonly (readonly [what: string, reason: string, script: Script, settings?: object])[] = [
    ['the connection is reset after the request body has been sent', 'reset', afterRequest(resets)],
    ['the connection is closed after the request body has been sent', 'reset', afterRequest(ends)],
    ['no response ever arrives', 'silent', (peer) => peer.readToEnd(), slow],
    ['the headers are cut off', 'reset', cut('HTTP/1.1 200 OK\r\nContent-Le')],
    ['the headers never end', 'silent', answering('HTTP/1.1 200 OK\r\nContent-Le'), slow],
    ['the body is shorter than its Content-Length', 'truncated', cut(`${OF_1000_BYTES}${ACCEPTED}`)],
    ['the last chunk is missing', 'truncated', cut(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`)],
    ['the body stops arriving', 'truncated', answering(`${OF_1000_BYTES}${ACCEPTED}`), shortly('idleMs')],
    ['the connection is reset in the middle of the response body', '(?:reset|truncated)', afterRequest(resetsInBody)],
    ['the body trickles in', 'truncated', afterRequest(trickling), slow],
    ['the headers trickle in', 'silent', afterRequest(trickles('HTTP/1.1 200 OK\r\nX-A: ', 'a')), slow],
    ['only interim responses arrive', 'silent', afterRequest(trickles('', 'HTTP/1.1 102 Processing\r\n\r\n')), slow],
    ['only an unsolicited 100 Continue arrives', 'silent', answering(CONTINUE), slow],
  ];
  for (const [what, reason, script, settings = {}] of breaks) {
    it(`is unconfirmed and not retried if ${what}`, async () => {
      const { end, posts } = await runAgainst(script, { settings });
      assert.match(end, new RegExp(`^unconfirmed: ConnectionLostError ${reason}$`));
      assert.equal(posts, 1);
    });
  }
});

function byteByByte(bytes: string | Uint8Array): Script {
  return async (peer) => {
    await peer.readRequest();
    peer.socket.setNoDelay(true);
    for (const byte of Buffer.from(bytes)) await peer.sendAll(Buffer.of(byte));
  };
}

describe('A success response', () => {
  const whole = response('200 OK', ACCEPTED);
  const ways: Record<string, Script> = {
    'after a 100 that was sent before the whole request arrived': async (peer) => {
      await peer.readRequest(0);
      await peer.sendAll(CONTINUE);
      await answering(whole)(peer, 1);
    },
    'after multiple interim responses of each kind': answering(
      `${CONTINUE}HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Go on\r\nX-A: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n${CONTINUE}${whole}`,
    ),
    'after a 100, byte by byte': byteByByte(`${CONTINUE}${whole}`),
    'with a body of exactly 1 MiB': answering(response('200 OK', ACCEPTED.padEnd(1_048_576))),
    'in chunks': answering(
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n${(ACCEPTED.length - 1).toString(16)}\r\n${ACCEPTED.slice(1)}\r\n0\r\n\r\n`,
    ),
    'without a Content-Length and ends when the connection closes': async (peer) => {
      await peer.readRequest();
      peer.end(`HTTP/1.1 200 OK\r\n\r\n${ACCEPTED}`);
    },
  };
  for (const [what, script] of Object.entries(ways)) {
    it(`is accepted if it arrives ${what}`, async () => {
      assert.deepEqual(await runAgainst(script), { end: 'accepted', posts: 1 });
    });
  }
});

describe('An import that the user cancels', () => {
  it('before it starts never opens a connection', async () => {
    await using server = await RawServer.start(acceptsAll);
    const watch = { signal: AbortSignal.abort() };
    const outcome = await fileTask(wire(), target(server.url), await files.write('a.txt'), watch);
    assert.equal(outcomeText(outcome), 'not uploaded: CanceledError');
    // If the canceled request had opened a connection, the server would see two connections.
    await fileTask(wire(), target(server.url), await files.write('a.txt'), unwatched());
    assert.equal(server.peers.length, 1);
  });

  it('while it is connecting is reported as not uploaded', async () => {
    // A server that accepts the connection but never starts TLS.
    const cancel = new AbortController();
    const silent = createServer((socket) => {
      socket.on('error', () => {});
      cancel.abort();
    });
    await using server = await RawServer.start(async () => {}, silent);
    const url = new URL(`https://127.0.0.1:${server.port}`);
    const outcome = await fileTask(wire(), target(url), await files.write('a.txt'), cancel);
    assert.equal(outcomeText(outcome), 'not uploaded: CanceledError');
  });

  it('while its file is being hashed is reported as not uploaded, even if the drive never answers', async () => {
    const cancel = new AbortController();
    const chunks = async function* () {
      cancel.abort();
      yield await new Promise<never>(() => {});
    };
    const source = { relativePath: 'a.txt', open: async () => ({ ...textBody('a.txt', Buffer.of(1)), chunks }) };
    const hashing = { fileTask: { ...DEFAULT_CONTRACT.fileTask, fields: { sum: '${sha256}' } } };
    const outcome = await wire().fileTask(target(new URL('http://127.0.0.1:1'), hashing), source, cancel);
    assert.equal(outcomeText(outcome), 'not uploaded: CanceledError');
  });

  const isUnconfirmed = async (canceling: (cancel: AbortController) => Script, file?: FileToImport) => {
    const watch = new AbortController();
    const { end, posts } = await runAgainst(canceling(watch), { watch, ...(file && { file }) });
    assert.deepEqual([end, posts], ['unconfirmed: CanceledError', 1]);
  };
  const thenSilent = (cancel: AbortController): Action => {
    return async (peer) => {
      cancel.abort();
      await peer.readToEnd();
    };
  };

  it('while its file is being sent, while it is waiting for the response, or while the response arrives is unconfirmed', async () => {
    await isUnconfirmed((cancel) => atBodyByte(1_000_000, thenSilent(cancel)), long);
    await isUnconfirmed((cancel) => afterRequest(thenSilent(cancel)));
    await isUnconfirmed((cancel) =>
      afterRequest(async (peer) => {
        // The client reads this part of the response before the second callback.
        peer.socket.write(`${OF_1000_BYTES}{"code"`, () => setImmediate(setImmediate, () => cancel.abort()));
        await peer.readToEnd();
      }),
    );
  });
});
