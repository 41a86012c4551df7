import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { ImportStoreCalls } from '../../../../src/tasks/store/importStoreProgram';
import { perform, threadState } from '../../../../src/tasks/store/importStoreProgram';
import type { FileRow, Filter, NewImport, ServeRequest } from '../../../../src/tasks/store/model';
import { reasonOf, refresh } from '../../../../src/tasks/store/rows';
import { MIGRATIONS } from '../../../../src/tasks/store/schema';
import { Transactions } from '../../../../src/tasks/store/transactions';
import { Tx } from '../../../../src/tasks/store/tx';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { HandClock } from '../handClock';
import { accepted, contentOf, fileOf, MANUALS, requestOf } from './storeRequests';

/** Options for a test window. */
export interface WindowSetup {
  readonly migrations?: readonly string[];
  /** With {@link CLOSED_PID}, other windows consider this window closed. */
  readonly pid?: number;
}

/** A process ID that is never in use. */
export const CLOSED_PID = 2 ** 31 - 1;

/** A window with its own connection to the database file. */
export interface TestWindow extends ImportStoreCalls {
  readonly id: string;
  /** Returns an ID for an upload attempt by this window: the window's ID followed by `name`. */
  attempt(name: string): string;
  /** Closes the connection, as if the process had ended. */
  close(): Promise<void>;
}

/** Windows that share a real database file. */
export class StoreWindows {
  readonly path: string;
  readonly clock = new HandClock();
  readonly asides: string[] = [];
  readonly #files: TemporaryFiles;
  readonly #opened: Transactions[] = [];

  private constructor(files: TemporaryFiles) {
    this.#files = files;
    this.path = files.at('storage/imports.sqlite').path;
  }

  static async make(): Promise<StoreWindows> {
    return new StoreWindows(await TemporaryFiles.make());
  }

  open(id: string, { migrations = MIGRATIONS, pid = process.pid }: WindowSetup = {}): TestWindow {
    const window = { id, machine: 'here', pid };
    const onSetAside = (aside: string) => this.asides.push(aside);
    const setup = { path: this.path, migrations, lockTimeoutMs: 100, onSetAside };
    const transactions = new Transactions(setup, threadState(window, this.clock, migrations.length));
    this.#opened.push(transactions);
    const own: Partial<TestWindow> = { id, attempt: (name) => `${id} ${name}`, close: () => transactions.close() };
    return new Proxy(own as TestWindow, {
      get: (target, name) => {
        if (name in target || name === 'then') return target[name as keyof TestWindow];
        return (argument: unknown) => perform(transactions, String(name), argument);
      },
    });
  }

  /** Reads or changes the file behind the windows' backs. */
  sql<Row = Record<string, unknown>>(sql: string): Row[] {
    const db = new DatabaseSync(this.path);
    try {
      return db.prepare(sql).all() as Row[];
    } finally {
      db.close();
    }
  }

  /** How many transactions have changed the file, according to the change counter in its header. */
  commits(): number {
    return readFileSync(this.path).readUInt32BE(24);
  }

  /** Checks that the computed columns are up to date: `refresh` must not change them. */
  checkRows(): void {
    const db = new DatabaseSync(this.path);
    try {
      db.function('reason_of', { varargs: true }, (...args) => reasonOf(...(args as Parameters<typeof reasonOf>)));
      const select = 'SELECT id, state, rank, unfinished, reason FROM files ORDER BY id';
      const stored = db.prepare(select).all();
      db.exec('BEGIN');
      const tx = new Tx(db, threadState({ id: '', machine: '', pid: 0 }, this.clock, 1));
      refresh(
        tx,
        stored.map(({ id }) => Number(id)),
      );
      assert.deepEqual(db.prepare(select).all(), stored);
      db.exec('ROLLBACK');
    } finally {
      db.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const transactions of this.#opened) await transactions.close();
    await this.#files[Symbol.asyncDispose]();
  }
}

/** The names of the rows that match a filter, in list order. */
export async function namesIn(window: TestWindow, filter: Filter = {}, newestFirst = false): Promise<string[]> {
  const { rows } = await window.page({ filter, limit: 9, newestFirst });
  return rows.map(({ name }) => name);
}

/** Finds a row by its file name. */
export async function rowNamed(window: TestWindow, name: string): Promise<FileRow> {
  const { rows } = await window.page({ filter: {}, limit: 1000 });
  const row = rows.find((one) => one.name === name);
  assert.ok(row, `no row ${name}`);
  return row;
}

/** Queues a file in a window and marks it as being sent by that window. */
export async function beginOne(
  window: TestWindow,
  name: string,
  { attempt = name, ...facts }: Partial<NewImport> & { readonly attempt?: string } = {},
): Promise<{ readonly import: number; readonly attempt: string }> {
  const queued = await window.queue(requestOf(`run of ${attempt}`, [fileOf(name, facts)]));
  const [id] = queued.imports;
  assert.ok(id, 'not queued');
  const upload = { import: id, attempt: window.attempt(attempt) };
  assert.deepEqual(await window.begin([upload]), [upload.attempt], 'not marked');
  return upload;
}

/**
 * Lets a window claim the destinations that it can serve. Returns the store's result, plus the number of unconfirmed
 * rows.
 */
export async function serve(window: TestWindow, { able = [MANUALS], checking = [] }: Partial<ServeRequest> = {}) {
  const served = await window.serve({ able, checking });
  const { unconfirmed = 0 } = (await window.counts(null)).states;
  return { ...served, unconfirmed };
}

/** Simulates an accepted upload for which the service returns these task IDs. */
export async function acceptedOne(window: TestWindow, name: string, ids: readonly string[] = [`t-${name}`]) {
  const upload = await beginOne(window, name);
  const taskIds = ids.map((id) => typedTaskId(id, 'string'));
  await window.end(accepted(upload.attempt, undefined, { taskIds, content: contentOf(`sha-${name}`) }));
  return upload;
}

/** The store of the current test. Set by {@link beforeEachPair}. */
export let windows: StoreWindows;
/** Two windows of {@link windows}. */
export let a: TestWindow;
export let b: TestWindow;

/** Creates a store with two windows for each test, and closes them afterward. */
export function beforeEachPair(): void {
  beforeEach(async () => {
    windows = await StoreWindows.make();
    [a, b] = [windows.open('A'), windows.open('B')];
  });
  afterEach(() => windows[Symbol.asyncDispose]());
}
