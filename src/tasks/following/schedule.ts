import type { TaskId } from '../../service/json/taskId';
import type { Clock } from '../timing/clock';
import { type Due, DueHeap } from './dueHeap';

/** From so many unfinished tasks on, queries go to the oldest for as long as these have ended. */
const MANY = 50;
/** When a task is queried again of which it was reported for the first time that it failed, ahead of all others. */
const VERIFY_MS = 10_000;
const MIN_INTERVAL_MS = 2000;
const MAX_INTERVAL_MS = 60_000;
/** The interval after so long without a change. */
export const QUIET_AFTER_MS = 24 * 60 * 60_000;
const QUIET_INTERVAL_MS = 60 * 60_000;
/** How long a task is not queried after a query of it failed; four times as long after each further one, up to an hour. */
const FAILED_INTERVAL_MS = 30_000;
const FAILED_FACTOR = 4;
const MAX_FAILED_INTERVAL_MS = 60 * 60_000;
/** Of many, how many are queried in turn after the oldest had not ended: so that half of the queries more is the worst. */
const IN_TURN = 2;
/** Max tasks that are looked past for the oldest one that was not queried just now. */
const REACH = 32;
/** Within this time, many tasks that are found at once are queried in no particular order. */
const SPREAD_MS = 1000;

/** A query: the task's key, and the id of it or of one of its several tasks. */
export interface Question {
  readonly key: number;
  readonly taskId: TaskId;
}

/** What is known of the task of a question, by the clock's `monotonicMs`; it may have begun before the clock did. */
export interface Known {
  readonly bornMs: number;
  /** When anything new was last reported of it. */
  readonly changedMs: number;
  /** Whether it was reported for the first time that it failed. */
  readonly isUnverified?: boolean;
}

/** What came of a query. */
export type Asked =
  | 'responded'
  | 'failed'
  /** It was not sent, or has no outcome. */
  | 'dropped';

/** When a task is queried next. */
export interface NextCheck {
  readonly inMs: number;
  /** Whether it may be sooner, as the task waits for its turn among many. */
  readonly isLatest: boolean;
}

interface Entry extends Due {
  readonly question: Question;
  readonly bornMs: number;
  changedMs: number;
  isUnverified: boolean;
  /** When it was last queried; undefined before the first time. */
  askedMs: number | undefined;
  /** Queries that failed, one after another. */
  failures: number;
  /** Set while it is being queried: whether as the oldest. */
  asking: 'asOldest' | 'inTurn' | undefined;
}

/**
 * Decides which of a destination's unfinished tasks to query next, and when. A few are queried in intervals that
 * grow with their age. Of many, the oldest is queried for as long as it has ended, and then the next oldest, since most
 * services work in order; otherwise all are queried in turn. No task is ever given up. Knows neither timers nor the network.
 */
export class Schedule {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'random'>;
  /** The oldest first, as they are added in this order but for a few. */
  readonly #entries = new Map<string, Entry>();
  readonly #heap = new DueHeap<Entry>();
  /** How many of many are to be queried in turn before the oldest. */
  #inTurn = 0;
  readonly #unverified = new Set<Entry>();

  constructor(clock: Pick<Clock, 'monotonicMs' | 'random'>) {
    this.#clock = clock;
  }

  /** How many questions there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Adds the question about a task that has not ended, or what is known of it now. */
  set(question: Question, { bornMs, changedMs, isUnverified = false }: Known): void {
    const known = this.#entries.get(nameOf(question));
    if (known !== undefined) {
      if (changedMs <= known.changedMs && isUnverified === known.isUnverified) return;
      known.changedMs = changedMs;
      this.#setUnverified(known, isUnverified);
      if (known.asking === undefined) this.#defer(known);
      return;
    }
    const spreadMs = this.size < MANY ? 0 : Math.floor(SPREAD_MS * this.#clock.random());
    const dueMs = Math.max(bornMs + MIN_INTERVAL_MS, this.#clock.monotonicMs()) + spreadMs;
    const entry: Entry = {
      ...{ question, bornMs, changedMs, dueMs, heapIndex: -1 },
      ...{ isUnverified, askedMs: undefined, failures: 0, asking: undefined },
    };
    this.#setUnverified(entry, isUnverified);
    this.#entries.set(nameOf(question), entry);
    this.#heap.add(entry);
  }

  /** The task of a question has ended. */
  end(question: Question): void {
    const entry = this.#entries.get(nameOf(question));
    if (entry === undefined) return;
    if (entry.asking === 'asOldest') this.#inTurn = 0;
    this.remove(question);
  }

  /** A question is not to be asked any more, and it is not known to have ended. */
  remove(question: Question): void {
    const entry = this.#entries.get(nameOf(question));
    if (entry === undefined) return;
    this.#entries.delete(nameOf(question));
    if (entry.asking === undefined) this.#heap.remove(entry);
    this.#unverified.delete(entry);
  }

  /** The question to ask now, which is then being asked; undefined where none is due. */
  next(): Question | undefined {
    const nowMs = this.#clock.monotonicMs();
    const { first } = this.#heap;
    if (first === undefined || first.dueMs > nowMs) return undefined;
    const urgent = firstDue([...this.#unverified], nowMs);
    if (urgent !== undefined) return this.#ask(urgent, 'inTurn');
    const oldest = this.size < MANY || this.#inTurn > 0 ? undefined : this.#oldestDue(nowMs);
    if (oldest !== undefined) return this.#ask(oldest, 'asOldest');
    this.#inTurn = Math.max(0, this.#inTurn - 1);
    return this.#ask(first, 'inTurn');
  }

  /** Milliseconds until a question is due; undefined where there is none. */
  get waitMs(): number | undefined {
    const { first } = this.#heap;
    return first && Math.max(0, first.dueMs - this.#clock.monotonicMs());
  }

  /** What came of asking a question, which this schedule chose or a person. */
  asked(question: Question, result: Asked): void {
    const entry = this.#entries.get(nameOf(question));
    if (entry === undefined) return;
    const { asking } = entry;
    if (result !== 'dropped') {
      entry.askedMs = this.#clock.monotonicMs();
      entry.failures = result === 'failed' ? entry.failures + 1 : 0;
      if (asking === 'asOldest') this.#inTurn = IN_TURN;
    }
    entry.asking = undefined;
    if (asking !== undefined) this.#heap.add(entry);
    this.#defer(entry);
  }

  /** Makes every question due that is deferred, as its query failed and the cause may be mended. */
  retryFailed(): void {
    for (const entry of this.#entries.values()) {
      if (entry.failures === 0) continue;
      entry.failures = 0;
      if (entry.asking === undefined) this.#heap.move(entry, this.#clock.monotonicMs());
    }
  }

  /** When a task is queried next, where a query is sent every `intervalMs`. */
  nextCheck(question: Question, intervalMs: number): NextCheck | undefined {
    const entry = this.#entries.get(nameOf(question));
    if (entry === undefined) return undefined;
    const dueInMs = Math.max(0, entry.dueMs - this.#clock.monotonicMs());
    const roundMs = this.size < MANY ? 0 : this.size * intervalMs;
    return { inMs: Math.max(dueInMs, roundMs), isLatest: roundMs > dueInMs };
  }

  #ask(entry: Entry, asking: Entry['asking']): Question {
    this.#heap.remove(entry);
    entry.asking = asking;
    return entry.question;
  }

  /** The oldest one that can be queried: of many, it is not left alone for as long as the others. */
  #oldestDue(nowMs: number): Entry | undefined {
    let steps = 0;
    for (const entry of this.#entries.values()) {
      if (steps === REACH) return undefined;
      // Those that fail are queried in turn only.
      if (entry.failures > 0) continue;
      steps += 1;
      const dueMs = entry.askedMs === undefined ? entry.dueMs : entry.askedMs + MIN_INTERVAL_MS;
      if (entry.asking === undefined && dueMs <= nowMs) return entry;
    }
    return undefined;
  }

  #setUnverified(entry: Entry, isUnverified: boolean): void {
    entry.isUnverified = isUnverified;
    if (isUnverified) this.#unverified.add(entry);
    else this.#unverified.delete(entry);
  }

  /** Puts off an entry that was queried until it is due again. */
  #defer(entry: Entry): void {
    if (entry.askedMs === undefined) return;
    this.#heap.move(entry, entry.askedMs + Math.max(this.#intervalMs(entry, entry.askedMs), failedMs(entry.failures)));
  }

  #intervalMs({ bornMs, changedMs, isUnverified }: Entry, askedMs: number): number {
    if (isUnverified) return VERIFY_MS;
    if (askedMs - Math.max(bornMs, changedMs) >= QUIET_AFTER_MS) return QUIET_INTERVAL_MS;
    const rootMs = Math.round(1000 * Math.sqrt(Math.max(0, askedMs - bornMs) / 1000));
    return Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, rootMs));
  }
}

function firstDue(entries: readonly Entry[], nowMs: number): Entry | undefined {
  const due = entries.filter(({ asking, dueMs }) => asking === undefined && dueMs <= nowMs);
  return due.reduce<Entry | undefined>((first, one) => (first && first.dueMs <= one.dueMs ? first : one), undefined);
}

/** How long a task is left alone after so many failed queries in a row. */
function failedMs(failures: number): number {
  if (failures === 0) return 0;
  return Math.min(FAILED_INTERVAL_MS * FAILED_FACTOR ** (failures - 1), MAX_FAILED_INTERVAL_MS);
}

/** Equal for equal questions only. */
export function nameOf({ key, taskId }: Question): string {
  return `${key} ${taskId}`;
}
