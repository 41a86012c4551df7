import path from 'node:path';
import { SqliteFile } from '../../../src/tasks/database/sqliteFile';
import { newestTasks } from '../../../src/tasks/history/walk';
import { type EditorWindow, thisWindow } from '../../../src/tasks/leases/windowLease';
import { asTracked } from '../../../src/tasks/rows/taskRow';
import { type Store, storeHere } from '../../../src/tasks/store/store';
import { TaskList } from '../../../src/tasks/store/taskList';
import { TASK_SCHEMA } from '../../../src/tasks/store/taskSchema';
import { textsFolder } from '../../../src/tasks/storePath';
import type { Clock } from '../../../src/tasks/timing/clock';
import { type NewTask, newTask, type Responses, type Source, type TrackedTask } from '../../../src/tasks/trackedTask';
import { TemporaryFiles } from '../service/temporaryFiles';

/** A time to tell time from. */
export const NOON = Date.UTC(2026, 0, 31, 12);

/** The tasks as a window knows them, with the store that it reads them from. */
export class StoredList extends TaskList {
  /** `path` is that of the store's file. */
  constructor(
    readonly store: Store,
    readonly path: string,
  ) {
    super(store);
  }
}

/** A store in a folder of its own that is gone when the test is. Each list is a window's own. */
export class TemporaryStore {
  readonly files: TemporaryFiles;
  readonly path: string;
  /** The folder for texts beside it. */
  readonly texts: string;
  /** Where damaged files were set aside, as it was told. */
  readonly asides: string[] = [];
  readonly #opened: SqliteFile[] = [];

  private constructor(files: TemporaryFiles) {
    this.files = files;
    this.path = files.at('storage/tasks.sqlite').path;
    this.texts = textsFolder(path.dirname(this.path));
  }

  static async make(parent?: string): Promise<TemporaryStore> {
    return new TemporaryStore(await TemporaryFiles.make(parent));
  }

  /** The file, as a window opens it. */
  file(schema: string = TASK_SCHEMA, patienceMs?: number): SqliteFile {
    const file = new SqliteFile(this.path, schema, (aside) => this.asides.push(aside), patienceMs);
    this.#opened.push(file);
    return file;
  }

  /** The tasks, as a window knows them. */
  list(now: () => number = () => NOON, patienceMs?: number, window: EditorWindow = thisWindow()): StoredList {
    return new StoredList(this.parts(this.file(TASK_SCHEMA, patienceMs), now, window), this.path);
  }

  /** The operations of a window's store, in the thread of the test. */
  parts(file: SqliteFile = this.file(), now: () => number = () => NOON, window: EditorWindow = thisWindow()) {
    return storeHere(file, window, clockOf(now));
  }

  /** The tasks as a window reads them that has just been opened. */
  async read(now?: () => number): Promise<readonly TrackedTask[]> {
    const list = this.list(now);
    await list.loaded();
    return allTasks(list);
  }

  /** What the service answered about a task. */
  responses(key: number): Promise<Responses> {
    return this.list().history.responses(key);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const file of this.#opened) await file.close();
    await this.files[Symbol.asyncDispose]();
  }
}

/** Tasks as they are read from the store, without what every change there makes another. */
export function withoutRevision<Task extends Pick<TrackedTask, 'revision'>>(tasks: readonly (Task | undefined)[]) {
  return asStored(tasks.map((task) => task && { ...task, revision: undefined }));
}

/** A value as it is read from the store: JSON has no undefined. */
export function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** For a change that expects nothing of its task. */
export const always = () => true;

/** A task under a key, as no store has it. */
export function trackedOf(key: number, facts: Partial<NewTask> = {}): TrackedTask {
  return asTracked(key, taskOf(facts));
}

/** All tracked tasks, newest first, whether the window holds them or not. */
export function allTasks({ history }: TaskList): Promise<readonly TrackedTask[]> {
  return newestTasks(history, () => true, Number.POSITIVE_INFINITY);
}

/** A clock that says the time, and by which as much time passes. */
export function clockOf(now: () => number): Pick<Clock, 'now' | 'monotonicMs'> {
  return { now, monotonicMs: now };
}

/** A window whose process is no more. */
export function goneWindow(): EditorWindow {
  return { ...thisWindow(), pid: 2 ** 31 - 1 };
}

/** An import that a window is sending. */
export const SENDING = { kind: 'sending', attemptId: 'A 1' } as const;

/** A file on disk that a task was made of. */
export function sourceOf(name: string, facts: Partial<Source> = {}): Source {
  return { from: 'disk', path: `/notes/${name}`, relativePath: `notes/${name}`, name, sizeBytes: 12, ...facts };
}

/** A task that was made elsewhere and is followed from here, unless `facts` say otherwise. */
export function taskOf(facts: Partial<NewTask> = {}): NewTask {
  return newTask({ dataset: 'Books', createdMs: NOON, phase: { kind: 'accepted', report: undefined }, ...facts });
}
