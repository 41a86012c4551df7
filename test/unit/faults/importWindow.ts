import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ImportService } from '../../../src/service/importService';
import type { Target } from '../../../src/service/request/requests';
import { thisWindow } from '../../../src/tasks/leases/windowLease';
import { readRow } from '../../../src/tasks/rows/taskRow';
import { type CheckedSource, checkFile } from '../../../src/tasks/sending/checkedSource';
import { Gates } from '../../../src/tasks/sending/gate';
import { Sources } from '../../../src/tasks/sending/sources';
import { ImportQueue } from '../../../src/tasks/serving/importQueue';
import type { ImportRun } from '../../../src/tasks/serving/importRun';
import type { ServingWindow } from '../../../src/tasks/serving/servingWindow';
import { storeHere } from '../../../src/tasks/store/store';
import { TASK_SCHEMA } from '../../../src/tasks/store/taskSchema';
import type { Responses, TrackedTask } from '../../../src/tasks/trackedTask';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { TemporaryFiles } from '../service/temporaryFiles';
import { servingOf, takeTurn } from '../tasks/editorWindow';
import { HandClock } from '../tasks/handClock';
import { sharedFiles } from '../tasks/sharedFiles';
import { StoredList, TemporaryStore } from '../tasks/temporaryStore';
import { until } from '../tasks/until';
import type { Fault } from './faults';
import { FaultyService } from './faultyService';

/** What a window may differ in from an ordinary one. */
export interface Ways {
  readonly findTarget?: (window: ImportWindow) => Promise<Target | undefined>;
  /** How many imports may be under way at once; one where it is not said. */
  readonly allowed?: number;
  /** How long a store that is held is waited for; a moment where it is not said. */
  readonly patienceMs?: number;
  /** The store of a window before this one. */
  readonly store?: TemporaryStore;
}

/** A window of the editor that imports into a dataset with a fault: queue, store and sockets are real, its clock is ours. */
export class ImportWindow {
  readonly faulty: FaultyService;
  readonly store: TemporaryStore;
  /** Not in the store's folder, as what is imported may hold anything. */
  readonly files: TemporaryFiles;
  readonly clock = new HandClock();
  readonly file;
  readonly list: StoredList;
  readonly serving: ServingWindow;
  readonly queue: ImportQueue;
  /** Why changes could not be saved, or imports not be begun. */
  readonly storeTroubles: unknown[] = [];

  private constructor(faulty: FaultyService, store: TemporaryStore, files: TemporaryFiles, ways: Ways) {
    this.faulty = faulty;
    this.store = store;
    this.files = files;
    this.file = store.file(TASK_SCHEMA, ways.patienceMs ?? 100);
    this.list = new StoredList(storeHere(this.file, thisWindow(), this.clock), store.path);
    this.serving = servingOf(this.list, this.clock);
    this.queue = new ImportQueue({
      service: this.service,
      list: this.list,
      serving: this.serving,
      gates: new Gates(this.clock, () => ways.allowed ?? 1),
      sources: new Sources(store.texts, sharedFiles),
      clock: this.clock,
      findTarget: () => ways.findTarget?.(this) ?? Promise.resolve(faulty.target),
    });
    this.list.events.on('unsaved', (error) => this.storeTroubles.push(error));
    this.queue.events.on('unrecorded', (error) => this.storeTroubles.push(error));
  }

  static async open(fault: Fault, ways: Ways = {}): Promise<ImportWindow> {
    const faulty = await FaultyService.start(fault);
    return new ImportWindow(faulty, ways.store ?? (await TemporaryStore.make()), await TemporaryFiles.make(), ways);
  }

  get service(): ImportService {
    return this.faulty.service;
  }

  /** How many POSTs arrived. */
  get posts(): number {
    return this.faulty.server.posts;
  }

  /** The only task, as this window knows it. */
  get task(): TrackedTask {
    return theOnly(this.list.held);
  }

  /** The tasks as they stand in SQLite, in the order in which they were added; read by a connection of its own. */
  get stored(): TrackedTask[] {
    const db = new DatabaseSync(this.store.path, { readOnly: true });
    try {
      return db.prepare('SELECT * FROM tasks ORDER BY key').all().map(readRow);
    } finally {
      db.close();
    }
  }

  /** What the service answered about a task, as it stands in SQLite. */
  responses({ key }: TrackedTask): Promise<Responses> {
    return this.list.history.responses(key);
  }

  /** Writes a file and looks at it, as is done before an import. */
  async check(name = 'a.txt', content: string | Uint8Array = 'some text\n'): Promise<CheckedSource> {
    const { path: file, relativePath } = await this.files.write(name, content);
    return checkFile(file, relativePath);
  }

  /** Queues files; a short one where none is given. */
  async add(...sources: readonly CheckedSource[]): Promise<ImportRun> {
    return this.queue.add(sources.length > 0 ? sources : [await this.check()], 'Books');
  }

  /** Imports files as {@link toEnd} does. */
  async import(...sources: readonly CheckedSource[]): Promise<ImportRun> {
    const run = await this.add(...sources);
    await this.toEnd(run);
    return run;
  }

  /** What a window does once a second: reads what the others have written, and takes what is free. */
  takeTurn(): Promise<void> {
    return takeTurn(this);
  }

  /** Lets two pauses pass; resolves once all imports of a run have ended, or wait for the third time or for a person. */
  async toEnd(run: ImportRun): Promise<void> {
    for (let pauses = 1; !run.hasEnded; pauses++) {
      await until(async () => {
        // While the store is locked, a turn fails.
        await this.takeTurn().catch(() => {});
        return run.hasEnded || (this.pauseMs > 0 && this.list.held.every(({ phase }) => phase.kind !== 'sending'));
      });
      if (run.hasEnded) break;
      if (pauses === 3 || !Number.isFinite(this.pauseMs)) return;
      this.clock.advance(this.pauseMs);
    }
    await until(() => this.queue.progress === undefined);
  }

  /** How long nothing new begins. */
  get pauseMs(): number {
    return Math.max(0, (this.queue.progress?.pause?.untilMs ?? 0) - this.clock.monotonicMs());
  }

  /** The key must be nowhere: not in memory, nor in a file, nor in what is told. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.queue.dispose();
    const kept = [this.list.held, this.storeTroubles, filesUnder(this.store.files.folder)];
    await this.faulty[Symbol.asyncDispose]();
    await this.files[Symbol.asyncDispose]();
    await this.store[Symbol.asyncDispose]();
    assertKeyIsMasked(kept);
  }
}

function filesUnder(folder: string): Buffer[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(path.join(parentPath, name)));
}

/** The one that there is. */
export function theOnly<T>(all: readonly T[]): T {
  const [first, ...others] = all;
  if (first === undefined || others.length > 0) throw new Error(`There are ${all.length}, not one.`);
  return first;
}
