import { StoreError } from '../database/storeError';
import { partsOfList, tryReadTasks, WRITTEN_AT_ONCE } from '../history/walk';
import { asTracked, taskValues } from '../rows/taskRow';
import type { NewTask, TrackedTask } from '../trackedTask';
import type { Store } from './store';
import { changedTask } from './taskChange';
import { type ExpectedChange, NOT_ADDED, type StoreChanges, type StoreVersion } from './taskStore';
import { changesOf, type KeyedUpdate } from './unsavedUpdates';

/**
 * Writes tasks into the store, part by part, so that other windows can write between them. What was written is known
 * without reading it; where the store's thread ends before it responds, it is read back. Every method @throws StoreError
 */
export class TaskWrites {
  readonly #store: Pick<Store, 'tasks' | 'history'>;

  constructor(store: Pick<Store, 'tasks' | 'history'>) {
    this.#store = store;
  }

  /** Adds tasks in one commit, as {@link TaskStore.add} does. `since` is an earlier version of the store. */
  async add(
    tasks: readonly NewTask[],
    since: StoreVersion | undefined,
    newest?: readonly number[],
  ): Promise<TrackedTask[]> {
    const wanted = tasks.map((task) => asTracked(0, task));
    try {
      const { keys, revision } = await this.#store.tasks.add(tasks, newest);
      return wanted
        .map((task, index) => ({ ...task, key: keys[index] ?? NOT_ADDED, revision }))
        .filter(({ key }) => key !== NOT_ADDED);
    } catch (error) {
      const readKeys = async () => (await changesSince(this.#store, since, () => [])).changed.map(([key]) => key);
      return this.#readBack(readKeys, wanted, error);
    }
  }

  /** Makes those changes that are still expected; returns the changed tasks. */
  async change(changes: readonly ExpectedChange[]): Promise<TrackedTask[]> {
    const changed: TrackedTask[] = [];
    for (const some of partsOfList(changes, WRITTEN_AT_ONCE)) {
      const wanted = some.map(({ before, change }) => changedTask(before, change));
      try {
        const { keys, revision } = await this.#store.tasks.change(some);
        const made = new Set(keys);
        changed.push(...wanted.flatMap((task) => (made.has(task.key) ? { ...task, revision } : [])));
      } catch (error) {
        const keys = wanted.map(({ key }) => key);
        changed.push(...(await this.#readBack(async () => keys, wanted, error)));
      }
    }
    return changed;
  }

  /**
   * Makes updates of tasks as they are in the store. If another window changes a task in between, tries again on what the
   * task is now. A change that is refused on the very revision it read, for instance by the fence, is dropped: it would be
   * refused forever.
   */
  async update(updates: readonly KeyedUpdate[]): Promise<TrackedTask[]> {
    const changed: TrackedTask[] = [];
    const refused = new Map<number, number>();
    for (let left = updates; left.length > 0; ) {
      const keys = left.map(([key]) => key);
      const stored = new Map((await tryReadTasks(this.#store.history, keys)).map((task) => [task.key, task]));
      const changes = changesOf(left, (key) => stored.get(key)).filter(
        ({ before }) => refused.get(before.key) !== before.revision,
      );
      const made = await this.change(changes);
      changed.push(...made);
      for (const { before } of changes) refused.set(before.key, before.revision);
      const again = new Set(changes.map(({ before }) => before.key));
      for (const { key } of made) again.delete(key);
      left = left.filter(([key]) => again.has(key));
    }
    return changed;
  }

  /** Of the tasks with these keys those that are stored as they were to be written. @throws the error where none is */
  async #readBack(
    readKeys: () => Promise<readonly number[]>,
    wanted: readonly TrackedTask[],
    error: unknown,
  ): Promise<TrackedTask[]> {
    if (!(error instanceof StoreError) || error.reason !== 'ended') throw error;
    const stored = Map.groupBy(await tryReadTasks(this.#store.history, await readKeys()), columnsOf);
    const written = wanted.flatMap((task) => stored.get(columnsOf(task))?.shift() ?? []);
    if (written.length === 0) throw error;
    return written;
  }
}

/** What has changed since a version, or all of it where that is not known; `held` are the keys of what the window has. */
export async function changesSince(
  { tasks }: Pick<Store, 'tasks'>,
  version: StoreVersion | undefined,
  held: () => readonly number[],
): Promise<StoreChanges> {
  return (version && (await tasks.changesSince(version))) ?? tasks.allFor(held());
}

/** A task as its row has it, without key and revision. */
function columnsOf(task: TrackedTask): string {
  return JSON.stringify(taskValues(task));
}
