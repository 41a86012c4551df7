import { l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { TimelineEntry } from '../../tasks/rows/timeline';
import { partsOf } from '../../tasks/severalTasks';
import type { Attempt, TrackedTask } from '../../tasks/trackedTask';
import { formatDateTime } from '../platform/formatNumbers';
import { formatEarly, formatEnd, formatFailure, formatRefusal, formatSent } from '../platform/formatOutcome';
import { formatFailedCheck } from '../taskItems/formatCause';
import { formatIds } from '../taskItems/formatHeader';
import { formatKnownState } from '../taskItems/formatState';

/** A label or a time, and what belongs to it. */
export type Row = readonly [label: string, text: string];

/** When a task is checked next, in milliseconds since 1970, or that another window checks it. */
export type UpcomingCheck =
  | { readonly by: 'thisWindow'; readonly atMs: number; readonly isLatest: boolean }
  | { readonly by: 'otherWindow' };

/** What happened to a task, each with the time at which this window noticed it, and when it is checked next. */
export function timelineRows(
  task: TrackedTask,
  timeline: readonly TimelineEntry[],
  nextCheck: UpcomingCheck | undefined,
): Row[] {
  const events = timeline.flatMap((entry) => {
    const text = formatEvent(entry, task);
    const begins = entry.kind === 'queued' || entry.kind === 'sending';
    return text === undefined ? [] : [{ atMs: entry.atMs, order: begins ? 0 : 2, text }];
  });
  const attempts = task.attempts.map((attempt, index) => ({
    atMs: attempt.endedMs,
    order: 1,
    text: formatAttempt(attempt, index + 1),
  }));
  // Of equal times an attempt comes after what began it, and before what came of it.
  const all = [...events, ...attempts].sort((one, other) => one.atMs - other.atMs || one.order - other.order);
  return [...all.map(({ atMs, text }): Row => [formatDateTime(atMs), text]), ...nextRows(nextCheck)];
}

function nextRows(next: UpcomingCheck | undefined): Row[] {
  if (next === undefined) return [];
  if (next.by === 'otherWindow') return [['', l10n.t('Another window checks the status.')]];
  const label = next.isLatest ? l10n.t('Next status check, at the latest') : l10n.t('Next status check');
  return [[formatDateTime(next.atMs), label]];
}

/** How an attempt to send the file ended. */
function formatAttempt({ end, sentBytes, totalBytes }: Attempt, number: number): string {
  switch (end.kind) {
    case 'accepted':
      return sentBytes < totalBytes
        ? l10n.t('Attempt {0} was accepted. {1}', number, formatEarly())
        : l10n.t('Attempt {0} was accepted.', number);
    case 'rejected':
      return l10n.t('Attempt {0} was rejected: {1}', number, formatRefusal(end.refusal));
    case 'notSent':
      return l10n.t('Attempt {0} was not uploaded. {1}', number, formatFailure(end.failure));
    case 'unconfirmed':
      return sentBytes < totalBytes
        ? l10n.t('Attempt {0} is unconfirmed. {1} {2}', number, formatEnd(end), formatSent(sentBytes, totalBytes))
        : l10n.t('Attempt {0} is unconfirmed. {1}', number, formatEnd(end));
  }
}

/** Undefined for the end of an attempt, which is listed as such. */
function formatEvent(entry: TimelineEntry, task: TrackedTask): string | undefined {
  const { source, attempts } = task;
  switch (entry.kind) {
    case 'queued':
      return l10n.t('The import was queued.');
    case 'sending':
      return l10n.t('The upload started.');
    case 'accepted':
      if (source === undefined) return l10n.t('The task was added by its ID.');
      return attempts.some(({ end }) => end.kind === 'accepted') ? undefined : l10n.t('A task ID was attached.');
    case 'taskId':
      return formatIds(taskIdText(entry.taskId), partsOf(task)?.length ?? 1);
    case 'status':
      return entry.readAnew
        ? l10n.t('Mapping changed: {0}', formatStatus(entry))
        : l10n.t('Status check: {0}', formatStatus(entry));
    case 'queryError':
      return formatFailedCheck(entry.error);
    case 'notSent':
    case 'rejected':
    case 'unconfirmed':
      return undefined;
  }
}

/** The state in a report, with the status as the service words it. */
export function formatStatus({ status, meaning }: { readonly status?: string | undefined; meaning: string }): string {
  switch (meaning) {
    case 'none':
      return l10n.t('no status yet');
    case 'running':
    case 'succeeded':
    case 'failed': {
      const state = formatKnownState(meaning);
      return status === undefined ? state : l10n.t("{0} ('{1}')", state, status);
    }
    default:
      return status === undefined ? l10n.t('status not recognized') : l10n.t("status '{0}'", status);
  }
}
