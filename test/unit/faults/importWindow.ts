import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Target } from '../../../src/service/request/requests';
import { connectTasks, type Tasks } from '../../../src/tasks/connectTasks';
import { checkFile } from '../../../src/tasks/sending/checkedSource';
import type { Cause, FileRow } from '../../../src/tasks/store/model';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { TemporaryFiles } from '../service/temporaryFiles';
import { sharedFiles } from '../tasks/sharedFiles';
import { fileOf } from '../tasks/store/storeRequests';
import { StoreWindows, type TestWindow } from '../tasks/store/storeWindows';
import { until } from '../tasks/until';
import type { Fault } from './faults';
import { FaultyService } from './faultyService';

/** Larger than the socket buffers, so it can be sent only while the server is reading. */
export const LARGE = Buffer.alloc(24 * 1024 * 1024, 'so many words ');

/**
 * A window that uploads to a faulty service. Uses a real store and real sockets, but a clock that the test controls.
 */
export class ImportWindow {
  readonly faulty: FaultyService;
  readonly stores: StoreWindows;
  readonly store: TestWindow;
  readonly tasks: Tasks;
  readonly #files: TemporaryFiles;
  #runs = 0;

  private constructor(faulty: FaultyService, stores: StoreWindows, files: TemporaryFiles, findTarget?: FindTarget) {
    this.faulty = faulty;
    this.stores = stores;
    this.#files = files;
    this.store = stores.open('A');
    const window = { id: 'A', machine: 'here', pid: process.pid };
    this.tasks = connectTasks(
      { store: this.store, window, files: sharedFiles, exists: () => true },
      {
        folder: path.dirname(stores.path),
        service: faulty.service,
        clock: stores.clock,
        findTarget: async () => findTarget?.(this) ?? faulty.target,
        contractOf: () => faulty.target.contract,
        canServe: () => true,
        readKeysAgain: () => {},
        allowed: () => 1,
        retention: () => ({ days: 90, rows: 100_000 }),
        onError: (error) => assert.fail(String(error)),
      },
    );
  }

  static async open(fault: Fault, findTarget?: FindTarget): Promise<ImportWindow> {
    const faulty = await FaultyService.start(fault);
    return new ImportWindow(faulty, await StoreWindows.make(), await TemporaryFiles.make(), findTarget);
  }

  /** The number of POSTs that arrived. */
  get posts(): number {
    return this.faulty.server.posts;
  }

  /** How many times a file with this name was sent. */
  postsOf(name: string): number {
    return this.faulty.server.peers.filter(({ received }) => received.includes(`filename="${name}"`)).length;
  }

  async rows(): Promise<readonly FileRow[]> {
    return this.store.rowsAfter({ filter: {}, after: 0, limit: 100 });
  }

  /** The only row. */
  async row(): Promise<FileRow> {
    const [first = assert.fail('no row'), ...others] = await this.rows();
    assert.equal(others.length, 0);
    return first;
  }

  /** Writes files and queues them. */
  async queue(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
    const checked = [];
    for (const [name, content] of Object.entries(files)) {
      const { path: at, relativePath } = await this.#files.write(name, content);
      const { source } = await checkFile({ path: at, relativePath });
      checked.push(fileOf(name, { path: source.path, sizeBytes: source.sizeBytes, modifiedMs: null }));
    }
    const destination = { dataset: 'Books', origin: this.faulty.target.baseUrl.origin };
    const batch = checked.length > 1 ? { label: 'books', folder: null } : null;
    const run = `run ${++this.#runs}`;
    await this.tasks.serving.queue({ destination, run, batch, skipped: {}, files: checked });
  }

  /**
   * Imports files and skips up to two pauses. Resolves when all imports have ended, at the third pause, or at a pause
   * that only the user can end.
   */
  async import(files: Readonly<Record<string, string | Uint8Array>> = { 'a.txt': 'some text\n' }): Promise<void> {
    await this.queue(files);
    await this.toEnd();
  }

  async toEnd(): Promise<void> {
    for (let pauses = 1; ; pauses++) {
      await until(async () => !(await this.#isSending()) && ((await this.#hasEnded()) || this.pauseMs > 0));
      if ((await this.#hasEnded()) || pauses === 3 || this.pauseMs === Number.POSITIVE_INFINITY) return;
      this.stores.clock.advance(this.pauseMs);
      await this.tasks.serving.turn();
    }
  }

  /** How much longer the pause lasts: Infinity if only the user can end it, and 0 if there is no pause. */
  get pauseMs(): number {
    const [destination] = this.tasks.serving.destinations;
    const pause = destination && this.tasks.serving.pauseOf(destination.id);
    if (!pause) return 0;
    return pause.untilMs === null ? Number.POSITIVE_INFINITY : Math.max(0, pause.untilMs - this.stores.clock.now());
  }

  /** How an import ended, or why it is still queued, as one line of text. */
  async end(name = 'a.txt'): Promise<string> {
    const row = (await this.rows()).find((one) => one.name === name) ?? (await this.row());
    const { state, import: last } = row;
    const [destination] = this.tasks.serving.destinations;
    const pause = state === 'queued' && destination ? this.tasks.serving.pauseOf(destination.id) : null;
    if (pause) return `${pause.reason}: ${formatted(pause.cause ?? null)}`;
    return last.outcome === 'accepted' ? 'accepted' : `${last.outcome}: ${formatted(last.cause)}`;
  }

  /** Closes the window, and asserts that no row or file contains the key. */
  async [Symbol.asyncDispose](): Promise<void> {
    const rows = await this.rows().catch(() => []);
    await this.tasks.serving.stop();
    const files = filesUnder(path.dirname(this.stores.path));
    await this.faulty[Symbol.asyncDispose]();
    await this.#files[Symbol.asyncDispose]();
    await this.stores[Symbol.asyncDispose]();
    assertKeyIsMasked([rows, files]);
  }

  async #isSending(): Promise<boolean> {
    return (await this.rows()).some(({ state }) => state === 'sending');
  }

  async #hasEnded(): Promise<boolean> {
    return (await this.rows()).every(({ state }) => state !== 'queued' && state !== 'sending');
  }
}

type FindTarget = (window: ImportWindow) => Promise<Target>;

function formatted(cause: Cause | null): string {
  if (cause === null) return 'none';
  const { name, reason, status, code, message } = cause;
  if (name !== 'Rejected') return `${name}${reason === undefined ? '' : ` ${reason}`}`;
  if (cause['by'] === 'redirect') return `rejected: ${status} to ${cause['target']}`;
  if (cause['by'] === 'status') return `rejected: ${status}: ${cause['excerpt']}`;
  return `rejected: ${status}, code ${code}: ${message}`;
}

function filesUnder(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name)));
}
