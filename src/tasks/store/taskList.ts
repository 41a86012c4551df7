import { EventEmitter } from 'node:events';
import type { OriginOf } from '../destination';
import { isOpen, type NewTask, type Phase, type TrackedTask } from '../trackedTask';
import type { KeyedUpdate, StoreChanges, StoreVersion, TaskChange, TaskStore, TaskUpdate } from './taskStore';
import { UnsavedUpdates } from './unsavedUpdates';

/** How much of a file has been handed to the network. */
export interface SendingProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** What changed: tasks that were in the list before, or which tasks are in it. */
export type ListChange = { readonly kind: 'tasks'; readonly tasks: readonly TrackedTask[] } | { readonly kind: 'list' };

/**
 * The tracked tasks as this window knows them: the model behind the tree. Reads the store when it is first needed, writes
 * every change through to it, and `sync` applies what other windows have changed.
 */
export class TaskList {
  readonly events = new EventEmitter<{
    change: [ListChange];
    /** The store cannot be written, so that changes are kept in memory. Once, until all of them are saved. */
    unsaved: [unknown];
    /** Imports of windows that are gone: some are this window's to send now, the others have ended. */
    adopted: [readonly TrackedTask[]];
    /** Imports that this window no longer owns, as another one has taken them over or has removed them. */
    lost: [readonly number[]];
    /** Imports of this window that are unconfirmed now: the store was set aside, and another window may have sent them. */
    doubted: [readonly TrackedTask[]];
    /** Another window wants these imports of this one to be canceled. */
    cancelRequested: [readonly number[]];
  }>();
  readonly #store: TaskStore;
  readonly #originOf: OriginOf;
  readonly #tasks = new Map<number, TrackedTask>();
  /** The keys of all tasks, newest first; undefined while it has to be sorted anew. */
  #order: readonly number[] | undefined;
  readonly #progress = new Map<number, SendingProgress>();
  readonly #unsaved: UnsavedUpdates;
  /** Taken over in the store, but not emitted yet. */
  #adopted: TrackedTask[] = [];
  /** The version of the store whose changes were applied last. */
  #version: StoreVersion | undefined;
  #syncing: Promise<void> | undefined;

  /** `originOf` tells to which origin rows of old stores are bound. */
  constructor(store: TaskStore, originOf: OriginOf = () => undefined) {
    this.#store = store;
    this.#originOf = originOf;
    this.#unsaved = new UnsavedUpdates(store);
  }

  /** All tasks, newest first. */
  get tasks(): readonly TrackedTask[] {
    this.#order ??= [...this.#tasks.values()]
      .sort((a, b) => b.createdMs - a.createdMs || b.key - a.key)
      .map(({ key }) => key);
    return this.#order.flatMap((key) => this.#tasks.get(key) ?? []);
  }

  get(key: number): TrackedTask | undefined {
    return this.#tasks.get(key);
  }

  /** How far the sending of a task is; undefined where this window is not sending it. */
  progress(key: number): SendingProgress | undefined {
    return this.#progress.get(key);
  }

  /** Whether there are changes that the store could not take yet. */
  get hasUnsaved(): boolean {
    return !this.#unsaved.isEmpty;
  }

  /** Whether a task has changes that the store could not take yet. */
  isUnsaved(key: number): boolean {
    return this.#unsaved.has(key);
  }

  /** Saves what could not be saved before. @throws StoreError */
  save(): Promise<void> {
    return this.#save(this.#unsaved.keys);
  }

  /** Whether a task is an import that has not ended, and this window's to send. */
  isOurs(task: TrackedTask): boolean {
    return this.#store.isOurs(task);
  }

  /** Resolves once the tasks were read from the store. @throws StoreError */
  loaded(): Promise<void> {
    return this.#version !== undefined ? Promise.resolve() : this.sync();
  }

  /** Applies what other windows changed, and saves what could not be saved before. @throws StoreError */
  sync(): Promise<void> {
    this.#syncing ??= this.#sync().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
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

  /** Renews this window's lease, which keeps others from taking over its imports. @throws StoreError */
  renewLease(): Promise<void> {
    return this.#store.renewLease();
  }

  /** Removes all leases once no window has an import left to send. @throws StoreError */
  clearUnusedLeases(): Promise<void> {
    return this.#store.clearUnusedLeases();
  }

  /** Begins to track tasks: all of them are in the store before this resolves, or none. @throws StoreError */
  async add(tasks: readonly NewTask[]): Promise<TrackedTask[]> {
    // Only with a known version can it be noticed later that another store was begun.
    if (tasks.some(({ phase }) => isOpen(phase))) await this.#syncWithLease();
    else await this.loaded();
    const added = await this.#store.add(tasks);
    for (const task of added) this.#put(task);
    this.events.emit('change', { kind: 'list' });
    return added;
  }

  /**
   * Marks a queued import as being sent: once this resolves, its bytes may leave. False where it is not this window's
   * to send any more, or was redirected from `origin`. @throws StoreError
   */
  async begin(key: number, origin?: string): Promise<boolean> {
    const isStillFor = (task: TrackedTask) => origin === undefined || task.origin === origin;
    const begin: TaskUpdate = (task) =>
      this.isOurs(task) && task.phase.kind === 'queued' && isStillFor(task)
        ? { phase: { kind: 'sending' } }
        : undefined;
    const begun = await this.#write([[key, begin]]);
    this.#apply(begun);
    return begun.length > 0;
  }

  /**
   * Puts ended imports back into this window's queue, where `maySend` allows it for the phase that they have by then;
   * returns those that are queued now. `origin`, where it is given, replaces theirs. @throws StoreError
   */
  async requeue(keys: readonly number[], maySend: (phase: Phase) => boolean, origin?: string): Promise<TrackedTask[]> {
    await this.#syncWithLease();
    return this.#updateInStore(keys, (task) =>
      !isOpen(task.phase) && maySend(task.phase)
        ? { phase: { kind: 'queued' }, origin: origin ?? task.origin }
        : undefined,
    );
  }

  /** Changes the origin to which this window's queued imports are sent; returns those changed. @throws StoreError */
  redirect(keys: readonly number[], origin: string): Promise<TrackedTask[]> {
    return this.#updateInStore(keys, (task) =>
      this.isOurs(task) && task.phase.kind === 'queued' ? { origin } : undefined,
    );
  }

  /**
   * Changes a task where `expects` holds for it in the store; returns whether it was changed. It is stored before it is
   * shown. Where the store fails, the change is shown and kept in memory, the event `unsaved` tells so, and the next sync
   * saves it if `expects` still holds. A task that was removed meanwhile stays removed.
   */
  async change(key: number, change: TaskChange, expects: (task: TrackedTask) => boolean): Promise<boolean> {
    return this.update(key, (task) => (expects(task) ? change : undefined));
  }

  /** Changes an import that has not ended, as {@link change} does; false where it is not this window's to send any more. */
  async changeOurs(key: number, change: TaskChange): Promise<boolean> {
    return this.change(key, change, (task) => this.isOurs(task));
  }

  /** Updates a task by what it is in the store, as {@link change} does. */
  async update(key: number, update: TaskUpdate): Promise<boolean> {
    return (await this.updateAll([[key, update]])).has(key);
  }

  /** Updates several tasks, as {@link update} does one; returns the keys of those that were changed. */
  async updateAll(updates: readonly KeyedUpdate[]): Promise<ReadonlySet<number>> {
    const tracked = updates.filter(([key]) => this.#tasks.has(key));
    const changed = await this.#write(tracked).catch((error: unknown) => this.#keep(tracked, error));
    this.#apply(changed);
    return new Set(changed.map(({ key }) => key));
  }

  /** Asks the windows that own these imports to cancel them. @throws StoreError */
  requestCancel(keys: readonly number[]): Promise<void> {
    return this.#store.requestCancel(keys);
  }

  /** Sets how far the sending is. Kept in memory only; a change is emitted for each whole percent. */
  setProgress(key: number, progress: SendingProgress): void {
    const task = this.#tasks.get(key);
    const before = this.#progress.get(key);
    this.#progress.set(key, progress);
    if (task === undefined || (before !== undefined && percent(before) === percent(progress))) return;
    this.events.emit('change', { kind: 'tasks', tasks: [task] });
  }

  /** Stops tracking tasks. Returns those that stay, as a window is to send them by now. @throws StoreError */
  async remove(keys: readonly number[]): Promise<TrackedTask[]> {
    await this.#save(keys);
    const staying = new Set(await this.#store.remove(keys));
    for (const key of keys) if (!staying.has(key)) this.#delete(key);
    this.events.emit('change', { kind: 'list' });
    if (staying.size > 0) await this.sync();
    return [...staying].flatMap((key) => this.#tasks.get(key) ?? []);
  }

  /** Updates tasks in the store alone: where it fails, nothing is changed. */
  async #updateInStore(keys: readonly number[], update: TaskUpdate): Promise<TrackedTask[]> {
    await this.#save(keys);
    // Not in a shared commit: an import that began in it would still be sent to the origin from before.
    const changed = await this.#store.updateAll(keys.map((key) => [key, update]));
    this.#apply(changed);
    return changed;
  }

  /** Writes updates into the store; returns the tasks that were changed. After a refusal this list is in sync. */
  async #write(updates: readonly KeyedUpdate[]): Promise<readonly TrackedTask[]> {
    // Earlier changes must not overwrite this one later.
    await this.#save(updates.map(([key]) => key));
    const changed = await this.#store.update(updates);
    if (changed.length === updates.length) return changed;
    const storeBefore = this.#version?.store;
    await this.sync();
    if (this.#version?.store === storeBefore) return changed;
    // Another store was begun, which lacked these tasks until this sync.
    const refused = updates.filter(([key]) => !changed.some((task) => task.key === key));
    return [...changed, ...(await this.#store.update(refused))];
  }

  /** Keeps updates that the store did not take; returns the tasks as changed by them. */
  #keep(updates: readonly KeyedUpdate[], error: unknown): TrackedTask[] {
    const isFirst = this.#unsaved.isEmpty;
    const changed = this.#unsaved.add(updates, (key) => this.#tasks.get(key));
    if (isFirst && changed.length > 0) this.events.emit('unsaved', error);
    return changed;
  }

  /** Syncs with a new lease, within which no window takes over what this one is to send then. @throws StoreError */
  async #syncWithLease(): Promise<void> {
    await this.#store.renewLease();
    await this.sync();
  }

  async #save(keys: readonly number[]): Promise<void> {
    if (!this.#unsaved.isEmpty) this.#apply(await this.#unsaved.save(keys));
  }

  async #sync(): Promise<void> {
    await this.save();
    // First, as it changes many of the tasks that are read next.
    if (this.#version === undefined || this.#hasUnbound) await this.#store.bindOrigins(this.#originOf);
    if ((await this.#store.pendingWork()).hasAbandoned) this.#adopted.push(...(await this.#store.adoptAbandoned()));
    const { changes, doubted } = await this.#changes();
    this.#version = changes.upTo;
    if (doubted.length > 0) this.events.emit('doubted', doubted);
    this.#applyRemote(changes);
    const adopted = this.#adopted;
    this.#adopted = [];
    if (adopted.length > 0) this.events.emit('adopted', adopted);
  }

  /**
   * What has changed in the store since the last sync. A store that was begun anew gets first what this window knows;
   * `doubted` are the imports that another window may have sent meanwhile.
   */
  async #changes(): Promise<{ readonly changes: StoreChanges; readonly doubted: readonly TrackedTask[] }> {
    const known = this.#version;
    let store = known?.store;
    let doubted: readonly TrackedTask[] = [];
    for (;;) {
      const changes = await this.#store.changesSince(known);
      if (known === undefined || store === changes.upTo.store) return { changes, doubted };
      doubted = await this.#store.restore(known, () => [...this.#tasks.values()]);
      store = changes.upTo.store;
    }
  }

  #applyRemote({ changed: all, keys }: StoreChanges): void {
    if (keys === undefined) return;
    const changed = all.filter((task) => !this.#unsaved.has(task.key) && !this.#isKnown(task));
    const removed = [...this.#tasks.keys()].filter((key) => !keys.has(key));
    const notOurs = [...removed, ...changed.filter((task) => !this.isOurs(task)).map(({ key }) => key)];
    const lost = notOurs.filter((key) => {
      const before = this.#tasks.get(key);
      return before !== undefined && this.isOurs(before);
    });
    const hasNew = changed.some((task) => !this.#tasks.has(task.key));
    for (const task of changed) {
      this.#put(task);
      if (!this.isOurs(task)) this.#progress.delete(task.key);
    }
    for (const key of removed) this.#delete(key);
    if (hasNew || removed.length > 0) this.events.emit('change', { kind: 'list' });
    else if (changed.length > 0) this.events.emit('change', { kind: 'tasks', tasks: changed });
    if (lost.length > 0) this.events.emit('lost', lost);
  }

  /** Replaces tasks by what they are now, and emits the change. */
  #apply(changed: readonly TrackedTask[]): void {
    const tasks = changed.filter(({ key }) => this.#tasks.has(key));
    for (const task of tasks) {
      this.#put(task);
      if (task.phase.kind !== 'sending') this.#progress.delete(task.key);
    }
    if (tasks.length > 0) this.events.emit('change', { kind: 'tasks', tasks });
  }

  #put(task: TrackedTask): void {
    if (!this.#tasks.has(task.key)) this.#order = undefined;
    this.#tasks.set(task.key, task);
  }

  #delete(key: number): void {
    if (this.#tasks.delete(key)) this.#order = undefined;
    this.#progress.delete(key);
    this.#unsaved.delete(key);
  }

  #isKnown(task: TrackedTask): boolean {
    return JSON.stringify(this.#tasks.get(task.key)) === JSON.stringify(task);
  }

  get #hasUnbound(): boolean {
    return [...this.#tasks.values()].some(({ origin }) => origin === undefined);
  }
}

function percent({ sentBytes, totalBytes }: SendingProgress): number {
  return Math.floor((100 * sentBytes) / totalBytes);
}
