import { type Destination, destinationKey } from '../destination';
import { isHeldAlways } from '../rows/listedFacts';
import { isOpen, type TaskState, type TrackedTask, taskState } from '../trackedTask';

/** Max tasks held of those that have ended: more than a view shows. */
const MAX_ENDED = 2000;

/** A destination with unfinished tasks. */
export interface BusyDestination extends Destination {
  readonly unfinished: number;
  /** How many of them are imports that have not ended. */
  readonly open: number;
  /** How many of them are in each state. */
  readonly states: ReadonlyMap<TaskState, number>;
}

interface Counts extends BusyDestination {
  unfinished: number;
  open: number;
  readonly states: Map<TaskState, number>;
}

/** The tasks in memory: all that are unfinished, and of those that have ended the ones that were put last. */
export class HeldTasks {
  readonly #unfinished = new Map<number, TrackedTask>();
  /** The one that was put last comes last. */
  readonly #ended = new Map<number, TrackedTask>();
  readonly #destinations = new Map<string, Counts>();

  /** The destinations of the unfinished tasks, by their keys. */
  get destinations(): ReadonlyMap<string, BusyDestination> {
    return this.#destinations;
  }

  get(key: number): TrackedTask | undefined {
    return this.#unfinished.get(key) ?? this.#ended.get(key);
  }

  has(key: number): boolean {
    return this.#unfinished.has(key) || this.#ended.has(key);
  }

  put(task: TrackedTask): void {
    const [to, other] = isHeldAlways(task) ? [this.#unfinished, this.#ended] : [this.#ended, this.#unfinished];
    this.#count(this.#unfinished.get(task.key), -1);
    other.delete(task.key);
    if (to === this.#ended) to.delete(task.key);
    to.set(task.key, task);
    this.#count(this.#unfinished.get(task.key), 1);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }

  delete(key: number): boolean {
    this.#count(this.#unfinished.get(key), -1);
    return this.#unfinished.delete(key) || this.#ended.delete(key);
  }

  keys(): number[] {
    return [...this.#unfinished.keys(), ...this.#ended.keys()];
  }

  /** All of them, newest first. */
  get all(): TrackedTask[] {
    return newestFirst([...this.#unfinished.values(), ...this.#ended.values()]);
  }

  /** The imports that have not ended, in no order. */
  get open(): TrackedTask[] {
    return [...this.#unfinished.values()].filter(({ phase }) => isOpen(phase));
  }

  /** Those that are unfinished, newest first. */
  get unfinished(): TrackedTask[] {
    return newestFirst([...this.#unfinished.values()]);
  }

  /** Kept, as counting all of them takes long where there are many. */
  #count(task: TrackedTask | undefined, by: 1 | -1): void {
    if (task === undefined) return;
    const { dataset, origin } = task;
    const key = destinationKey(task);
    const none: Counts = { dataset, origin, unfinished: 0, open: 0, states: new Map() };
    const counts = this.#destinations.get(key) ?? none;
    const state = taskState(task);
    const inState = (counts.states.get(state) ?? 0) + by;
    if (inState === 0) counts.states.delete(state);
    else counts.states.set(state, inState);
    counts.unfinished += by;
    if (isOpen(task.phase)) counts.open += by;
    if (counts.unfinished === 0) this.#destinations.delete(key);
    else this.#destinations.set(key, counts);
  }
}

function newestFirst(tasks: TrackedTask[]): TrackedTask[] {
  return tasks.sort((a, b) => b.createdMs - a.createdMs || b.key - a.key);
}
