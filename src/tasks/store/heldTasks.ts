import { isHeldAlways } from '../rows/listedFacts';
import type { TrackedTask } from '../trackedTask';

/** Max tasks held of those that have ended: more than a view shows. */
const MAX_ENDED = 2000;

/** The tasks in memory: all that are unfinished, and of those that have ended the ones that were put last. */
export class HeldTasks {
  readonly #unfinished = new Map<number, TrackedTask>();
  /** The one that was put last comes last. */
  readonly #ended = new Map<number, TrackedTask>();

  get(key: number): TrackedTask | undefined {
    return this.#unfinished.get(key) ?? this.#ended.get(key);
  }

  has(key: number): boolean {
    return this.#unfinished.has(key) || this.#ended.has(key);
  }

  put(task: TrackedTask): void {
    const [to, other] = isHeldAlways(task) ? [this.#unfinished, this.#ended] : [this.#ended, this.#unfinished];
    other.delete(task.key);
    if (to === this.#ended) to.delete(task.key);
    to.set(task.key, task);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }

  delete(key: number): boolean {
    return this.#unfinished.delete(key) || this.#ended.delete(key);
  }

  keys(): number[] {
    return [...this.#unfinished.keys(), ...this.#ended.keys()];
  }

  /** All of them, newest first. */
  get all(): TrackedTask[] {
    return newestFirst([...this.#unfinished.values(), ...this.#ended.values()]);
  }

  /** Those that are unfinished, newest first. */
  get unfinished(): TrackedTask[] {
    return newestFirst([...this.#unfinished.values()]);
  }
}

function newestFirst(tasks: TrackedTask[]): TrackedTask[] {
  return tasks.sort((a, b) => b.createdMs - a.createdMs || b.key - a.key);
}
