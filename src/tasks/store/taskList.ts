import { EventEmitter } from 'node:events';
import { untilUnlocked } from '../database/storeError';
import type { Keeping } from '../history/retention';
import { type History, partsOfList, readTasks, tryReadTasks, WRITTEN_AT_ONCE } from '../history/walk';
import { isHeldAlways } from '../rows/listedFacts';
import type { RemovedTask } from '../rows/removedTask';
import { REMOVED_AT_ONCE } from '../rows/taskTable';
import { mapWithConcurrency } from '../timing/mapWithConcurrency';
import type { NewTask, TaskState, TrackedTask } from '../trackedTask';
import { type BusyDestination, HeldTasks } from './heldTasks';
import { type SendingProgress, SendingProgresses } from './sendingProgress';
import type { Store } from './store';
import type { TaskChange } from './taskChange';
import type { StoreChanges, StoreVersion } from './taskStore';
import { changesSince, TaskWrites } from './taskWrites';
import { changesOf, type KeyedUpdate, type TaskUpdate, UnsavedUpdates } from './unsavedUpdates';

type ListStore = Pick<Store, 'tasks' | 'history'>;

/** What changed: some tasks, or which tasks are tracked. */
export type ListChange =
  | { readonly kind: 'tasks'; readonly tasks: readonly TrackedTask[] }
  | { readonly kind: 'list'; readonly added: readonly TrackedTask[]; readonly removed: readonly number[] };

/**
 * The tracked tasks as this window knows them: it holds those that are unfinished and those that it showed or changed
 * last; the others are in `history`. Reads the store when it is first needed, writes every change through to it, and
 * `sync` applies what other windows have changed.
 */
export class TaskList {
  readonly events = new EventEmitter<{
    change: [ListChange];
    /** The store cannot be written, so that changes are kept in memory. Once, until all of them are saved. */
    unsaved: [unknown];
  }>();
  /** All tracked tasks, of which this window holds only some. */
  readonly history: History;
  readonly #store: ListStore;
  readonly #held = new HeldTasks();
  readonly #progress = new SendingProgresses();
  readonly #unsaved: UnsavedUpdates;
  readonly #writes: TaskWrites;
  /** The version of the store whose changes were applied last. */
  #version: StoreVersion | undefined;
  #syncing: Promise<void> | undefined;
  /** Removed by this window, as it reads in the log of changes once more. */
  readonly #removedHere = new Set<number>();
  /** Unfinished tasks that were read to be shown before a sync has told of them. */
  readonly #shown = new Set<number>();
  /** For each reading that is under way, what is removed meanwhile. */
  readonly #removedWhileRead = new Set<Set<number>>();

  constructor(store: ListStore) {
    this.#store = store;
    this.history = store.history;
    this.#unsaved = new UnsavedUpdates();
    this.#writes = new TaskWrites(store);
  }

  /** The tasks that this window holds, newest first: all that are unfinished, and some of those that have ended. */
  get held(): readonly TrackedTask[] {
    return this.#held.all;
  }

  /** All imports that have not ended and all tasks that may still change at the service, newest first. */
  get unfinished(): readonly TrackedTask[] {
    return this.#held.unfinished;
  }

  /** All imports that have not ended, in no order. */
  get open(): readonly TrackedTask[] {
    return this.#held.open;
  }

  /** The destinations of the unfinished tasks, by their keys. */
  get destinations(): ReadonlyMap<string, BusyDestination> {
    return this.#held.destinations;
  }

  /** A task that this window holds. */
  get(key: number): TrackedTask | undefined {
    return this.#held.get(key);
  }

  /** Any tracked task, which is held from then on. @throws StoreError */
  async find(key: number): Promise<TrackedTask | undefined> {
    const [task] = await this.findAll([key]);
    return task;
  }

  /** Any tracked tasks, in this order; held as far as there is room. @throws StoreError */
  async findAll(keys: readonly number[]): Promise<TrackedTask[]> {
    const missing = keys.filter((key) => !this.#held.has(key));
    const read = missing.length === 0 ? [] : await this.hold(readTasks(this.history, missing));
    const found = new Map(read.map((task) => [task.key, task]));
    return keys.flatMap((key) => this.#held.get(key) ?? found.get(key) ?? []);
  }

  /**
   * Holds tasks as soon as they are read, as they are shown, but for those that are removed meanwhile; returns them with what
   * could not be saved yet.
   */
  async hold(reading: Promise<readonly TrackedTask[]>): Promise<TrackedTask[]> {
    const tasks = await this.#stillTracked(reading);
    return tasks.map((read) => {
      const before = this.#held.get(read.key);
      const task = (this.#unsaved.has(read.key) ? before : undefined) ?? read;
      if (isHeldAlways(task) && before?.revision !== task.revision) this.#shown.add(task.key);
      this.#held.put(task);
      return task;
    });
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

  /** Whether the tasks were read from the store. */
  get isLoaded(): boolean {
    return this.#version !== undefined;
  }

  /** Resolves once the tasks were read from the store. @throws StoreError */
  loaded(): Promise<void> {
    return this.isLoaded ? Promise.resolve() : this.sync();
  }

  /** Applies what other windows changed, and saves what could not be saved before. Waits for a lock. @throws StoreError */
  sync(): Promise<void> {
    return untilUnlocked(() => this.trySync());
  }

  /** The same, but rejects if a lock stays, so that the view can report it. @throws StoreError */
  trySync(): Promise<void> {
    this.#syncing ??= this.#sync().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  /**
   * Starts tracking tasks in one commit, so keep them few: other operations wait for it. A file that has a row or, if
   * `newest` is given, was received from an import started later than that, is skipped. @throws StoreError
   */
  async add(tasks: readonly NewTask[], newest?: readonly number[]): Promise<TrackedTask[]> {
    await this.loaded();
    const added = await this.#writes.add(tasks, this.#version, newest);
    // A sync may have read more of it already.
    for (const task of added) if (!this.#held.has(task.key)) this.#held.put(task);
    this.events.emit('change', { kind: 'list', added, removed: [] });
    return added;
  }

  /**
   * Marks a queued import as being sent by an attempt: once this resolves, its bytes may leave. False where it is not this
   * window's to send, or no longer queued for this origin. @throws StoreError
   */
  async begin(key: number, attemptId: string, origin?: string): Promise<boolean> {
    const isNext = (task: TrackedTask) =>
      task.phase.kind === 'queued' && (origin === undefined || task.origin === origin);
    const begin: TaskUpdate = (task) => (isNext(task) ? { phase: { kind: 'sending', attemptId } } : undefined);
    const begun = await this.#write([[key, begin]]);
    this.#apply(begun);
    // Where the response to an earlier mark of this attempt was lost, it is marked already.
    const now = this.get(key)?.phase;
    return begun.length > 0 || (now?.kind === 'sending' && now.attemptId === attemptId);
  }

  /**
   * Begins ended imports again, each by an update that allows it for what the task is by then; returns those that are queued
   * now. @throws StoreError
   */
  async beginAgain(updates: readonly KeyedUpdate[]): Promise<TrackedTask[]> {
    await this.sync();
    return this.#inParts(updates, (some) => untilUnlocked(() => this.#write(some)));
  }

  /** Changes the origin to which queued imports are sent; returns those changed. @throws StoreError */
  redirect(keys: readonly number[], origin: string): Promise<TrackedTask[]> {
    const redirect: TaskUpdate = (task) => (task.phase.kind === 'queued' ? { origin } : undefined);
    const updates = keys.map((key): KeyedUpdate => [key, redirect]);
    return this.#inParts(updates, (some) => untilUnlocked(() => this.#write(some)));
  }

  /**
   * Changes a task where `expects` holds for it in the store; returns whether it was changed. It is stored before it is
   * shown. Where the store fails, the change is shown and kept in memory, the event `unsaved` says so, and the next sync
   * saves it if `expects` still holds. A task that was removed meanwhile stays removed.
   */
  async change(key: number, change: TaskChange, expects: (task: TrackedTask) => boolean): Promise<boolean> {
    return this.update(key, (task) => (expects(task) ? change : undefined));
  }

  /** Updates a task by what it is in the store, as {@link change} does. */
  async update(key: number, update: TaskUpdate): Promise<boolean> {
    return (await this.updateAll([[key, update]])).has(key);
  }

  /** Updates several tasks, as {@link update} does one; returns the keys of those that were changed. */
  async updateAll(updates: readonly KeyedUpdate[]): Promise<ReadonlySet<number>> {
    const changed = await this.#inParts(updates, (some) =>
      this.#write(some).catch((error: unknown) => this.#keep(some, error)),
    );
    return new Set(changed.map(({ key }) => key));
  }

  /** Sets how far the sending is. Kept in memory only; a change is emitted for each whole percent. */
  setProgress(key: number, progress: SendingProgress): void {
    const task = this.#held.get(key);
    if (this.#progress.set(key, progress) && task !== undefined)
      this.events.emit('change', { kind: 'tasks', tasks: [task] });
  }

  /**
   * Removes tasks, a few in each commit; where a state is given, only those that are in it by then. Returns those that stay:
   * they are imports that have not ended, or they are in another state. What was removed before `signal` aborts stays removed.
   * @throws StoreError
   */
  async remove(
    keys: readonly number[],
    { state, signal }: { state?: TaskState | undefined; signal?: AbortSignal } = {},
  ): Promise<TrackedTask[]> {
    await untilUnlocked(() => this.#save(keys));
    const staying: number[] = [];
    for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
      signal?.throwIfAborted();
      const some = keys.slice(from, from + REMOVED_AT_ONCE);
      const left = await this.#store.tasks.remove(some, state);
      this.#forget(some.filter((key) => !left.includes(key)));
      staying.push(...left);
    }
    // What stays where it fails is given back with the next removal.
    await this.#store.tasks.shrink().catch(() => {});
    if (staying.length > 0) await this.sync();
    return this.findAll(staying);
  }

  /** Removes a task; undefined where it is gone already, or stays as its import has not ended. @throws StoreError */
  async removeForUndo(key: number): Promise<RemovedTask | undefined> {
    await untilUnlocked(() => this.#save([key]));
    const removed = await this.#store.tasks.removeForUndo(key);
    removed === undefined ? await this.sync() : this.#forget([key]);
    return removed;
  }

  /**
   * Puts a removed task back with its key, its responses and its timeline. False if it is in the list already, or its file was
   * imported again. @throws StoreError
   */
  async putBack(removed: RemovedTask): Promise<boolean> {
    // A removal that is read from the log only after this would remove the task here once more.
    await this.sync();
    if (!(await this.#store.tasks.putBack(removed))) return false;
    this.#removedHere.delete(removed.key);
    const added = await this.findAll([removed.key]);
    this.events.emit('change', { kind: 'list', added, removed: [] });
    return true;
  }

  /** Removes ended tasks that are too old or too many to keep. @throws StoreError */
  async clearEnded(keeping: Keeping): Promise<void> {
    this.#forget(await this.#store.tasks.clearEnded(keeping));
  }

  #forget(removed: readonly number[]): void {
    if (removed.length === 0) return;
    for (const key of removed) {
      this.#removedHere.add(key);
      this.#delete(key);
    }
    this.events.emit('change', { kind: 'list', added: [], removed });
  }

  /** Makes updates part by part, the next while the store writes the one before; each part is shown as it is made. */
  async #inParts(
    updates: readonly KeyedUpdate[],
    make: (some: readonly KeyedUpdate[]) => Promise<TrackedTask[]>,
  ): Promise<TrackedTask[]> {
    const parts = await mapWithConcurrency([...partsOfList(updates, WRITTEN_AT_ONCE)], 2, async (some) => {
      const changed = await make(some);
      this.#apply(changed);
      return changed;
    });
    return parts.flat();
  }

  /** Writes updates into the store; returns the tasks that were changed. After a refusal this list is in sync. */
  async #write(updates: readonly KeyedUpdate[]): Promise<TrackedTask[]> {
    // Earlier changes must not overwrite this one later.
    await this.#save(updates.map(([key]) => key));
    return this.#changeAsKnown(updates);
  }

  /** Makes updates of the tasks as this window knows them, and again of those that another window has changed since. */
  async #changeAsKnown(updates: readonly KeyedUpdate[]): Promise<TrackedTask[]> {
    const tasks = await this.findAll(updates.map(([key]) => key));
    const known = new Map(tasks.map((task) => [task.key, task]));
    const changed = await this.#writes.change(changesOf(updates, (key) => known.get(key)));
    if (changed.length === updates.length) return changed;
    // A sync that is under way may have read the store before the other window wrote.
    await this.#syncing?.catch(() => {});
    await this.sync();
    for (const { key } of changed) known.delete(key);
    const left = updates.filter(([key]) => known.has(key) && this.get(key)?.revision !== known.get(key)?.revision);
    return [...changed, ...(await untilUnlocked(() => this.#writes.update(left)))];
  }

  /** Keeps updates that the store did not take; returns the tasks as changed by them. */
  #keep(updates: readonly KeyedUpdate[], error: unknown): TrackedTask[] {
    const isFirst = this.#unsaved.isEmpty;
    const changed = this.#unsaved.add(updates, (key) => this.#held.get(key));
    if (isFirst && changed.length > 0) this.events.emit('unsaved', error);
    return changed;
  }

  async #save(keys: readonly number[]): Promise<void> {
    if (!this.#unsaved.isEmpty) this.#apply(await this.#unsaved.save(keys, (updates) => this.#writes.update(updates)));
  }

  async #sync(): Promise<void> {
    await this.save();
    const changes = await changesSince(this.#store, this.#version, () => this.#held.keys());
    await this.#applyRemote(changes);
    this.#version = changes.upTo;
  }

  /** What changes meanwhile has a later revision, and is read again the next time. */
  async #applyRemote({ changed, removed: all }: StoreChanges): Promise<void> {
    const removed = all.filter((key) => !this.#removedHere.delete(key));
    for (const key of removed) this.#delete(key);
    if (removed.length > 0) this.events.emit('change', { kind: 'list', added: [], removed });
    const shown = changed.flatMap(([key]) => (this.#shown.delete(key) ? (this.#held.get(key) ?? []) : []));
    if (shown.length > 0) this.events.emit('change', { kind: 'list', added: shown, removed: [] });
    // What this window has written itself, or was shown, it has.
    const news = changed.flatMap(([key, revision]) => (this.#held.get(key)?.revision === revision ? [] : [key]));
    for (const some of partsOfList(news)) {
      const added: TrackedTask[] = [];
      const known: TrackedTask[] = [];
      for (const task of await this.#stillTracked(tryReadTasks(this.history, some))) {
        const before = this.#held.get(task.key);
        const isUntold = before === undefined || this.#shown.delete(task.key);
        if (this.#unsaved.has(task.key) || (before?.revision === task.revision && !isUntold)) continue;
        (isUntold ? added : known).push(task);
        this.#held.put(task);
        if (task.phase.kind !== 'sending') this.#progress.delete(task.key);
      }
      if (added.length > 0) this.events.emit('change', { kind: 'list', added, removed: [] });
      if (known.length > 0) this.events.emit('change', { kind: 'tasks', tasks: known });
    }
  }

  /** Replaces tasks by what they are now, and emits the change. */
  #apply(written: readonly TrackedTask[]): void {
    // What a sync has read since is newer.
    const changed = written.filter(({ key, revision }) => (this.#held.get(key)?.revision ?? 0) <= revision);
    for (const task of changed) {
      if (this.#held.has(task.key)) this.#held.put(task);
      if (task.phase.kind !== 'sending') this.#progress.delete(task.key);
    }
    if (changed.length > 0) this.events.emit('change', { kind: 'tasks', tasks: changed });
  }

  /** What is removed while it is read must not be held again: nothing would tell that it is gone. */
  async #stillTracked(reading: Promise<readonly TrackedTask[]>): Promise<TrackedTask[]> {
    const removed = new Set<number>();
    this.#removedWhileRead.add(removed);
    try {
      const tasks = await reading;
      return tasks.filter(({ key }) => !removed.has(key));
    } finally {
      this.#removedWhileRead.delete(removed);
    }
  }

  #delete(key: number): void {
    for (const removed of this.#removedWhileRead) removed.add(key);
    this.#held.delete(key);
    this.#progress.delete(key);
    this.#unsaved.delete(key);
  }
}
