import type { TrackedTask } from '../trackedTask';
import { changedTask, type TaskChange } from './taskChange';
import type { ExpectedChange } from './taskStore';

/** The change to make to a task as it is in the store; undefined for none. Pure, as it may be called more than once. */
export type TaskUpdate = (task: TrackedTask) => TaskChange | undefined;

export type KeyedUpdate = readonly [key: number, update: TaskUpdate];

/** The changes that updates make to these tasks. */
export function changesOf(
  updates: readonly KeyedUpdate[],
  taskOf: (key: number) => TrackedTask | undefined,
): ExpectedChange[] {
  return updates.flatMap(([key, update]) => {
    const before = taskOf(key);
    const change = before && update(before);
    return before === undefined || change === undefined ? [] : [{ before, change }];
  });
}

/** Updates that the store could not take, in the order in which they were made, until they are saved. */
export class UnsavedUpdates {
  readonly #updates = new Map<number, readonly TaskUpdate[]>();

  get isEmpty(): boolean {
    return this.#updates.size === 0;
  }

  /** The keys of the tasks with unsaved updates. */
  get keys(): readonly number[] {
    return [...this.#updates.keys()];
  }

  has(key: number): boolean {
    return this.#updates.has(key);
  }

  /** Keeps the updates that change a task; returns these tasks as changed. */
  add(updates: readonly KeyedUpdate[], taskOf: (key: number) => TrackedTask | undefined): TrackedTask[] {
    return updates.flatMap(([key, update]) =>
      changesOf([[key, update]], taskOf).map(({ before, change }) => {
        this.#updates.set(key, [...(this.#updates.get(key) ?? []), update]);
        return changedTask(before, change);
      }),
    );
  }

  /** Hands the updates of these tasks to `save`, and forgets them once they are saved; returns which have no further ones. */
  async save<Saved extends { readonly key: number }>(
    keys: readonly number[],
    save: (updates: readonly KeyedUpdate[]) => Promise<readonly Saved[]>,
  ): Promise<Saved[]> {
    const saving = new Map(keys.flatMap((key) => [[key, this.#updates.get(key) ?? []] as const]));
    const updates = [...saving].flatMap(([key, all]): KeyedUpdate[] =>
      all.length === 0 ? [] : [[key, this.#inSequence(all)]],
    );
    const saved = updates.length === 0 ? [] : await save(updates);
    // More may have been added meanwhile.
    for (const [key, all] of saving) if (this.#updates.get(key) === all) this.#updates.delete(key);
    return saved.filter(({ key }) => !this.#updates.has(key));
  }

  delete(key: number): void {
    this.#updates.delete(key);
  }

  /** One update that makes all of these, each on the result of the one before. */
  #inSequence(updates: readonly TaskUpdate[]): TaskUpdate {
    return (task) => {
      let changes: TaskChange | undefined;
      for (const update of updates) {
        const change = update(changes === undefined ? task : changedTask(task, changes));
        if (change !== undefined) changes = { ...changes, ...change };
      }
      return changes;
    };
  }
}
