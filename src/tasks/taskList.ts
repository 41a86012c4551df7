import { EventEmitter } from 'node:events';
import type { Moment, TaskChange, TaskStore } from './taskStore';
import type { NewTask, TrackedTask } from './trackedTask';

/** How much of a file has been handed to the network. */
export interface SendingProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** What changed: single tasks that are still there, or which tasks there are. */
export type ListChange = { readonly kind: 'tasks'; readonly tasks: readonly TrackedTask[] } | { readonly kind: 'list' };

/**
 * The tracked tasks as this window knows them: the model behind the tree. Reads the store at first need, writes every
 * change through to it, and takes in what other windows did.
 */
export class TaskList {
  readonly events = new EventEmitter<{ change: [ListChange]; unsaved: [unknown] }>();
  readonly #store: TaskStore;
  readonly #tasks = new Map<number, TrackedTask>();
  readonly #progress = new Map<number, SendingProgress>();
  readonly #unsaved = new Map<number, TaskChange>();
  /** Up to when the store's changes are known. */
  #known: Moment | undefined;
  #syncing: Promise<void> | undefined;

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /** All tasks, newest first. */
  get tasks(): readonly TrackedTask[] {
    return [...this.#tasks.values()].sort((a, b) => b.createdMs - a.createdMs || b.key - a.key);
  }

  /** The task with this key, as it is now. */
  get(key: number): TrackedTask | undefined {
    return this.#tasks.get(key);
  }

  /** How far the sending of a task is; undefined where this window is not sending it. */
  progress(key: number): SendingProgress | undefined {
    return this.#progress.get(key);
  }

  /** Resolves once the tasks were read from the store. @throws StoreError */
  loaded(): Promise<void> {
    return this.#known !== undefined ? Promise.resolve() : this.sync();
  }

  /** Takes in what any window changed, and saves what could not be saved before. @throws StoreError */
  sync(): Promise<void> {
    this.#syncing ??= this.#takeNews().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  /** Begins to track tasks. They are in the store before this resolves. @throws StoreError */
  async add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    // What is known of the store tells later that it was begun anew.
    await this.loaded();
    const added = await this.#store.add(tasks);
    for (const task of added) this.#tasks.set(task.key, task);
    this.events.emit('change', { kind: 'list' });
    return added;
  }

  /**
   * Changes a task. Shown at once; where the store fails the change is kept, told by the event `unsaved`, and saved
   * again with the next sync. A task that is no longer tracked stays so.
   */
  async change(key: number, change: TaskChange): Promise<void> {
    const task = this.#tasks.get(key);
    if (task === undefined) return;
    const changed = { ...task, ...change };
    this.#tasks.set(key, changed);
    this.#unsaved.set(key, { ...this.#unsaved.get(key), ...change });
    this.#progress.delete(key);
    this.events.emit('change', { kind: 'tasks', tasks: [changed] });
    await this.#save(key).catch((error: unknown) => this.events.emit('unsaved', error));
  }

  /** Shows how far the sending is, by whole percents; kept in memory only. */
  setProgress(key: number, progress: SendingProgress): void {
    const task = this.#tasks.get(key);
    const before = this.#progress.get(key);
    this.#progress.set(key, progress);
    if (task === undefined || (before !== undefined && percent(before) === percent(progress))) return;
    this.events.emit('change', { kind: 'tasks', tasks: [task] });
  }

  /** Stops tracking tasks; the service keeps them. @throws StoreError */
  async remove(keys: readonly number[]): Promise<void> {
    await this.#store.remove(keys);
    for (const key of keys) this.#forget(key);
    this.events.emit('change', { kind: 'list' });
  }

  /** Tells other windows that this one is alive and sending these tasks. @throws StoreError */
  renewLeases(keys: Iterable<number>): Promise<void> {
    return this.#store.renewLeases(keys);
  }

  async #save(key: number): Promise<void> {
    const unsaved = this.#unsaved.get(key);
    if (unsaved === undefined) return;
    await this.#store.save(key, unsaved);
    if (this.#unsaved.get(key) === unsaved) this.#unsaved.delete(key);
  }

  async #takeNews(): Promise<void> {
    for (const key of [...this.#unsaved.keys()]) await this.#save(key);
    let news = await this.#store.newsSince(this.#known);
    if (this.#known !== undefined && news.upTo.store !== this.#known.store) {
      // The store was set aside and another one begun: what this window knows must not be lost with it.
      await this.#store.restore([...this.#tasks.values()]);
      news = await this.#store.newsSince(this.#known);
    }
    this.#known = news.upTo;
    const changed = news.changed.filter((task) => !this.#unsaved.has(task.key) && !this.#knows(task));
    const gone = [...this.#tasks.keys()].filter((key) => !news.keys.has(key));
    const isNew = changed.some((task) => !this.#tasks.has(task.key));
    for (const task of changed) this.#tasks.set(task.key, task);
    for (const key of gone) this.#forget(key);
    if (isNew || gone.length > 0) this.events.emit('change', { kind: 'list' });
    else if (changed.length > 0) this.events.emit('change', { kind: 'tasks', tasks: changed });
  }

  #forget(key: number): void {
    this.#tasks.delete(key);
    this.#progress.delete(key);
    this.#unsaved.delete(key);
  }

  #knows(task: TrackedTask): boolean {
    return JSON.stringify(this.#tasks.get(task.key)) === JSON.stringify(task);
  }
}

function percent({ sentBytes, totalBytes }: SendingProgress): number {
  return Math.floor((100 * sentBytes) / totalBytes);
}
