import { EventEmitter } from 'node:events';
import type { OriginOf } from '../destination';
import { isOpen, type NewTask, type Phase, type TrackedTask } from '../trackedTask';
import type { KeyedUpdate, StoreChanges, StoreVersion, TaskChange, TaskStore, TaskUpdate } from './taskStore';

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
  readonly events = new EventEmitter<{
    change: [ListChange];
    /** The store cannot be written, so that changes are kept here alone; told once, until all of them are saved. */
    unsaved: [unknown];
    /** What a window that is gone has left: some are this one's to send now, the others have ended. */
    adopted: [readonly TrackedTask[]];
    /** Imports that were this window's to send are so no more: another one has them, or has removed them. */
    lost: [readonly number[]];
    /** Another window wants these imports of this one to be canceled. */
    cancelRequested: [readonly number[]];
  }>();
  readonly #store: TaskStore;
  readonly #originOf: OriginOf;
  readonly #tasks = new Map<number, TrackedTask>();
  /** The keys of all tasks, newest first, once they were asked for. */
  #order: readonly number[] | undefined;
  readonly #progress = new Map<number, SendingProgress>();
  /** Updates that the store could not take yet, in their order. */
  readonly #unsaved = new Map<number, readonly TaskUpdate[]>();
  /** What has come from windows that are gone, and is not yet told. */
  #adopted: TrackedTask[] = [];
  /** Up to when the store's changes are known. */
  #known: StoreVersion | undefined;
  #syncing: Promise<void> | undefined;

  /** `originOf` tells to which origin rows of old stores are bound. */
  constructor(store: TaskStore, originOf: OriginOf = () => undefined) {
    this.#store = store;
    this.#originOf = originOf;
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

  /** Whether a task is an import that has not ended, and this window's to send. */
  isOurs(task: TrackedTask): boolean {
    return this.#store.isOurs(task);
  }

  /** Begins to track tasks: all of them are in the store before this resolves, or none. @throws StoreError */
  async add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    // What is known of the store tells later that it was begun anew.
    await this.loaded();
    const added = await this.#store.add(tasks);
    for (const task of added) this.#put(task);
    this.events.emit('change', { kind: 'list' });
    return added;
  }

  /**
   * Marks a queued import as being sent: once this resolves, its bytes may leave. False where it is not this window's
   * to send any more. @throws StoreError
   */
  async begin(key: number): Promise<boolean> {
    const begin: TaskUpdate = (task) =>
      this.isOurs(task) && task.phase.kind === 'queued' ? { phase: { kind: 'sending' } } : undefined;
    const begun = await this.#write([[key, begin]]);
    this.#take(begun);
    return begun.length > 0;
  }

  /**
   * Puts ended imports that may be sent again, as they are now, back into this window's queue; gives those that are
   * there now. They are for another origin from then on where one is given. @throws StoreError
   */
  async requeue(keys: readonly number[], maySend: (phase: Phase) => boolean, origin?: string): Promise<TrackedTask[]> {
    await this.sync();
    await this.#save(keys);
    const requeue: TaskUpdate = (task) =>
      !isOpen(task.phase) && maySend(task.phase)
        ? { phase: { kind: 'queued' }, origin: origin ?? task.origin }
        : undefined;
    const queued = await this.#store.updateAll(keys.map((key) => [key, requeue]));
    this.#take(queued);
    return queued;
  }

  /** Sends this window's queued imports to another origin; gives those that are. @throws StoreError */
  async redirect(keys: readonly number[], origin: string): Promise<TrackedTask[]> {
    await this.#save(keys);
    const redirect: TaskUpdate = (task) => (this.isOurs(task) && task.phase.kind === 'queued' ? { origin } : undefined);
    const redirected = await this.#store.updateAll(keys.map((key) => [key, redirect]));
    this.#take(redirected);
    return redirected;
  }

  /**
   * Changes a task that is as the caller expects it, in the store of all windows; gives whether it was. It is stored
   * before it is shown. Where the store fails the change is shown and kept, told by the event `unsaved`, and saved with
   * the next sync, if the task is then still as expected. A task that is no longer tracked stays so.
   */
  async change(key: number, change: TaskChange, expects: (task: TrackedTask) => boolean): Promise<boolean> {
    return this.update(key, (task) => (expects(task) ? change : undefined));
  }

  /** Changes an import that has not ended, as {@link change} does; false where it is not this window's to send any more. */
  async changeOurs(key: number, change: TaskChange): Promise<boolean> {
    return this.change(key, change, (task) => this.isOurs(task));
  }

  /** Changes a task by what it is in the store, as {@link change} does. */
  async update(key: number, update: TaskUpdate): Promise<boolean> {
    return (await this.updateAll([[key, update]])).has(key);
  }

  /** Changes several tasks, as {@link update} does each; gives the keys of those that were changed. */
  async updateAll(updates: Iterable<KeyedUpdate>): Promise<ReadonlySet<number>> {
    const known = [...updates].filter(([key]) => this.#tasks.has(key));
    const changed = await this.#write(known).catch((error: unknown) => this.#keep(known, error));
    this.#take(changed);
    return new Set(changed.map(({ key }) => key));
  }

  /** Asks the windows that are to send these imports to cancel them. @throws StoreError */
  requestCancel(keys: readonly number[]): Promise<void> {
    return this.#store.requestCancel(keys);
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
    await this.#save(keys);
    const staying = new Set(await this.#store.remove(keys));
    for (const key of keys) if (!staying.has(key)) this.#forget(key);
    this.events.emit('change', { kind: 'list' });
    if (staying.size > 0) await this.sync();
    return [...staying].flatMap((key) => this.#tasks.get(key) ?? []);
  }

  /**
   * Takes over what windows that are gone have left, and does what others ask of this one. Makes no store where there is
   * none. @throws StoreError
   */
  async takeOver(): Promise<void> {
    if (!this.#store.exists) return;
    const { hasAbandoned, hasCancelRequests } = await this.#store.pendingWork();
    if (hasAbandoned || this.#adopted.length > 0) await this.sync();
    if (hasCancelRequests) this.events.emit('cancelRequested', await this.#store.takeCancelRequests());
  }

  /** Tells other windows that this one is alive. @throws StoreError */
  renewLease(): Promise<void> {
    return this.#store.renewLease();
  }

  /** Removes all leases once no window has an import left to send. @throws StoreError */
  clearUnusedLeases(): Promise<void> {
    return this.#store.clearUnusedLeases();
  }

  /** Takes tasks as they are now into what this window knows, and tells of them. */
  #take(changed: readonly TrackedTask[]): void {
    const tasks = changed.filter(({ key }) => this.#tasks.has(key));
    for (const task of tasks) {
      this.#put(task);
      if (task.phase.kind !== 'sending') this.#progress.delete(task.key);
    }
    if (tasks.length > 0) this.events.emit('change', { kind: 'tasks', tasks });
  }

  /** No change of a task moves it among the others. */
  #put(task: TrackedTask): void {
    if (!this.#tasks.has(task.key)) this.#order = undefined;
    this.#tasks.set(task.key, task);
  }

  /** Writes updates into the store; gives the tasks that were changed. What is refused is known as it is afterwards. */
  async #write(updates: readonly KeyedUpdate[]): Promise<readonly TrackedTask[]> {
    // What is not saved yet would be written over it later.
    if (this.#unsaved.size > 0) await this.#save(updates.map(([key]) => key));
    const changed = await this.#store.updateAll(updates);
    if (changed.length === updates.length) return changed;
    const before = this.#known?.store;
    await this.sync();
    if (this.#known?.store === before) return changed;
    // The store was set aside, and had begun anew without these tasks; now they are there.
    const refused = updates.filter(([key]) => !changed.some((task) => task.key === key));
    return [...changed, ...(await this.#store.updateAll(refused))];
  }

  /** Keeps updates that the store does not take; gives the tasks as they are with them. */
  #keep(updates: readonly KeyedUpdate[], error: unknown): TrackedTask[] {
    const wasSaved = this.#unsaved.size === 0;
    const changed = updates.flatMap(([key, update]) => {
      const task = this.#tasks.get(key);
      const change = task && update(task);
      if (task === undefined || change === undefined) return [];
      this.#unsaved.set(key, [...(this.#unsaved.get(key) ?? []), update]);
      return [this.#store.changed(task, change)];
    });
    if (wasSaved && changed.length > 0) this.events.emit('unsaved', error);
    return changed;
  }

  /** Saves what could not be saved before, of these tasks. @throws StoreError */
  async #save(keys: Iterable<number>): Promise<void> {
    const unsaved = [...keys].flatMap((key) => {
      const updates = this.#unsaved.get(key);
      return updates === undefined ? [] : [[key, updates] as const];
    });
    if (unsaved.length === 0) return;
    const saved = await this.#store.updateAll(unsaved.map(([key, updates]) => [key, this.#inTurn(updates)]));
    for (const [key, updates] of unsaved) if (this.#unsaved.get(key) === updates) this.#unsaved.delete(key);
    this.#take(saved.filter(({ key }) => !this.#unsaved.has(key)));
  }

  /** One update that does what these do one after the other. */
  #inTurn(updates: readonly TaskUpdate[]): TaskUpdate {
    return (task) => {
      let changes: TaskChange | undefined;
      for (const update of updates) {
        const change = update(changes === undefined ? task : this.#store.changed(task, changes));
        if (change !== undefined) changes = { ...changes, ...change };
      }
      return changes;
    };
  }

  get #hasUnbound(): boolean {
    return [...this.#tasks.values()].some(({ origin }) => origin === undefined);
  }

  async #takeNews(): Promise<void> {
    await this.#save(this.#unsaved.keys());
    // Before all tasks are read, as these change many of them.
    if (this.#known === undefined || this.#hasUnbound) await this.#store.bindOrigins(this.#originOf);
    if ((await this.#store.pendingWork()).hasAbandoned) {
      this.#adopted.push(...(await this.#store.adoptAbandoned()));
    }
    let news = await this.#store.changesSince(this.#known);
    for (let store = this.#known?.store; store !== undefined && store !== news.upTo.store; ) {
      // The store was set aside and another one begun: what this window knows must not be lost with it.
      store = news.upTo.store;
      await this.#store.restore([...this.#tasks.values()]);
      news = await this.#store.changesSince(this.#known);
    }
    this.#known = news.upTo;
    this.#applyRemote(news);
    const adopted = this.#adopted;
    this.#adopted = [];
    if (adopted.length > 0) this.events.emit('adopted', adopted);
  }

  #applyRemote({ changed: all, keys }: StoreChanges): void {
    if (keys === undefined) return;
    const changed = all.filter((task) => !this.#unsaved.has(task.key) && !this.#knows(task));
    const gone = [...this.#tasks.keys()].filter((key) => !keys.has(key));
    const isNew = changed.some((task) => !this.#tasks.has(task.key));
    const notOurs = [...gone, ...changed.filter((task) => !this.isOurs(task)).map(({ key }) => key)];
    const lost = notOurs.filter((key) => {
      const before = this.#tasks.get(key);
      return before !== undefined && this.isOurs(before);
    });
    for (const task of changed) {
      this.#put(task);
      if (!this.isOurs(task)) this.#progress.delete(task.key);
    }
    for (const key of gone) this.#forget(key);
    if (isNew || gone.length > 0) this.events.emit('change', { kind: 'list' });
    else if (changed.length > 0) this.events.emit('change', { kind: 'tasks', tasks: changed });
    if (lost.length > 0) this.events.emit('lost', lost);
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
