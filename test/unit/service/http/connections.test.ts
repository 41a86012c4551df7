import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ImportWatch } from '../../../../src/service/importService';
import { until } from '../../tasks/until';
import { tlsServer, trusting } from '../certificates';
import { keptResponse, onRequest } from '../keptConnections';
import { OPERATIONS, type Operation, told } from '../operations';
import { RawServer, type Script } from '../rawServer';
import { type FileToImport, TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

const { 'file-task': fileTask, 'query-task': queryTask } = OPERATIONS;

/** The literal bytes of a response with this id, after which more may come. */
function kept(id: string, ...headers: string[]): string {
  return keptResponse(`{"code":"0","message":null,"data":{"taskId":"${id}"}}`, ...headers);
}

/** Responds to each request with another id, with these headers or as `changed`, and calls `after`. */
function responding({
  headers = [],
  changed = (response) => response,
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
  // What is loaded at the first requests takes longer than a connection is kept.
  await using server = await RawServer.start(responding());
  await inTurn(server, fileTask, queryTask);
});
after(() => files[Symbol.asyncDispose]());

/** Runs one after the other over the same service; how they ended, and over how many connections. */
async function inTurn(server: RawServer, ...operations: Operation[]): Promise<unknown[]> {
  const service = wire();
  const ends: unknown[] = [];
  for (const operation of operations) ends.push(told(await operation(service, target(server.url), file, unwatched())));
  return [...ends, server.peers.length];
}

describe('A connection', () => {
  it('is kept for the next import and the next query', async () => {
    await using server = await RawServer.start(responding());
    const ends = await inTurn(server, queryTask, fileTask, fileTask, queryTask, queryTask);
    assert.deepEqual(ends, ['accepted', 'accepted', 'accepted', 'accepted', 'accepted', 1]);
  });

  it('carries a hundred requests and no more, as all its responses must be known again', async () => {
    await using server = await RawServer.start(responding());
    const service = wire();
    for (const count of [100, 1]) {
      for (let query = 0; query < count; query++) await queryTask(service, target(server.url), file, unwatched());
      assert.equal(server.peers.length, count === 100 ? 1 : 2);
    }
  });

  const notKept: Record<string, Script> = {
    'that the service closes, as it says': responding({ headers: ['Connection: close'] }),
    'of HTTP/1.0, whatever it says of keeping it': responding({
      headers: ['Connection: keep-alive'],
      changed: (response) => response.replace('HTTP/1.1', 'HTTP/1.0'),
    }),
    'that the service keeps for two seconds at most': responding({ headers: ['Keep-Alive: timeout=2'] }),
    'over which more came than the response': responding({ changed: (response) => `${response}HTTP/1.1 200 OK\r\n` }),
  };
  for (const [what, script] of Object.entries(notKept)) {
    it(`${what}, carries no second request`, async () => {
      await using server = await RawServer.start(script);
      assert.deepEqual(await inTurn(server, fileTask, fileTask, queryTask), ['accepted', 'accepted', 'accepted', 3]);
    });
  }

  it('that was idle for half a second carries no second request', async () => {
    await using server = await RawServer.start(responding());
    const service = wire();
    for (const [index, operation] of [fileTask, queryTask, fileTask].entries()) {
      assert.equal(told(await operation(service, target(server.url), file, unwatched())), 'accepted');
      assert.equal(server.peers.length, index + 1);
      const sinceMs = performance.now();
      await until(() => performance.now() - sinceMs > 500);
    }
  });

  it('over which a response came before the whole file had left carries no second request', async () => {
    const long = await files.write('long.txt', 'All work and no play. '.repeat(800_000));
    await using server = await RawServer.start(async (peer) => {
      await peer.readBytes(1000);
      peer.send(kept('early'));
      await peer.readToEnd();
    });
    const service = wire();
    for (const sent of [long, long]) {
      assert.equal(told(await fileTask(service, target(server.url), sent, unwatched())), 'accepted');
    }
    assert.equal(server.peers.length, 2);
  });

  it('is made for each of those that are under way at once, and not more', async () => {
    await using server = await RawServer.start(responding());
    const service = wire();
    const run = async () => told(await fileTask(service, target(server.url), file, unwatched()));
    for (const _ of [1, 2]) {
      assert.deepEqual(await Promise.all([run(), run(), run()]), ['accepted', 'accepted', 'accepted']);
    }
    assert.equal(server.peers.length, 3);
  });

  it('by another proxy, or with other certificates trusted, is another one', async () => {
    await using server = await RawServer.start(responding());
    let systemCertificates = false;
    const service = wire({
      get systemCertificates() {
        return systemCertificates;
      },
    });
    for (const trusted of [false, true]) {
      systemCertificates = trusted;
      await queryTask(service, target(server.url), file, unwatched());
    }
    assert.equal(server.peers.length, 2);
  });
});

describe('A kept connection that the service closes', () => {
  const resetAtNextByte = (socket: Socket) => socket.prependOnceListener('data', () => socket.resetAndDestroy());

  /** Closes the first connection when this is called. */
  function closable(how: (socket: Socket) => void): { readonly script: Script; close(): Promise<void> } {
    let first: Socket | undefined;
    const script: Script = (peer, count) => {
      if (count === 1) first = peer.socket;
      return responding()(peer, count);
    };
    const close = async () => {
      assert.ok(first !== undefined);
      how(first);
      await until(() => first?.writableFinished || first?.destroyed || first?.writableLength === 0);
    };
    return { script, close };
  }

  const ways: Record<string, (socket: Socket) => void> = {
    ends: (socket) => socket.end(),
    'is reset': (socket) => socket.resetAndDestroy(),
    'says 408 unasked': (socket) =>
      socket.end('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
    'says yes unasked': (socket) => socket.write(kept('unasked')),
  };
  for (const [what, how] of Object.entries(ways)) {
    it(`and that ${what} before the first byte leaves: the import is sent once, over another one`, async () => {
      const { script, close } = closable(how);
      await using server = await RawServer.start(script);
      const service = wire();
      await queryTask(service, target(server.url), file, unwatched());
      let begun = 0;
      const beforeBody = async () => {
        begun += 1;
        await close();
      };
      const watch: ImportWatch = { ...unwatched(), beforeBody };
      assert.equal(told(await service.fileTask(target(server.url), file, watch)), 'accepted');
      const imports = server.peers.map(({ socket }) => socket.bytesRead);
      assert.deepEqual([begun, imports.length], [1, 2]);
    });
  }

  it('once it carries an import, leaves it unconfirmed, and nothing is sent again', async () => {
    await using server = await RawServer.start(responding({ after: resetAtNextByte }));
    const [first, second, connections] = await inTurn(server, queryTask, fileTask);
    assert.equal(first, 'accepted');
    assert.match(String(second), /^unconfirmed: ConnectionLostError reset, all of the body had left/);
    assert.equal(connections, 1);
  });

  it('once it carries a query, leads to the query being sent over another one', async () => {
    await using server = await RawServer.start(responding({ after: resetAtNextByte }));
    assert.deepEqual(await inTurn(server, queryTask, queryTask), ['accepted', 'accepted', 2]);
  });

  it('unannounced, soon after a response, leaves each request a connection of its own from then on', async () => {
    const { script, close } = closable((socket) => socket.end());
    await using server = await RawServer.start(script);
    const service = wire();
    const run = async (operation: Operation) => {
      assert.equal(told(await operation(service, target(server.url), file, unwatched())), 'accepted');
      return server.peers.length;
    };
    await run(fileTask);
    await close();
    assert.equal(await run(fileTask), 2);
    assert.equal(await run(queryTask), 3);
    assert.equal(await run(fileTask), 4);
  });
});

describe('A fresh connection over TLS', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    for (const isTunnelled of [false, true]) {
      it(`resumes the session of the one before, by ${version}${isTunnelled ? ' through a proxy' : ''}`, async () => {
        using _trust = trusting('loopback');
        const resumed: boolean[] = [];
        const versions = { minVersion: version, maxVersion: version };
        const secure = tlsServer('loopback', versions).on('secureConnection', (socket: TLSSocket) => {
          assert.equal(socket.getProtocol(), version);
          resumed.push(socket.isSessionReused());
        });
        await using server = await RawServer.start(responding({ headers: ['Connection: close'] }), secure);
        await using proxy = await RawServer.start(async (peer) => {
          await peer.readRequest();
          peer.send('HTTP/1.1 200 Connection established\r\n\r\n');
          await peer.tunnelTo(server.port);
        });
        const service = wire(isTunnelled ? { proxy: proxy.url.href, noProxy: '' } : {});
        const host = isTunnelled ? 'service.invalid' : '127.0.0.1';
        const dataset = target(new URL(`https://${host}:${server.port}`));
        for (const operation of [fileTask, fileTask, queryTask, fileTask]) {
          assert.equal(told(await operation(service, dataset, file, unwatched())), 'accepted');
        }
        assert.deepEqual(resumed, [false, true, true, true]);
      });
    }
  }
});
