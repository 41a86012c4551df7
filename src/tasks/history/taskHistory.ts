import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import type { Destination } from '../destination';
import { PROBLEMS } from '../rows/listedFacts';
import { type BatchRun, readRuns } from '../rows/runs';
import { noteSkipped, type Skipped } from '../rows/skipped';
import { AMONG, keysOf, listOf, readResponses, selectTasks } from '../rows/taskTable';
import { readTimeline, type TimelineEntry } from '../rows/timeline';
import type { Batch, Responses, TaskState, TrackedTask } from '../trackedTask';
import { type BatchPage, readBatchPage } from './batchPage';
import { type BatchSummary, readBatchSummary } from './batchSummary';
import { FILES_AT, type KnownFile, readFilesAt, readFoldersOf, readPathsIn, readPathsOf } from './filesAt';
import { type Group, type GroupBy, readGroups } from './groups';
import { type Page, type PageQuery, readPage } from './page';
import { readCounts } from './taskCounts';
import type { TaskFilter } from './taskFilter';
import { NEWEST, readTopLevel, type TaskPlace, type TopLevelPage } from './topLevel';

/** A task with what the service responded about it. */
export interface TaskWithResponses {
  readonly task: TrackedTask;
  readonly responses: Responses;
}

const OF_FILES = `WHERE ${FILES_AT} ORDER BY key`;

/**
 * All tracked tasks, as they are in the store, of which a window holds only few: read when they are shown or looked for.
 * All that goes in and out is plain data. Every method rejects with StoreError.
 */
export class TaskHistory {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** What the service responded about a task. Rejects if a lock stays: a status check goes on without it. */
  responses(key: number): Promise<Responses> {
    return this.#file.tryRead((db) => readResponses(db, key));
  }

  /** What happened to a task, the first event first. */
  timeline(key: number): Promise<readonly TimelineEntry[]> {
    return this.#file.read((db) => readTimeline(db, key));
  }

  /** The tasks with these keys that are tracked, in no order. Rejects if a lock stays. */
  tasks(keys: readonly number[]): Promise<readonly TrackedTask[]> {
    return this.#file.tryRead((db) => selectTasks(db, `WHERE ${AMONG}`, listOf(keys)));
  }

  /** The tasks of these files at a destination, the newest of each. */
  async ofFiles(destination: Destination, paths: readonly string[]): Promise<readonly TrackedTask[]> {
    const [dataset, origin] = [JSON.stringify(destination.dataset), destination.origin ?? null];
    const tasks = await this.#file.read((db) => selectTasks(db, OF_FILES, JSON.stringify(paths), dataset, origin));
    const ofFiles = tasks.filter(({ source }) => source?.from === 'disk');
    return [...new Map(ofFiles.map((task) => [task.source?.path, task])).values()];
  }

  /** What is known of these paths at a destination. */
  filesAt(destination: Destination, paths: readonly string[]): Promise<readonly KnownFile[]> {
    return this.#file.read((db) => readFilesAt(db, destination, paths));
  }

  /** The next paths of files in a folder that a destination has, or may have. The folder ends with a separator. */
  pathsIn(destination: Destination, folder: string, limit: number, after = ''): Promise<readonly string[]> {
    return this.#file.read((db) => readPathsIn(db, destination, folder, { after, limit }));
  }

  /** The next paths of all files that have a row at a destination, or that it has received. */
  pathsOf(destination: Destination, limit: number, after = ''): Promise<readonly string[]> {
    return this.#file.scan((db) => readPathsOf(db, destination, limit, after));
  }

  /** The folders that were imported to a destination as such. */
  foldersOf(destination: Destination): Promise<readonly string[]> {
    return this.#file.scan((db) => readFoldersOf(db, destination));
  }

  /** Those of these batches that there are. */
  batches(ids: readonly string[]): Promise<readonly Batch[]> {
    return this.#file.read((db) =>
      ids.flatMap((id) => selectTasks(db, 'WHERE batch_id = ? LIMIT 1', id)[0]?.batch ?? []),
    );
  }

  /** A page of a group, or of all. */
  page(query: PageQuery): Promise<Page> {
    return this.#file.scan((db) => readPage(db, query));
  }

  /** The keys of all tasks in a state, the newest first. */
  keysInState(state: TaskState): Promise<readonly number[]> {
    return this.#file.scan((db) => keysOf(prepared(db, IN_STATE).all(state)));
  }

  /** The states that tasks have, without those of tasks that are only followed: every window holds these. */
  lastingStates(): Promise<readonly TaskState[]> {
    return this.#file.scan(readLastingStates);
  }

  /** How many tasks need a person. */
  problems(): Promise<number> {
    return this.#file.read((db) => Number(prepared(db, PROBLEM_COUNT).get()?.['count']));
  }

  /** All groups that hold a task, with the number of tasks in each state. */
  groups(by: GroupBy, filter: TaskFilter = {}): Promise<readonly Group[]> {
    return this.#file.scan((db) => readGroups(db, by, filter));
  }

  /** The first level of the view, newest first: batches, each at the place of its newest task, and tasks of none. */
  topLevel(limit: number, after?: TaskPlace): Promise<TopLevelPage> {
    return this.#file.read((db) => readTopLevel(db, limit, after));
  }

  /** What the row of a batch says of its tasks that fit; undefined where none is tracked. */
  batch(id: string, filter: TaskFilter = {}): Promise<BatchSummary | undefined> {
    return this.#file.scan((db) => readBatchSummary(db, id, filter));
  }

  /** The runs of a batch, the newest first. */
  runs(batchId: string): Promise<readonly BatchRun[]> {
    return this.#file.scan((db) => readRuns(db, batchId));
  }

  /** What a page about a batch shows; undefined where none of its tasks is tracked. `nowMs` is now. */
  batchPage(id: string, nowMs: number): Promise<BatchPage | undefined> {
    return this.#file.scan((db) => readBatchPage(db, id, nowMs));
  }

  /** Notes what the newest import of a batch left out. */
  async noteSkipped(batchId: string, skipped: readonly Skipped[]): Promise<void> {
    await this.#file.write((db) => noteSkipped(db, batchId, skipped));
  }

  /** The next tasks behind a place in the order of their time, the newest first. */
  olderThan(count: number, { createdMs, key }: TaskPlace = NEWEST): Promise<readonly TrackedTask[]> {
    return this.#file.read((db) => selectTasks(db, NEXT, createdMs, key, count));
  }

  /** These tasks with their responses, read in one step: so few that they fit. */
  withResponses(tasks: readonly TrackedTask[]): Promise<TaskWithResponses[]> {
    return this.#file.read((db) => tasks.map((task) => ({ task, responses: readResponses(db, task.key) })));
  }

  /** The keys of the tasks that may have one of these IDs, as they are in JSON: as the first of several it is certain. */
  keysById(ids: readonly string[]): Promise<readonly number[]> {
    return this.#file.scan((db) => readKeysById(db, ids));
  }

  /** The files of the texts that may still be sent. */
  textFiles(): Promise<readonly string[]> {
    return this.#file.scan((db) =>
      prepared(db, TEXT_FILES)
        .all()
        .map(({ file }) => String(file)),
    );
  }
}

function readLastingStates(db: DatabaseSync): TaskState[] {
  const lasting: readonly TaskState[] = [...PROBLEMS, 'succeeded'];
  return [...new Set(readCounts(db, { states: lasting }).map(({ state }) => state))];
}

/** Rows that are looked at in one statement, which other windows wait for. */
const ROWS_AT_ONCE = 2000;

/** The IDs of several tasks of one file are looked for in their JSON. */
function readKeysById(db: DatabaseSync, ids: readonly string[]): number[] {
  const found = keysOf(prepared(db, `SELECT key FROM tasks WHERE task_id IN ${IN_LIST}`).all(JSON.stringify(ids)));
  const texts = JSON.stringify(ids.map((id) => JSON.stringify(id)));
  let last = 0;
  for (;;) {
    const rows = prepared(db, SEVERAL).all(texts, last, ROWS_AT_ONCE);
    found.push(...keysOf(rows.filter(({ fits }) => fits === 1)));
    const next = keysOf(rows).at(-1);
    if (next === undefined) return [...new Set(found)];
    last = next;
  }
}

const IN_STATE = 'SELECT key FROM tasks WHERE state = ? ORDER BY created_ms DESC, key DESC';

const PROBLEM_COUNT = 'SELECT sum(count) AS count FROM counts WHERE problem = 1';

const IN_LIST = '(SELECT value FROM json_each(?))';

const SEVERAL = `SELECT key, EXISTS (SELECT 1 FROM json_each(?) WHERE instr(phase, value)) AS fits
  FROM tasks WHERE several = 1 AND key > ? ORDER BY key LIMIT ?`;

const TEXT_FILES = `SELECT source ->> 'textFile' AS file FROM tasks
  WHERE state IN ('queued', 'sending', 'notSent', 'rejected', 'unconfirmed')
    AND instr(source, '"textFile"')`;

const NEXT = 'WHERE (created_ms, key) < (?, ?) ORDER BY created_ms DESC, key DESC LIMIT ?';
