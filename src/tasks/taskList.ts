import { EventEmitter } from 'node:events';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Moment, StoreNews, TaskChange, TaskStore } from './taskStore';
import type { NewTask, Phase, TrackedTask } from './trackedTask';

/** How much of a file has been handed to the network. */
export interface SendingProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** What changed: single tasks that are still there, or which tasks there are. */
export type ListChange = { readonly kind: 'tasks'; readonly tasks: readonly TrackedTask[] } | { readonly kind: 'list' };

/** How many tasks are added in one transaction: it blocks the extension host meanwhile. */
const ADDED_AT_ONCE = 500;

/**
 * The tracked tasks as this window knows them: the model behind the tree. Reads the store at first need, writes every
 * change through to it, and takes in what other windows did.
 */
export class TaskList {
  readonly events = new EventEmitter<{
    change: [ListChange];
    /** The store fails, so that changes are kept here alone. Once, until all of them are saved. */
    unsaved: [unknown];
    /** Queued imports of a window that is gone have become this one's to send. */
    adopted: [readonly TrackedTask[]];
  }>();
  readonly #store: TaskStore;
  readonly #tasks = new Map<number, TrackedTask>();
  /** The keys of all tasks, newest first, once they were asked for. */
  #order: readonly number[] | undefined;
  readonly #progress = new Map<number, SendingProgress>();
  readonly #unsaved = new Map<number, TaskChange>();
  #isUnsavedTold = false;
  /** Imports that the store must forget again, as not all of those that belong together could be added. */
  readonly #unwanted = new Set<number>();
  /** What has come from windows that are gone, and is not yet told. */
  #adopted: TrackedTask[] = [];
  /** Up to when the store's changes are known. */
  #known: Moment | undefined;
  #syncing: Promise<void> | undefined;

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /** All tasks, newest first. */
  get tasks(): readonly TrackedTask[] {
    this.#order ??= [...this.#tasks.values()]
      .sort((a, b) => b.createdMs - a.createdMs || b.key - a.key)
      .map(({ key }) => key);
    return this.#order.flatMap((key) => this.#tasks.get(key) ?? []);
  }

  /** The task with this key, as it is now. */
  get(key: number): TrackedTask | undefined {
    return this.#tasks.get(key);
  }

  /** How far the sending of a task is; undefined where this window is not sending it. */
  progress(key: number): SendingProgress | undefined {
    return this.#progress.get(key);
  }

  /** Whether the store does not know yet what this window knows. */
  get hasUnsaved(): boolean {
    return this.#unsaved.size > 0;
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

  /** Begins to track tasks: all of them are in the store before this resolves, or none. @throws StoreError */
  async add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    // What is known of the store tells later that it was begun anew.
    await this.loaded();
    const added: TrackedTask[] = [];
    try {
      for (let at = 0; at < tasks.length; at += ADDED_AT_ONCE) {
        if (at > 0) await immediate();
        const some = await this.#store.add(tasks.slice(at, at + ADDED_AT_ONCE));
        // Known from now on, so that they are not lost where the store is set aside before the rest is added.
        for (const task of some) this.#put(task);
        added.push(...some);
      }
    } catch (error) {
      for (const { key } of added) {
        this.#forget(key);
        this.#unwanted.add(key);
      }
      // Where this fails too it is done with the next sync.
      await this.#removeUnwanted().catch(() => {});
      throw error;
    }
    this.events.emit('change', { kind: 'list' });
    return added;
  }

  /**
   * Marks a queued import as being sent: once this resolves, its bytes may leave. False where it is not this window's
   * to send any more. @throws StoreError
   */
  async begin(key: number): Promise<boolean> {
    // What is not saved yet would be written over it later.
    await this.#save(key);
    if (!(await this.#store.begin(key)) && !(await this.#beginAfterSync(key))) return false;
    this.#take([[key, { phase: { kind: 'sending' } }]]);
    return true;
  }

  /**
   * Puts ended imports that may be sent again, as they are now, back into this window's queue; gives those that are
   * there now. @throws StoreError
   */
  async requeue(keys: readonly number[], maySend: (phase: Phase) => boolean): Promise<TrackedTask[]> {
    await this.sync();
    await Promise.all(keys.map((key) => this.#save(key)));
    const queued = await this.#store.requeue(keys, maySend);
    this.#take(queued.map(({ key, phase }) => [key, { phase }]));
    return queued;
  }

  /**
   * Changes a task. Shown at once; where the store fails the change is kept, told by the event `unsaved`, and saved
   * again with the next sync. A task that is no longer tracked stays so.
   */
  change(key: number, change: TaskChange): Promise<void> {
    return this.changeAll([[key, change]]);
  }

  /** Changes several tasks, as {@link change} does each. */
  async changeAll(changes: Iterable<readonly [key: number, change: TaskChange]>): Promise<void> {
    const known = [...changes].filter(([key]) => this.#tasks.has(key));
    for (const [key, change] of known) {
      this.#unsaved.set(key, { ...this.#unsaved.get(key), ...change });
      this.#progress.delete(key);
    }
    this.#take(known);
    const saving = await Promise.allSettled(known.map(([key]) => this.#save(key)));
    const failed = saving.find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected' || this.#isUnsavedTold) return;
    this.#isUnsavedTold = true;
    this.events.emit('unsaved', failed.reason);
  }

  /** Shows how far the sending is, by whole percents; kept in memory only. */
  setProgress(key: number, progress: SendingProgress): void {
    const task = this.#tasks.get(key);
    const before = this.#progress.get(key);
    this.#progress.set(key, progress);
    if (task === undefined || (before !== undefined && percent(before) === percent(progress))) return;
    this.events.emit('change', { kind: 'tasks', tasks: [task] });
  }

  /**
   * Stops tracking tasks; the service keeps them. Gives those that stay, as they are to be sent by now. @throws
   * StoreError
   */
  async remove(keys: readonly number[]): Promise<TrackedTask[]> {
    await Promise.all(keys.map((key) => this.#save(key)));
    const staying = new Set(await this.#store.remove(keys));
    for (const key of keys) if (!staying.has(key)) this.#forget(key);
    this.events.emit('change', { kind: 'list' });
    if (staying.size > 0) await this.sync();
    return [...staying].flatMap((key) => this.#tasks.get(key) ?? []);
  }

  /** Takes in what windows that are gone have left to send, where there is any. @throws StoreError */
  async takeOver(): Promise<void> {
    const left = await this.#store.openImports();
    if (left === 'abandoned' || this.#adopted.length > 0) await this.sync();
    if (left === 'none') await this.#store.rest();
  }

  /** Tells other windows that this one is alive. @throws StoreError */
  renewLease(): Promise<void> {
    return this.#store.renewLease();
  }

  /** Tells who has not opened the store that nothing is left to send, where that is so. @throws StoreError */
  rest(): Promise<void> {
    return this.#store.rest();
  }

  /** Takes changes into what this window knows, and tells of them. */
  #take(changes: Iterable<readonly [key: number, change: TaskChange]>): void {
    const tasks: TrackedTask[] = [];
    for (const [key, change] of changes) {
      const task = this.#tasks.get(key);
      if (task === undefined) continue;
      const changed = this.#store.owned({ ...task, ...change });
      this.#tasks.set(key, changed);
      tasks.push(changed);
    }
    if (tasks.length > 0) this.events.emit('change', { kind: 'tasks', tasks });
  }

  /** No change of a task moves it among the others. */
  #put(task: TrackedTask): void {
    if (!this.#tasks.has(task.key)) this.#order = undefined;
    this.#tasks.set(task.key, task);
  }

  async #save(key: number): Promise<void> {
    const unsaved = this.#unsaved.get(key);
    if (unsaved === undefined) return;
    await this.#store.save(key, unsaved);
    if (this.#unsaved.get(key) === unsaved) this.#unsaved.delete(key);
    if (!this.hasUnsaved) this.#isUnsavedTold = false;
  }

  /** A store that was set aside is begun anew without the import: a sync puts it there. */
  async #beginAfterSync(key: number): Promise<boolean> {
    await this.sync();
    return this.#tasks.get(key)?.phase.kind === 'queued' && this.#store.begin(key);
  }

  async #removeUnwanted(): Promise<void> {
    const keys = [...this.#unwanted];
    if (keys.length > 0) await this.#store.withdraw(keys);
    for (const key of keys) this.#unwanted.delete(key);
  }

  async #takeNews(): Promise<void> {
    await this.#removeUnwanted();
    await Promise.all([...this.#unsaved.keys()].map((key) => this.#save(key)));
    // Before all tasks are read, as it changes many of them.
    if ((await this.#store.openImports()) === 'abandoned') {
      this.#adopted.push(...(await this.#store.adoptAbandoned()));
    }
    let news = await this.#store.newsSince(this.#known);
    for (let store = this.#known?.store; store !== undefined && store !== news.upTo.store; ) {
      // The store was set aside and another one begun: what this window knows must not be lost with it.
      store = news.upTo.store;
      await this.#store.restore([...this.#tasks.values()]);
      news = await this.#store.newsSince(this.#known);
    }
    this.#known = news.upTo;
    this.#takeIn(news);
    const adopted = this.#adopted;
    this.#adopted = [];
    if (adopted.length > 0) this.events.emit('adopted', adopted);
  }

  #takeIn({ changed: all, keys }: StoreNews): void {
    if (keys === undefined) return;
    const changed = all.filter((task) => !this.#unsaved.has(task.key) && !this.#knows(task));
    const gone = [...this.#tasks.keys()].filter((key) => !keys.has(key));
    const isNew = changed.some((task) => !this.#tasks.has(task.key));
    for (const task of changed) this.#put(task);
    for (const key of gone) this.#forget(key);
    if (isNew || gone.length > 0) this.events.emit('change', { kind: 'list' });
    else if (changed.length > 0) this.events.emit('change', { kind: 'tasks', tasks: changed });
  }

  #forget(key: number): void {
    if (this.#tasks.delete(key)) this.#order = undefined;
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
