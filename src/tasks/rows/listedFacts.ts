import type { SQLInputValue } from 'node:sqlite';
import {
  isOpen,
  isUnfinished,
  isUnverified,
  type QueryError,
  type TaskState,
  type TrackedTask,
  taskState,
} from '../trackedTask';
import { reasonOf } from './reason';

/** The states that need the user, in the order in which they are listed. The others come after them. */
export const PROBLEMS = ['failed', 'rejected', 'unconfirmed', 'notSent', 'withoutId', 'unknown'] as const;

/** The places of tasks in a list by state: one for each of {@link PROBLEMS}, and the last one for all others. */
export const RANKS: readonly number[] = [...PROBLEMS.keys(), PROBLEMS.length];

/** The condition on the column `rank` that holds for what is in one of {@link PROBLEMS}, as partial indexes have it. */
export const IS_PROBLEM = `rank < ${PROBLEMS.length}`;

/** The columns that repeat facts of a task in plain form, to list, filter and clear by. */
export const LISTED_COLUMNS = [
  ...['state', 'rank', 'unfinished', 'several', 'problem', 'reason', 'uploaded_ms', 'ended_ms'],
  ...['batch_id', 'name', 'path', 'size_bytes'],
] as const;

/** The values of these columns for a task. */
export function listedFacts(
  task: Omit<TrackedTask, 'key' | 'revision'>,
): Readonly<Record<(typeof LISTED_COLUMNS)[number], SQLInputValue>> {
  const { phase, source, batch, attempts } = task;
  const state = taskState(task);
  const unfinished = isHeldAlways(task);
  const rank = rankOf(state);
  const needsPerson = rank < PROBLEMS.length && !isUnverified(phase);
  const isProblem = needsPerson || (unfinished && isCheckRefused(task.lastQueryError));
  return {
    state,
    rank,
    unfinished: Number(unfinished),
    problem: Number(isProblem),
    reason: isProblem || rank < PROBLEMS.length ? reasonOf(task) : null,
    uploaded_ms: phase.kind === 'accepted' ? (attempts.at(-1)?.endedMs ?? null) : null,
    several: Number(phase.kind === 'accepted' && phase.parts !== undefined),
    ended_ms: unfinished ? null : endedMs(task),
    batch_id: batch?.id ?? null,
    name: source?.name ?? null,
    path: source?.path ?? null,
    size_bytes: source?.sizeBytes ?? null,
  };
}

/** Whether a task is an import that has not ended, or may still change at the service. */
export function isHeldAlways(task: Omit<TrackedTask, 'key' | 'revision'>): boolean {
  return isOpen(task.phase) || isUnfinished(task);
}

/** The place of a state in a list, as in {@link RANKS}. */
export function rankOf(state: TaskState): number {
  const rank = (PROBLEMS as readonly TaskState[]).indexOf(state);
  return rank === -1 ? PROBLEMS.length : rank;
}

/** Nobody asks the service about a task again that has ended there. */
function endedMs({ checkedMs, attempts, createdMs }: Omit<TrackedTask, 'key' | 'revision'>): number {
  return checkedMs ?? attempts.at(-1)?.endedMs ?? createdMs;
}

/**
 * Whether the service responded to the last status check in a way that no further check will change: it rejected it, or
 * its response is not one of an import service. Any other failure may pass by itself.
 */
export function isCheckRefused(error: QueryError | undefined): boolean {
  if (error === undefined) return false;
  if (error.kind === 'rejected') return true;
  return error.failure.name === 'BadResponseError' && error.failure.reason !== 'serverError';
}
