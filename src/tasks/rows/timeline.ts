import type { DatabaseSync } from 'node:sqlite';
import { parseJson } from '../../service/json/json';
import type { TaskId } from '../../service/json/taskId';
import { prepared } from '../database/sqliteConnection';
import type { Phase, QueryError, TrackedTask } from '../trackedTask';

/** What happened to a task. */
export type TimelineEvent =
  /** It came into a phase: queued, being sent, accepted, … Each try is in the task's attempts. */
  | { readonly kind: Phase['kind'] }
  /** It got another task ID. */
  | { readonly kind: 'taskId'; readonly taskId: TaskId }
  /** The service reported another status; `readAnew` where a response that was there before was read in another way. */
  | { readonly kind: 'status'; readonly status?: string; readonly meaning: string; readonly readAnew?: true }
  /** The queries about it gave no report from then on. */
  | { readonly kind: 'queryError'; readonly error: QueryError };

/** An event of a task's timeline; `atMs` is in milliseconds since 1970. */
export type TimelineEntry = TimelineEvent & { readonly atMs: number };

/** Max entries of a task; where there are more, those in the middle go. */
export const MAX_ENTRIES = 200;

/** The timeline of a task, the first event first. */
export function readTimeline(db: DatabaseSync, key: number): TimelineEntry[] {
  const rows = prepared(db, 'SELECT at_ms, event FROM timeline WHERE key = ? ORDER BY seq').all(key);
  return rows.map((row) => ({
    ...(parseJson(String(row['event'])) as unknown as TimelineEvent),
    atMs: Number(row['at_ms']),
  }));
}

type Parts = Omit<TrackedTask, 'key' | 'revision'>;

/** Adds what changed in a task to its timeline; `before` is undefined for a new one. */
export function addToTimeline(
  db: DatabaseSync,
  key: number,
  before: TrackedTask | undefined,
  after: Parts,
  nowMs: number,
): void {
  const events = eventsBetween(before, after);
  if (events.length === 0) return;
  const last = before === undefined ? undefined : prepared(db, LAST).get(key)?.['seq'];
  for (const [index, event] of events.entries()) {
    const seq = Number(last ?? 0) + 1 + index;
    prepared(db, ADD).run(key, seq, nowMs, JSON.stringify(event));
    if (seq > MAX_ENTRIES) prepared(db, DROP_MIDDLE).run({ key, middle: MAX_ENTRIES / 2 });
  }
}

const LAST = 'SELECT max(seq) AS seq FROM timeline WHERE key = ?';

const ADD = 'INSERT INTO timeline VALUES (?, ?, ?, ?)';

const DROP_MIDDLE = `DELETE FROM timeline WHERE key = $key
  AND seq = (SELECT seq FROM timeline WHERE key = $key ORDER BY seq LIMIT 1 OFFSET $middle)`;

function eventsBetween(before: TrackedTask | undefined, after: Parts): TimelineEvent[] {
  const { phase, taskId, lastQueryError } = after;
  const events: TimelineEvent[] = [];
  if (phase.kind !== before?.phase.kind) events.push({ kind: phase.kind });
  if (taskId !== undefined && taskId !== before?.taskId) events.push({ kind: 'taskId', taskId });
  const status = statusEvent(after);
  if (status !== undefined && JSON.stringify(status) !== JSON.stringify(before && statusEvent(before)))
    events.push(before !== undefined && after.checkedMs === before.checkedMs ? { ...status, readAnew: true } : status);
  if (lastQueryError !== undefined && JSON.stringify(lastQueryError) !== JSON.stringify(before?.lastQueryError))
    events.push({ kind: 'queryError', error: lastQueryError });
  return events;
}

function statusEvent({ phase }: Parts): Extract<TimelineEvent, { readonly kind: 'status' }> | undefined {
  if (phase.kind !== 'accepted' || phase.report === undefined) return undefined;
  const { status, meaning } = phase.report;
  return { kind: 'status', ...(status !== undefined && { status }), meaning };
}
