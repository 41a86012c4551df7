import type { Outcome } from '../../service/response/outcome';
import { type Destination, destinationKey } from '../destination';
import type { LeaseState } from '../leases/leases';
import type { ServingWindow } from '../serving/servingWindow';
import { asSingle, taskIdsOf } from '../severalTasks';
import type { TaskList } from '../store/taskList';
import type { Clock } from '../timing/clock';
import { isUnfinished, isUnverified, type TrackedTask } from '../trackedTask';
import { type AskedQuestion, questionsOf, type Refresher } from './refresher';
import { type Asked, type NextCheck, nameOf, type Question, Schedule } from './schedule';

export interface FollowerDeps {
  readonly list: Pick<TaskList, 'get' | 'isUnsaved' | 'events'>;
  readonly refresher: Pick<Refresher, 'ask' | 'gateOf' | 'events' | 'endPauses'>;
  readonly serving: Pick<ServingWindow, 'canAsk' | 'forgetKeys' | 'pauseElsewhere' | 'events'>;
  readonly clock: Clock;
  /** Gets unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** Who checks a task that has not ended, and when next. */
export type Following = ({ readonly by: 'thisWindow' } & NextCheck) | { readonly by: 'otherWindow' };

/** What is queried for a task, and where. */
interface Followed {
  readonly at: DestinationFollower;
  readonly questions: readonly Question[];
}

/**
 * Follows the tasks of the destinations that this window serves to their end, whether or not a view is open. Nothing that
 * one destination does holds up another.
 */
export class Follower {
  readonly #deps: FollowerDeps;
  readonly #destinations = new Map<string, DestinationFollower>();
  /** By the tasks' keys. */
  readonly #followed = new Map<number, Followed>();

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    deps.list.events.on('change', (change) => {
      if (change.kind === 'list') for (const key of change.removed) this.#forget(key);
      for (const task of change.kind === 'list' ? change.added : change.tasks) this.#note(task);
    });
    deps.refresher.events.on('asked', (asked) => this.#onAsked(asked));
    deps.serving.events.on('turn', (state) => this.#onTurn(state));
  }

  /** Ends all queries under way. */
  dispose(): void {
    for (const destination of this.#destinations.values()) destination.dispose();
  }

  /** Makes failed queries due again, as their cause may be mended: a dataset or a key has changed. */
  endPauses(): void {
    this.#deps.serving.forgetKeys();
    this.#deps.refresher.endPauses();
    for (const destination of this.#destinations.values()) {
      destination.schedule.retryFailed();
      destination.proceed();
    }
  }

  /** Who checks a task; undefined where nobody does: it has ended, or its destination cannot be asked. */
  followingOf(task: TrackedTask): Following | undefined {
    const followed = this.#followed.get(task.key);
    if (followed === undefined) return undefined;
    const { at, questions } = followed;
    if (!at.isAllowed) return this.#deps.serving.pauseElsewhere(task) === undefined ? undefined : { by: 'otherWindow' };
    const gate = this.#deps.refresher.gateOf(task);
    const next = questions.flatMap((question) => at.schedule.nextCheck(question, gate.budget.intervalMs) ?? []);
    const [first] = next.sort((one, other) => one.inMs - other.inMs);
    if (first === undefined) return undefined;
    return { by: 'thisWindow', ...first, inMs: Math.max(first.inMs, gate.checkWaitMs) };
  }

  #onTurn({ held, heldUntilMs }: LeaseState): void {
    for (const [key, at] of this.#destinations) {
      const isAllowed = held.has(key) && this.#deps.serving.canAsk(at.destination);
      at.allowUntil(isAllowed ? heldUntilMs : Number.NEGATIVE_INFINITY);
    }
  }

  #forget(key: number): void {
    const { at, questions } = this.#followed.get(key) ?? { questions: [] };
    for (const question of questions) at?.schedule.remove(question);
    this.#followed.delete(key);
  }

  /** Puts into the schedule what is to be queried for a task, and removes what is not any more. */
  #note(task: TrackedTask): void {
    const before = this.#followed.get(task.key);
    const isFollowed = isUnfinished(task);
    if (before === undefined && !isFollowed) return;
    const questions = isFollowed ? questionsOf(task) : [];
    const at = isFollowed ? this.#at(task) : before?.at;
    const names = new Set(questions.map(nameOf));
    for (const question of before?.questions ?? []) {
      if (at === before?.at && names.has(nameOf(question))) continue;
      if (at === before?.at && hasEnded(task, question)) before?.at.schedule.end(question);
      else before?.at.schedule.remove(question);
    }
    if (!isFollowed || at === undefined) {
      this.#followed.delete(task.key);
      return;
    }
    this.#followed.set(task.key, { at, questions });
    const { attempts, createdMs, checkedMs } = task;
    const bornMs = this.#monotonicMs(attempts.at(-1)?.endedMs ?? createdMs);
    const changedMs = checkedMs === undefined ? bornMs : this.#monotonicMs(checkedMs);
    for (const question of questions) {
      const { phase } = asSingle(task, question.taskId);
      at.schedule.set(question, { bornMs, changedMs, isUnverified: isUnverified(phase) });
    }
    at.proceed();
  }

  #at(task: Destination): DestinationFollower {
    const key = destinationKey(task);
    const known = this.#destinations.get(key);
    if (known !== undefined) return known;
    const { dataset, origin } = task;
    const destination = new DestinationFollower({ dataset, origin }, this.#deps);
    this.#destinations.set(key, destination);
    return destination;
  }

  #onAsked({ question, outcome }: AskedQuestion): void {
    const followed = this.#followed.get(question.key);
    followed?.at.schedule.asked(question, askedBy(outcome));
    followed?.at.proceed();
  }

  /** A time of the wall clock by the clock that durations are measured with. */
  #monotonicMs(wallMs: number): number {
    const { clock } = this.#deps;
    return clock.monotonicMs() - Math.max(0, clock.now() - wallMs);
  }
}

/** Whether a task that is not queried any more, or one of its ids, has ended: otherwise it was removed or corrected. */
function hasEnded(task: TrackedTask, { taskId }: Question): boolean {
  return task.phase.kind === 'accepted' && taskIdsOf(task).includes(taskId);
}

/** Asks about the tasks of one destination by its schedule, a few at a time, while this window is allowed to. */
class DestinationFollower {
  readonly destination: Destination;
  readonly schedule: Schedule;
  readonly #deps: FollowerDeps;
  readonly #stop = new AbortController();
  #underWay = 0;
  /** Until when this window may ask, by the clock's `monotonicMs`. */
  #allowedUntilMs = Number.NEGATIVE_INFINITY;
  #forgetTimer = () => {};

  constructor(destination: Destination, deps: FollowerDeps) {
    this.destination = destination;
    this.schedule = new Schedule(deps.clock);
    this.#deps = deps;
  }

  /** Whether this window asks at present. */
  get isAllowed(): boolean {
    return this.#deps.clock.monotonicMs() < this.#allowedUntilMs;
  }

  /** Allows this window to ask until then, or forbids it by a time that is over. */
  allowUntil(ms: number): void {
    this.#allowedUntilMs = ms;
    this.proceed();
  }

  /** Sends what is due and allowed, and comes back when more is. To be called whenever the schedule has changed. */
  proceed(): void {
    this.#forgetTimer();
    const { refresher, clock, list } = this.#deps;
    const gate = refresher.gateOf(this.destination);
    while (this.#underWay < gate.checksAtOnce && this.isAllowed && !this.#stop.signal.aborted) {
      const dueMs = this.schedule.waitMs;
      if (dueMs === undefined) return;
      const waitMs = Math.ceil(Math.max(dueMs, gate.checkWaitMs));
      const question = waitMs > 0 ? undefined : this.schedule.next();
      if (question === undefined) {
        this.#forgetTimer = clock.after(waitMs, () => this.proceed());
        return;
      }
      // While it cannot be stored, each response about it would take more memory.
      if (list.isUnsaved(question.key)) this.schedule.asked(question, 'responded');
      else void this.#ask(question);
    }
  }

  /** Ends all queries under way. */
  dispose(): void {
    this.#stop.abort();
    this.#forgetTimer();
  }

  async #ask(question: Question): Promise<void> {
    this.#underWay += 1;
    const { refresher, serving, onError } = this.#deps;
    try {
      const refreshed = await refresher.ask(this.destination, question, this.#stop.signal);
      if (refreshed === undefined) {
        // This window perhaps cannot ask the destination any more; it does not until it is allowed to again.
        this.#allowedUntilMs = Number.NEGATIVE_INFINITY;
        serving.forgetKeys(this.destination);
      }
    } catch (error) {
      onError(error);
      this.schedule.asked(question, 'failed');
    } finally {
      // Where there was an outcome, the schedule has it already.
      this.schedule.asked(question, 'dropped');
      this.#underWay -= 1;
      this.proceed();
    }
  }
}

/** What an outcome means for the schedule. A busy service says nothing against the task, and pauses its destination itself. */
function askedBy(outcome: Outcome<unknown>): Asked {
  if (outcome.kind === 'accepted' || (outcome.kind === 'rejected' && outcome.tryLater)) return 'responded';
  return 'retryAfterMs' in outcome ? 'responded' : 'failed';
}
