import { StoreError } from '../database/storeError';
import { partsOfList, tryReadTasks, WRITTEN_AT_ONCE } from '../history/walk';
import { asTracked } from '../rows/taskRow';
import type { NewTask, TrackedTask } from '../trackedTask';
import type { Store } from './store';
import { changedTask } from './taskChange';
import { type ExpectedChange, NOT_ADDED, type StoreChanges, type StoreVersion } from './taskStore';
import { changesOf, type KeyedUpdate } from './unsavedUpdates';

/**
 * Writes tasks into the store, part by part, so that other windows can write between them. If the store's thread ends before
 * it responds, a change may or may not have been made: every change can be repeated. Every method @throws StoreError
 */
export class TaskWrites {
  readonly #store: Pick<Store, 'tasks' | 'history'>;

  constructor(store: Pick<Store, 'tasks' | 'history'>) {
    this.#store = store;
  }

  /**
   * Adds tasks in one commit, as {@link TaskStore.add} does. `since` is an earlier version of the store. Adding twice would
   * import texts twice, so if the store's thread ends before it responds, look for what was added since.
   */
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
      if (!(error instanceof StoreError) || error.reason !== 'ended') throw error;
      const { changed } = await changesSince(this.#store, since, () => []);
      const stored = await tryReadTasks(
        this.#store.history,
        changed.map(([key]) => key),
      );
      const added = new Map(stored.map((task) => [originOf(task), task]));
      const found = wanted.flatMap((task) => added.get(originOf(task)) ?? []);
      if (found.length === 0) throw error;
      return found;
    }
  }

  /** Makes those changes that are still expected; returns the changed tasks. */
  async change(changes: readonly ExpectedChange[]): Promise<TrackedTask[]> {
    const changed: TrackedTask[] = [];
    for (const some of partsOfList(changes, WRITTEN_AT_ONCE)) {
      const { keys, revision } = await this.#store.tasks.change(some);
      const made = new Set(keys);
      const after = some.map(({ before, change }) => ({ ...changedTask(before, change), revision }));
      changed.push(...after.filter(({ key }) => made.has(key)));
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
}

/** What has changed since a version, or all of it where that is not known; `held` are the keys of what the window has. */
export async function changesSince(
  { tasks }: Pick<Store, 'tasks'>,
  version: StoreVersion | undefined,
  held: () => readonly number[],
): Promise<StoreChanges> {
  return (version && (await tasks.changesSince(version))) ?? tasks.allFor(held());
}

/** What a task was added for: by which window, when, and for which source or task. */
function originOf({ begunIn, createdMs, dataset, origin, source, taskId }: TrackedTask): string {
  return JSON.stringify([begunIn, createdMs, dataset, origin, source?.path, source?.textFile, taskId]);
}
