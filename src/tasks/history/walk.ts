import { untilUnlocked } from '../database/storeError';
import type { TrackedTask } from '../trackedTask';
import type { GroupOf, PageQuery } from './page';
import type { TaskFilter } from './taskFilter';
import type { TaskHistory } from './taskHistory';

/** Max tasks that are read at once: the extension host takes about 5 ms for them. */
const TASKS_AT_ONCE = 200;

/** Max tasks of a commit: the store takes about 30 ms for them, in which other windows wait. */
export const WRITTEN_AT_ONCE = 800;

/** All that is tracked, as a window reads it. */
export type History = Pick<TaskHistory, keyof TaskHistory>;

/** The tasks with these keys that are tracked, in this order. @throws StoreError */
export function readTasks(history: History, keys: readonly number[]): Promise<readonly TrackedTask[]> {
  return untilUnlocked(() => tryReadTasks(history, keys));
}

/** The same, but rejects if a lock stays. @throws StoreError */
export async function tryReadTasks(history: History, keys: readonly number[]): Promise<readonly TrackedTask[]> {
  const found = new Map<number, TrackedTask>();
  for (const some of partsOfList(keys)) for (const task of await history.tasks(some)) found.set(task.key, task);
  return keys.flatMap((key) => found.get(key) ?? []);
}

/** All tasks of a group that fit, in the order in which they were queued. @throws StoreError */
export async function tasksOfGroup(
  history: History,
  group: GroupOf,
  filter: TaskFilter = {},
): Promise<readonly TrackedTask[]> {
  const tasks: TrackedTask[] = [];
  for await (const some of pagesOf(history, { group, filter })) tasks.push(...some);
  return tasks.sort((one, other) => one.key - other.key);
}

/** All pages of a group, or of all, one after the other. @throws StoreError */
export async function* pagesOf(
  history: History,
  query: Omit<PageQuery, 'limit' | 'after'>,
): AsyncGenerator<readonly TrackedTask[]> {
  const whole = { ...query, limit: TASKS_AT_ONCE };
  let page = await history.page(whole);
  yield page.tasks;
  while (page.end !== undefined) {
    page = await history.page({ ...whole, after: page.end });
    yield page.tasks;
  }
}

/** All tasks, the newest first, some at a time; of one dataset, where it is given. @throws StoreError */
export async function* newestFirst(history: History, dataset?: string): AsyncGenerator<readonly TrackedTask[]> {
  const next = (last?: readonly TrackedTask[]) => history.olderThan(TASKS_AT_ONCE, last?.at(-1));
  for (let tasks = await next(); ; tasks = await next(tasks)) {
    if (tasks.length === 0) return;
    const wanted = dataset === undefined ? tasks : tasks.filter((task) => task.dataset === dataset);
    if (wanted.length > 0) yield wanted;
  }
}

/** The tasks that fit, the newest first; at most `count`. @throws StoreError */
export async function newestTasks(
  history: History,
  fits: (task: TrackedTask) => boolean,
  count: number,
): Promise<readonly TrackedTask[]> {
  const found: TrackedTask[] = [];
  for await (const tasks of newestFirst(history)) {
    found.push(...tasks.filter(fits));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

/** The newest task that fits. @throws StoreError */
export async function newestTask(
  history: History,
  fits: (task: TrackedTask) => boolean,
): Promise<TrackedTask | undefined> {
  const [found] = await newestTasks(history, fits, 1);
  return found;
}

/** The tasks that may have one of these IDs, as they are in JSON: as the first of several it is certain. @throws StoreError */
export async function tasksById(history: History, ids: readonly string[]): Promise<readonly TrackedTask[]> {
  return readTasks(history, await history.keysById(ids));
}

/** A list in parts, each of which the store and the extension host are done with within a few milliseconds. */
export function* partsOfList<Item>(items: readonly Item[], size = TASKS_AT_ONCE): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
