import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type ImportSource, textBody } from '../../../../src/service/content/sourceBody';
import { CanceledError } from '../../../../src/service/errors';
import type { Watch } from '../../../../src/service/http/http';
import { until } from '../../tasks/until';
import { tlsServer, trusting } from '../certificates';
import { keptResponse, onRequest } from '../keptConnections';
import { OPERATIONS, type Operation, outcomeText } from '../operations';
import { RawServer, type Script } from '../rawServer';
import { response, tunnelingTo } from '../responses';
import { type FileToImport, TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

const { 'file-task': fileTask, 'query-task': queryTask, 'set-webhook': setWebhook } = OPERATIONS;

/** An idle timeout that no test reaches, even on a slow machine. */
const LONG = { maxIdleMs: 60_000 };

/** The literal bytes of a response that contains this task ID and keeps the connection open. */
function kept(id: string, ...headers: string[]): string {
  return keptResponse(`{"code":"0","message":null,"data":{"taskId":"${id}"}}`, ...headers);
}

/**
 * Responds to each request with a different task ID and these headers. Passes the response through `changed`, writes
 * it, and then calls `after`.
 */
function responding({
  headers = [],
  changed = (text) => text,
  after = () => {},
}: {
  readonly headers?: readonly string[];
  readonly changed?: (response: string) => string;
  readonly after?: (socket: Socket) => void;
} = {}): Script {
  let requests = 0;
  return onRequest((socket) => {
    requests += 1;
    socket.write(changed(kept(`N${requests}`, ...headers)));
    after(socket);
  });
}

let files: TemporaryFiles;
let file: FileToImport;
before(async () => {
  files = await TemporaryFiles.make();
  file = await files.write('a.txt');
});
after(() => files[Symbol.asyncDispose]());

/** Runs operations one after another with the same service. Returns their outcomes and the number of connections. */
async function inTurn(server: RawServer, ...operations: Operation[]): Promise<unknown[]> {
  const service = wire({}, LONG);
  const ends: unknown[] = [];
  for (const operation of operations)
    ends.push(outcomeText(await operation(service, target(server.url), file, unwatched())));
  return [...ends, server.peers.length];
}

/** In-memory text that is sent only after `ready` resolves. `ready` is called once a connection is established. */
function textAfter(ready: () => Promise<void>): ImportSource {
  const body = textBody('a.txt', Buffer.from('some text'));
  const chunks = async function* () {
    await ready();
    yield* body.chunks();
  };
  return { relativePath: 'a.txt', open: async () => ({ ...body, chunks }) };
}

describe('A connection', () => {
  it('is kept open between requests once a task ID has been recognized', async () => {
    const asked: string[] = [];
    const script = onRequest((socket, request) => {
      asked.push(/\r\nconnection: (\S+)\r\n/.exec(request)?.[1] ?? '');
      socket.write(kept(`N${asked.length}`));
    });
    await using server = await RawServer.start(script);
    const ends = await inTurn(server, fileTask, fileTask, queryTask, fileTask, setWebhook);
    assert.deepEqual(ends, ['accepted', 'accepted', 'accepted', 'accepted', 'accepted', 2]);
    assert.deepEqual(asked, ['close', 'keep-alive', 'keep-alive', 'keep-alive', 'keep-alive']);
  });

  it('is not kept open after an import whose response has no task ID', async () => {
    const withoutId = (text: string) => text.replace('taskId', 'lineNo');
    await using server = await RawServer.start(responding({ changed: withoutId }));
    assert.deepEqual(await inTurn(server, fileTask, fileTask), ['accepted', 'accepted', 2]);
  });

  const notKept: Record<string, Script> = {
    'the response contains Connection: close': responding({ headers: ['Connection: close'] }),
    'the service keeps it open for only two seconds': responding({ headers: ['Keep-Alive: timeout=2'] }),
    'extra bytes arrive after the response': responding({ changed: (text) => `${text}HTTP/1.1 200 OK\r\n` }),
  };
  for (const [why, script] of Object.entries(notKept)) {
    it(`isn't reused if ${why}`, async () => {
      await using server = await RawServer.start(script);
      assert.deepEqual(await inTurn(server, queryTask, fileTask, queryTask), ['accepted', 'accepted', 'accepted', 3]);
    });
  }

  it("isn't reused if the response came before the whole file was sent", async () => {
    const long = await files.write('long.txt', 'All work and no play. '.repeat(800_000));
    await using server = await RawServer.start(async (peer) => {
      await peer.readBytes(1000);
      peer.send(kept('early'));
      await peer.readToEnd();
    });
    const sendLong: Operation = (service, dataset, _file, watch) => fileTask(service, dataset, long, watch);
    assert.deepEqual(await inTurn(server, sendLong, sendLong), ['accepted', 'accepted', 2]);
  });

  for (const [when, clock] of [
    ['being idle for too long, even if the idle timer never fired', 'monotonicMs'],
    ['the machine wakes from sleep, even if only the wall clock advanced', 'now'],
  ] as const) {
    it(`isn't reused after ${when}`, async () => {
      let nowMs = 0;
      await using server = await RawServer.start(responding({ headers: ['Keep-Alive: timeout=5'] }));
      const service = wire({}, { ...LONG, now: () => 0, monotonicMs: () => 0, [clock]: () => nowMs });
      assert.equal(outcomeText(await queryTask(service, target(server.url), file, unwatched())), 'accepted');
      nowMs += LONG.maxIdleMs + 1;
      assert.equal(outcomeText(await fileTask(service, target(server.url), file, unwatched())), 'accepted');
      assert.equal(server.peers.length, 2);
    });
  }

  it("isn't reused after distrustConnections is called", async () => {
    await using server = await RawServer.start(responding());
    const service = wire({}, LONG);
    const query = () => queryTask(service, target(server.url), file, unwatched());
    await query();
    service.distrustConnections();
    for (const _ of [1, 2]) assert.equal(outcomeText(await query()), 'accepted');
    assert.equal(server.peers.length, 2);
  });

  it('is closed after our idle timeout, no matter what the Keep-Alive header says', async () => {
    const delays: (number | undefined)[] = [];
    const { setTimeout } = globalThis;
    const recording = (run: () => void, ms?: number, ...args: []) => {
      delays.push(ms);
      return setTimeout(run, ms, ...args);
    };
    globalThis.setTimeout = Object.assign(recording, setTimeout) as typeof setTimeout;
    try {
      await using server = await RawServer.start(responding({ headers: ['Keep-Alive: timeout=5000'] }));
      const maxIdleMs = 54_321;
      const outcome = await queryTask(wire({}, { maxIdleMs }), target(server.url), file, unwatched());
      assert.equal(outcomeText(outcome), 'accepted');
      // undici starts the idle timer one turn of the event loop after the response.
      await until(() => delays.includes(maxIdleMs));
      const longer = delays.filter((ms) => (ms ?? 0) > 60_000);
      assert.deepEqual(longer, []);
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  });

  it('is opened for each simultaneous request, so no request waits for another', async () => {
    const all = 13;
    const waiting: Socket[] = [];
    const script = onRequest((socket) => {
      waiting.push(socket);
      if (waiting.length === all) for (const [index, each] of waiting.entries()) each.write(kept(`N${index}`));
    });
    await using server = await RawServer.start(script);
    const service = wire({}, LONG);
    const query = () => queryTask(service, target(server.url), file, unwatched());
    const ends = await Promise.all(Array.from({ length: all }, query));
    assert.deepEqual(new Set(ends.map(outcomeText)), new Set(['accepted']));
    assert.equal(server.peers.length, all);
  });

  it('sends the first bytes in the same turn of the event loop in which atFirstByte is called', async () => {
    await using server = await RawServer.start(responding());
    const service = wire({}, LONG);
    for (const connection of ['fresh', 'kept']) {
      const order: string[] = [];
      const watch: Watch = {
        ...unwatched(),
        atFirstByte: () => {
          order.push('checked');
          setImmediate(() => order.push('next turn'));
        },
        onSent: () => order.push('sent'),
      };
      await queryTask(service, target(server.url), file, unwatched());
      const dataset =
        connection === 'fresh'
          ? target(new URL(server.url.href.replace('127.0.0.1', 'localhost')))
          : target(server.url);
      assert.equal(outcomeText(await service.fileTask(dataset, file, watch)), 'accepted');
      assert.deepEqual(order.slice(0, 3), ['checked', 'sent', 'next turn'], connection);
    }
  });

  it('sends nothing if atFirstByte throws', async () => {
    await using server = await RawServer.start(responding());
    const service = wire({}, LONG);
    for (const connection of [1, 2]) {
      const watch: Watch = {
        ...unwatched(),
        atFirstByte: () => {
          throw new CanceledError();
        },
      };
      assert.equal(outcomeText(await service.fileTask(target(server.url), file, watch)), 'not uploaded: CanceledError');
      assert.equal(server.posts, 0);
      assert.equal(server.peers.length, connection);
    }
  });

  it("isn't reused after the certificate settings change", async () => {
    await using server = await RawServer.start(responding());
    let systemCertificates = false;
    const settings = {
      get systemCertificates() {
        return systemCertificates;
      },
    };
    const service = wire(settings, LONG);
    for (const trusted of [false, true]) {
      systemCertificates = trusted;
      await queryTask(service, target(server.url), file, unwatched());
    }
    assert.equal(server.peers.length, 2);
  });
});

describe('A keep-alive connection', () => {
  const resetAtNextByte = (socket: Socket) => socket.prependOnceListener('data', () => socket.resetAndDestroy());

  /** Returns a script for a service that responds to each request, and functions that break the first connection. */
  function breakable(how: (socket: Socket) => void) {
    let first: Socket | undefined;
    const respond = responding();
    const script: Script = (peer, count) => {
      if (count === 1) first = peer.socket;
      return respond(peer, count);
    };
    const breakNow = () => how(first ?? assert.fail());
    return {
      script,
      breakNow,
      /** Breaks the first connection. Resolves once the operating system has accepted any bytes that were written. */
      break: async () => {
        breakNow();
        await until(() => first?.writableFinished || first?.destroyed || first?.writableLength === 0);
      },
    };
  }

  const ways: Record<string, (socket: Socket) => void> = {
    'is closed': (socket) => socket.end(),
    'is reset': (socket) => socket.resetAndDestroy(),
    'receives an unsolicited 408': (socket) =>
      socket.end('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
    'receives a second success response': (socket) => socket.write(kept('stray')),
    'receives half a response': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{'),
    'receives the first bytes of a response': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Le'),
    'receives an interim response': (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'),
  };
  for (const [what, how] of Object.entries(ways)) {
    for (const moment of ['while it is idle', 'while the file is being read', 'just before the first byte']) {
      it(`that ${what} ${moment} is replaced, and the import is sent only once`, async () => {
        const broken = breakable(how);
        await using server = await RawServer.start(broken.script);
        const service = wire({}, LONG);
        await queryTask(service, target(server.url), file, unwatched());
        if (moment === 'while it is idle') await broken.break();
        const afterConnect = async () => {
          if (moment === 'while the file is being read') await broken.break();
          if (moment === 'just before the first byte') broken.breakNow();
        };
        const outcome = await service.fileTask(target(server.url), textAfter(afterConnect), unwatched());
        assert.equal(outcomeText(outcome), 'accepted');
        assert.ok(outcome.kind === 'accepted');
        assert.deepEqual(outcome.value.ids, ['"N2"']);
        assert.equal(server.peers.length, 2);
      });
    }
  }

  it('that becomes stale is replaced with a reusable connection, even if others become stale at the same time', async () => {
    await using server = await RawServer.start(responding());
    let nowMs = 0;
    const service = wire({}, { ...LONG, monotonicMs: () => nowMs });
    const threeQueries = () =>
      Promise.all([1, 2, 3].map(() => queryTask(service, target(server.url), file, unwatched())));
    await threeQueries();
    nowMs += LONG.maxIdleMs + 1;
    await threeQueries();
    assert.equal(server.peers.length, 6);
    await threeQueries();
    assert.equal(server.peers.length, 6);
  });

  it('finishes its request even if another connection is replaced', async () => {
    const held = Promise.withResolvers<Socket>();
    let requests = 0;
    const script = onRequest((socket) => {
      requests += 1;
      if (requests === 3) held.resolve(socket);
      else socket.write(kept(`N${requests}`));
    });
    await using server = await RawServer.start(script);
    let nowMs = 0;
    const service = wire({}, { ...LONG, monotonicMs: () => nowMs });
    const query = () => queryTask(service, target(server.url), file, unwatched());
    await Promise.all([query(), query()]);
    const slow = query();
    const socket = await held.promise;
    nowMs += LONG.maxIdleMs + 1;
    assert.equal(outcomeText(await query()), 'accepted');
    socket.write(kept('slow'));
    assert.equal(outcomeText(await slow), 'accepted');
  });

  for (const [what, after] of [
    ['is reset', resetAtNextByte],
    ['is closed', (socket: Socket) => socket.prependOnceListener('data', () => socket.destroy())],
  ] as const) {
    it(`that ${what} at the first byte of an import makes the import unconfirmed, and the import is not sent again`, async () => {
      await using server = await RawServer.start(responding({ after }));
      const [first, second, connections] = await inTurn(server, queryTask, fileTask);
      assert.equal(first, 'accepted');
      assert.match(String(second), /^unconfirmed: ConnectionLostError reset/);
      assert.equal(connections, 1);
    });
  }

  it('that is reset at the first byte of a query is replaced, and the query is sent again', async () => {
    await using server = await RawServer.start(responding({ after: resetAtNextByte }));
    assert.deepEqual(await inTurn(server, queryTask, queryTask), ['accepted', 'accepted', 2]);
  });
});

describe('A premature response on a new connection', () => {
  /**
   * Sends the first `early` bytes before the import sends anything, and the rest once the first byte of the request
   * arrives.
   */
  async function greetedWith(bytes: Buffer, early = bytes.length): Promise<{ end: string; received: number }> {
    const connected = Promise.withResolvers<void>();
    await using server = await RawServer.start(async (peer) => {
      await peer.sendAll(bytes.subarray(0, early));
      connected.resolve();
      if (await peer.readBytes(1)) peer.send(bytes.subarray(early));
      await peer.readToEnd();
    });
    const source = textAfter(() => connected.promise);
    const end = outcomeText(await wire().fileTask(target(server.url), source, unwatched()));
    return { end, received: server.received.length };
  }

  const success = response('200 OK', '{"code":"0","message":null,"data":{"taskId":"stray"}}');
  for (const [what, early] of [
    ['', success.length],
    [', even if only its first bytes arrive early', 20],
    [', even if only its headers arrive early', success.indexOf('{')],
  ] as const) {
    it(`never causes the import to be accepted${what}`, async () => {
      const { end, received } = await greetedWith(success, early);
      assert.match(end, /^not uploaded: ConnectionLostError (?:reset|truncated)$/);
      assert.equal(received, 0);
    });
  }

  it('rejects the import if the response has status 429', async () => {
    assert.match((await greetedWith(response('429 Too Many Requests', ''))).end, /^rejected: 429/);
  });

  it("causes the import to be reported as not uploaded if the response is a server error or isn't HTTP", async () => {
    for (const greeting of [response('503 Service Unavailable', ''), Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')]) {
      assert.deepEqual(await greetedWith(greeting), { end: 'not uploaded: ConnectionLostError reset', received: 0 });
    }
  });
});

describe('A new TLS connection', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    for (const isTunneled of [false, true]) {
      it(`resumes the last ${version} session${isTunneled ? ' through a proxy' : ''}`, async () => {
        using _trust = trusting('loopback');
        const resumed: boolean[] = [];
        const versions = { minVersion: version, maxVersion: version };
        const secure = tlsServer('loopback', versions).on('secureConnection', (socket: TLSSocket) => {
          assert.equal(socket.getProtocol(), version);
          resumed.push(socket.isSessionReused());
        });
        await using server = await RawServer.start(responding({ headers: ['Connection: close'] }), secure);
        await using proxy = await RawServer.start(tunnelingTo(server));
        const service = wire(isTunneled ? { proxy: proxy.url.href, noProxy: '' } : {});
        const host = isTunneled ? 'service.invalid' : '127.0.0.1';
        const dataset = target(new URL(`https://${host}:${server.port}`));
        for (const operation of [fileTask, fileTask, queryTask, fileTask]) {
          assert.equal(outcomeText(await operation(service, dataset, file, unwatched())), 'accepted');
        }
        assert.deepEqual(resumed, [false, true, true, true]);
      });
    }
  }
});
