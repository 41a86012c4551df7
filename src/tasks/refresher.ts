import type { ImportService } from '../service/importService';
import type { Outcome } from '../service/outcome';
import type { Target } from '../service/requests';
import type { TaskId } from '../service/taskId';
import type { TaskReport } from '../service/taskReport';
import type { Clock } from './clock';
import { fewAtATime } from './fewAtATime';
import { keptAnswer } from './keptAnswer';
import { LONGEST_PAUSE_MS } from './pace';
import { gotNoAnswer, retried } from './retrying';
import type { TaskList } from './taskList';
import type { TaskChange } from './taskStore';
import { failureOf, isUnfinished, keptRefusal, type TrackedTask } from './trackedTask';

/** How long a task that gave no report is not asked about by itself. */
const TROUBLE_PAUSE_MS = 30_000;
/** And where the service had too much to do and does not say how long to wait. */
const BUSY_PAUSE_MS = 5000;

/** How many tasks are asked about at once. */
const AT_ONCE = 4;

/** How long a task is left in peace. */
interface Pause {
  readonly untilMs: number;
  /** Whether the service has asked for it. */
  readonly isAsked: boolean;
}

/** The dataset's service, ready to be asked; undefined where it is not known or has no access key. */
export type FindTarget = (dataset: string) => Promise<Target | undefined>;

/** Asks the service how tasks are doing, through query-task, and records what it says. */
export class Refresher {
  readonly #service: ImportService;
  readonly #list: TaskList;
  readonly #findTarget: FindTarget;
  readonly #clock: Clock;
  readonly #asking = new Map<number, Promise<Outcome<TaskReport> | undefined>>();
  readonly #pauses = new Map<number, Pause>();

  constructor(service: ImportService, list: TaskList, findTarget: FindTarget, clock: Clock) {
    this.#service = service;
    this.#list = list;
    this.#findTarget = findTarget;
    this.#clock = clock;
  }

  /** Asks about one task, at most once at a time. Undefined where it has no id or its dataset cannot be asked. */
  async refresh({ key, dataset, taskId }: TrackedTask, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    if (taskId === undefined) return undefined;
    for (let asking = this.#asking.get(key); asking !== undefined; asking = this.#asking.get(key)) {
      const outcome = await asking;
      // Whoever asked may have stopped: that is no answer for us.
      if (!isCancelled(outcome) || signal.aborted) return outcome;
    }
    const asking = this.#ask(key, dataset, taskId, signal).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** Asks once about a task that need not be tracked, and keeps nothing. Undefined where its dataset cannot be asked. */
  async lookUp(dataset: string, taskId: TaskId, signal: AbortSignal): Promise<Outcome<TaskReport> | undefined> {
    const target = await this.#findTarget(dataset);
    if (target === undefined) return undefined;
    const ask = () => this.#service.queryTask(target, taskId, { signal });
    return await retried(ask, gotNoAnswer, signal, this.#clock);
  }

  /** Ends the pauses of tasks that gave no report, unless the service asked for them: what stood in the way may be mended. */
  endPauses(): void {
    for (const [key, { isAsked }] of this.#pauses) if (!isAsked) this.#pauses.delete(key);
  }

  /** Asks about every unfinished task, a few at a time; one that gave no report is left in peace for a while. */
  async refreshUnfinished(signal: AbortSignal): Promise<void> {
    const isDue = ({ key }: TrackedTask) => this.#clock.now() >= (this.#pauses.get(key)?.untilMs ?? 0);
    await fewAtATime(this.#list.tasks.filter(isDue), AT_ONCE, async ({ key }) => {
      // It may have ended, or gone, while others were asked about.
      const task = this.#list.get(key);
      if (!signal.aborted && task !== undefined && isUnfinished(task)) await this.refresh(task, signal);
    });
  }

  async #ask(
    key: number,
    dataset: string,
    taskId: TaskId,
    signal: AbortSignal,
  ): Promise<Outcome<TaskReport> | undefined> {
    const outcome = await this.lookUp(dataset, taskId, signal);
    if (outcome === undefined) return undefined;
    // Its id may have turned out to be another one meanwhile: this says nothing of it then.
    if (this.#list.get(key)?.taskId !== taskId) return outcome;
    if (isCancelled(outcome)) return outcome;
    const askedMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : undefined;
    const pauseMs = Math.min(askedMs ?? pauseMsAfter(outcome), LONGEST_PAUSE_MS);
    this.#pauses.set(key, { untilMs: this.#clock.now() + pauseMs, isAsked: askedMs !== undefined });
    const change = changeAfter(outcome, this.#clock.now());
    const isAskedAbout = (task: TrackedTask) => task.phase.kind === 'accepted' && task.taskId === taskId;
    if (change !== undefined) await this.#list.change(key, change, isAskedAbout);
    return outcome;
  }
}

function pauseMsAfter(outcome: Outcome<TaskReport>): number {
  switch (outcome.kind) {
    case 'accepted':
      return 0;
    case 'rejected':
      return outcome.tryLater ? BUSY_PAUSE_MS : TROUBLE_PAUSE_MS;
    case 'unconfirmed':
    case 'notSent':
      return TROUBLE_PAUSE_MS;
  }
}

function changeAfter(outcome: Outcome<TaskReport>, now: number): TaskChange | undefined {
  const lastAnswer = keptAnswer(outcome);
  const kept = lastAnswer === undefined ? {} : { lastAnswer };
  switch (outcome.kind) {
    case 'accepted':
      return {
        phase: { kind: 'accepted', report: outcome.taken },
        ...kept,
        checkedMs: now,
        trouble: undefined,
      };
    case 'rejected':
      // A service that is busy has said nothing of the task.
      if (outcome.tryLater) return undefined;
      return {
        trouble: {
          kind: 'rejected',
          refusal: keptRefusal(outcome.refusal),
          ...(outcome.badKey ? { badKey: true } : {}),
        },
        checkedMs: now,
        ...kept,
      };
    case 'notSent':
    case 'unconfirmed':
      return { trouble: { kind: 'failed', failure: failureOf(outcome.cause) } };
  }
}

function isCancelled(outcome: Outcome<TaskReport> | undefined): boolean {
  return outcome !== undefined && 'cause' in outcome && outcome.cause.name === 'CancelledError';
}
