import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type LookupFunction } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { OPERATIONS, outcomeText } from '../operations';
import { ACCEPTED } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { SETTINGS, target, unwatched, wire } from '../wire';

/**
 * A port that a worker thread listens on. The thread is blocked until `open` is called, so connection attempts get no
 * reply.
 */
class SlowPort implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #gate: Int32Array;
  readonly #queued: readonly net.Socket[];

  private constructor(
    worker: Worker,
    gate: Int32Array,
    queued: readonly net.Socket[],
    readonly port: number,
  ) {
    this.#worker = worker;
    this.#gate = gate;
    this.#queued = queued;
  }

  static async listen(): Promise<SlowPort> {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const program = `
      const { parentPort, workerData } = require('node:worker_threads');
      const server = require('node:http').createServer((request, response) =>
        request.resume().on('end', () => response.end(workerData.body)));
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
        parentPort.postMessage(server.address().port);
        Atomics.wait(workerData.gate, 0, 0);
      });`;
    const worker = new Worker(program, { eval: true, workerData: { gate, body: ACCEPTED } });
    const [port] = (await once(worker, 'message')) as [number];
    // The operating system accepts these connections itself. Later connections wait until its queue has room.
    const queued = [net.connect(port, '127.0.0.1'), net.connect(port, '127.0.0.1')];
    await Promise.all(queued.map((socket) => once(socket, 'connect')));
    return new SlowPort(worker, gate, queued, port);
  }

  /** Starts accepting connections. The operating system retries a dropped connection attempt after one second. */
  open(): void {
    Atomics.store(this.#gate, 0, 1);
    Atomics.notify(this.#gate, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.open();
    for (const socket of this.#queued) socket.destroy();
    await this.#worker.terminate();
  }
}

/** Resolves any name to these addresses, then calls `then` once the first connection attempt has started. */
function resolvingTo(addresses: readonly string[], then = () => {}): LookupFunction {
  return (_hostname, _options, callback) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: net.isIP(address) })),
    );
    setImmediate()
      .then(() => setImmediate())
      .then(then);
  };
}

describe('A service with multiple addresses', () => {
  /** Imports a file to a service on this port, and returns the outcome. `lookup` resolves the service's host name. */
  async function importTo(port: number, lookup: LookupFunction, connectMs: number): Promise<string> {
    await using files = await TemporaryFiles.make();
    const service = wire({ lookup, timeOuts: { ...SETTINGS.timeOuts, connectMs } });
    const url = new URL(`http://service.invalid:${port}`);
    return outcomeText(await OPERATIONS['file-task'](service, target(url), await files.write('a.txt'), unwatched()));
  }

  for (const [slowOne, addresses] of [
    ['first', ['127.0.0.1', '::1']],
    ['second', ['::1', '127.0.0.1']],
  ] as const) {
    it(`is reached even if the ${slowOne} address is slow to connect and the other is unusable`, async () => {
      await using slow = await SlowPort.listen();
      const lookup = resolvingTo(addresses, () => slow.open());
      assert.equal(await importTo(slow.port, lookup, 60_000), 'accepted');
    });
  }

  it('is reached at the second address if the first address never replies', async () => {
    await using silent = await SlowPort.listen();
    const replying = createServer((request, response) => {
      request.resume().on('end', () => response.end(ACCEPTED));
    });
    await once(replying.listen(silent.port, '127.0.0.2'), 'listening');
    assert.equal(await importTo(silent.port, resolvingTo(['127.0.0.1', '127.0.0.2']), 1000), 'accepted');
    replying.close().closeAllConnections();
  });

  it('times out if no address replies', async () => {
    await using silent = await SlowPort.listen();
    const outcome = await importTo(silent.port, resolvingTo(['127.0.0.1', '127.0.0.1']), 400);
    assert.equal(outcome, 'not uploaded: ConnectError timedOut');
  });
});
