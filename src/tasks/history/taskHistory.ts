import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { PROBLEMS, rankOf } from '../rows/listedFacts';
import { readResponses } from '../rows/responses';
import { AMONG, keysOf, listOf, selectTasks } from '../rows/taskTable';
import { readTimeline, type TimelineEntry } from '../rows/timeline';
import type { Responses, Source, TaskState, TrackedTask } from '../trackedTask';
import { type BatchSummary, readBatchSummary } from './batchSummary';
import { type Group, type GroupBy, readGroups } from './groups';
import { type GroupOf, type Page, type PageQuery, readPage } from './page';
import { partsOf } from './scan';
import type { TaskFilter } from './taskFilter';
import { readTopLevel, type TopLevelPage, type TopLevelPlace } from './topLevel';

/** Tasks read before other work of this process runs: about 10 ms. */
const STEP_ROWS = 200;

/** A task with what the service responded about it. */
export interface TaskWithResponses {
  readonly task: TrackedTask;
  readonly responses: Responses;
}

/**
 * All tracked tasks, as they are in the store, of which a window holds only few: read when they are shown or looked for,
 * and never more than a step at a time. Every method rejects with StoreError.
 */
export class TaskHistory {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** What the service responded about a task. */
  responses(key: number): Promise<Responses> {
    return this.#file.read((db) => readResponses(db, key));
  }

  /** What happened to a task, the first event first. */
  timeline(key: number): Promise<readonly TimelineEntry[]> {
    return this.#file.read((db) => readTimeline(db, key));
  }

  /** The tasks with these keys that are tracked, in this order. */
  async tasks(keys: readonly number[]): Promise<readonly TrackedTask[]> {
    const found = new Map<number, TrackedTask>();
    for (let from = 0; from < keys.length; from += STEP_ROWS) {
      const some = listOf(keys.slice(from, from + STEP_ROWS));
      const tasks = await this.#file.read((db) => selectTasks(db, `WHERE ${AMONG}`, some));
      for (const task of tasks) found.set(task.key, task);
    }
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  /** A page of a group, or of all. */
  page(query: PageQuery): Promise<Page> {
    return this.#file.readInSteps((db) => readPage(db, query));
  }

  /** The keys of all tasks in a state, those newest first that are listed at the same rank. */
  keysInState(state: TaskState): Promise<readonly number[]> {
    return this.#file.readInSteps((db) => readKeysInState(db, state));
  }

  /** The states that tasks have, without those of tasks that are only followed: every window holds these. */
  lastingStates(): Promise<readonly TaskState[]> {
    return this.#file.readInSteps(readLastingStates);
  }

  /** All groups that hold a task, with the number of tasks in each state. */
  groups(by: GroupBy, filter: TaskFilter = {}): Promise<readonly Group[]> {
    return this.#file.readInSteps((db) => readGroups(db, by, filter));
  }

  /** The first level of the view, newest first: batches, each at the place of its newest task, and tasks of none. */
  topLevel(limit: number, after?: TopLevelPlace): Promise<TopLevelPage> {
    return this.#file.read((db) => readTopLevel(db, limit, after));
  }

  /** What the row of a batch says of its tasks that fit; undefined where none is tracked. */
  batch(id: string, filter: TaskFilter = {}): Promise<BatchSummary | undefined> {
    return this.#file.readInSteps((db) => readBatchSummary(db, id, filter));
  }

  /** All tasks of a group that fit, in the order in which they were queued. */
  async ofGroup(group: GroupOf, filter: TaskFilter = {}): Promise<readonly TrackedTask[]> {
    const tasks: TrackedTask[] = [];
    for await (const some of this.pages({ group, filter })) tasks.push(...some);
    return tasks.sort((one, other) => one.key - other.key);
  }

  /** All pages of a group, or of all, one after the other. */
  async *pages(query: Omit<PageQuery, 'limit' | 'after'>): AsyncGenerator<readonly TrackedTask[]> {
    const whole = { ...query, limit: STEP_ROWS };
    let page = await this.page(whole);
    yield page.tasks;
    while (page.end !== undefined) {
      page = await this.page({ ...whole, after: page.end });
      yield page.tasks;
    }
  }

  /** The tasks that fit, the newest first; at most `count`. */
  async newest(fits: (task: TrackedTask) => boolean, count: number): Promise<readonly TrackedTask[]> {
    const found: TrackedTask[] = [];
    for await (const tasks of this.newestFirst()) {
      found.push(...tasks.filter(fits));
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  /** The newest task that fits. */
  async find(fits: (task: TrackedTask) => boolean): Promise<TrackedTask | undefined> {
    const [found] = await this.newest(fits, 1);
    return found;
  }

  /** All tasks, the newest first, a step at a time; of one dataset, where it is given. */
  async *newestFirst(dataset?: string): AsyncGenerator<readonly TrackedTask[]> {
    let last: TrackedTask | undefined;
    do {
      const { createdMs = Number.MAX_SAFE_INTEGER, key = Number.MAX_SAFE_INTEGER } = last ?? {};
      const tasks = await this.#file.read((db) => selectTasks(db, NEXT, createdMs, key, STEP_ROWS));
      last = tasks.at(-1);
      const wanted = dataset === undefined ? tasks : tasks.filter((task) => task.dataset === dataset);
      if (wanted.length > 0) yield wanted;
    } while (last !== undefined);
  }

  /** These tasks with their responses, read in one step: so few that they fit. */
  withResponses(tasks: readonly TrackedTask[]): Promise<TaskWithResponses[]> {
    return this.#file.read((db) => tasks.map((task) => ({ task, responses: readResponses(db, task.key) })));
  }

  /** The tasks that may have one of these IDs, as they are in JSON: as the first of several it is certain. */
  async mayHaveId(ids: readonly string[]): Promise<readonly TrackedTask[]> {
    const keys = await this.#file.readInSteps((db) => readKeysById(db, ids));
    return this.tasks(keys);
  }

  /** The tasks that may have been made of the same as any of these, the newest first: by size, or by path where no more is known. */
  async madeOfSame(sources: readonly Pick<Source, 'sizeBytes' | 'path'>[]): Promise<readonly TrackedTask[]> {
    const keys = new Set<number>();
    for (let from = 0; from < sources.length; from += STEP_ROWS) {
      const some = sources.slice(from, from + STEP_ROWS);
      const sizes = JSON.stringify([...new Set(some.map(({ sizeBytes }) => sizeBytes))]);
      const paths = JSON.stringify(some.map(({ path }) => path));
      const rows = await this.#file.read((db) => prepared(db, MADE_OF_SAME).all(sizes, paths));
      for (const key of keysOf(rows)) keys.add(key);
    }
    const tasks = await this.tasks([...keys]);
    return tasks.toSorted((a, b) => b.createdMs - a.createdMs || b.key - a.key);
  }
}

function* readKeysInState(db: DatabaseSync, state: TaskState): Generator<undefined, number[]> {
  const found: number[] = [];
  for (const { table, condition } of partsOf(db, { by: 'rank' })) {
    const keys = `SELECT key FROM ${table} WHERE ${condition.sql} AND state = ?`;
    found.push(...keysOf(prepared(db, keys).all(...condition.values, state)));
    yield;
  }
  return found;
}

/** Looks for one task of each state, as counting them all would read every task. */
function* readLastingStates(db: DatabaseSync): Generator<undefined, TaskState[]> {
  const found: TaskState[] = [];
  for (const state of [...PROBLEMS, 'succeeded', 'unreadable'] as const) {
    if (prepared(db, ONE_IN_STATE).get(rankOf(state), state) !== undefined) found.push(state);
    yield;
  }
  return found;
}

/** The IDs of several tasks of one file are looked for in their JSON. */
function* readKeysById(db: DatabaseSync, ids: readonly string[]): Generator<undefined, number[]> {
  const found = keysOf(prepared(db, `SELECT key FROM tasks WHERE task_id IN ${IN_LIST}`).all(JSON.stringify(ids)));
  const texts = JSON.stringify(ids.map((id) => JSON.stringify(id)));
  let last = 0;
  for (;;) {
    const rows = prepared(db, SEVERAL).all(texts, last, STEP_ROWS);
    found.push(...keysOf(rows.filter(({ fits }) => fits === 1)));
    const next = keysOf(rows).at(-1);
    if (next === undefined) return [...new Set(found)];
    last = next;
    yield;
  }
}

const ONE_IN_STATE = 'SELECT key FROM tasks INDEXED BY tasks_by_rank WHERE rank = ? AND state = ? LIMIT 1';

const IN_LIST = '(SELECT value FROM json_each(?))';

const SEVERAL = `SELECT key, EXISTS (SELECT 1 FROM json_each(?) WHERE instr(phase, value)) AS fits
  FROM tasks WHERE several = 1 AND key > ? ORDER BY key LIMIT ?`;

const NEXT = 'WHERE (created_ms, key) < (?, ?) ORDER BY created_ms DESC, key DESC LIMIT ?';

const MADE_OF_SAME = `SELECT key FROM tasks WHERE sha256 IS NOT NULL AND size_bytes IN ${IN_LIST}
  UNION SELECT key FROM tasks WHERE sha256 IS NULL AND path IN ${IN_LIST}`;
