import type { TrackedTask } from '../trackedTask';
import type { KeyedUpdate, TaskChange, TaskStore, TaskUpdate } from './taskStore';

/** Updates that the store could not take, in the order in which they were made, until they are saved. */
export class UnsavedUpdates {
  readonly #store: TaskStore;
  readonly #updates = new Map<number, readonly TaskUpdate[]>();

  constructor(store: TaskStore) {
    this.#store = store;
  }

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
    return updates.flatMap(([key, update]) => {
      const task = taskOf(key);
      const change = task && update(task);
      if (task === undefined || change === undefined) return [];
      this.#updates.set(key, [...(this.#updates.get(key) ?? []), update]);
      return [this.#store.changed(task, change)];
    });
  }

  /** Saves the updates of these tasks; returns those that were changed and have no further ones. @throws StoreError */
  async save(keys: readonly number[]): Promise<TrackedTask[]> {
    const saving = new Map(keys.flatMap((key) => [[key, this.#updates.get(key) ?? []] as const]));
    const saved = await this.#store.updateAll(
      [...saving].filter(([, updates]) => updates.length > 0).map(([key, updates]) => [key, this.#inSequence(updates)]),
    );
    // More may have been added meanwhile.
    for (const [key, updates] of saving) if (this.#updates.get(key) === updates) this.#updates.delete(key);
    return saved.filter(({ key }) => !this.#updates.has(key));
  }

  delete(key: number): void {
    this.#updates.delete(key);
  }

  /** One update that makes all of these, each on the result of the one before. */
  #inSequence(updates: readonly TaskUpdate[]): TaskUpdate {
    return (task, responses) => {
      let changes: TaskChange | undefined;
      for (const update of updates) {
        const now = responses && (() => ({ ...responses(), ...changes }));
        const change = update(changes === undefined ? task : this.#store.changed(task, changes), now);
        if (change !== undefined) changes = { ...changes, ...change };
      }
      return changes;
    };
  }
}
