import { env, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { endedCount, partsOf, reportsOf, unlistedId } from '../../tasks/severalTasks';
import type { TaskState, TrackedTask } from '../../tasks/trackedTask';
import { formatCount } from '../platform/formatNumbers';
import { shortText } from '../platform/outsideText';

/** A task's state in a few words; for an unknown status, the service's own. */
export function formatState(state: TaskState, task: TrackedTask): string {
  if (state !== 'unknown') return formatKnownState(state);
  const status = task.phase.kind === 'accepted' ? task.phase.report?.status : undefined;
  const taskId = unlistedId(task);
  const yielded = unclearExpression(task);
  if (yielded !== undefined) return l10n.t('state expression yielded {0}', shortText(yielded));
  if (status !== undefined) return l10n.t("status '{0}'", shortText(status));
  if (taskId === undefined) return l10n.t('status not recognized');
  return l10n.t("task '{0}' is not in the response", shortText(taskIdText(taskId)));
}

/** What a state expression must yield one of, as people read it. */
export const EXPRESSION_STATES = '"running", "succeeded", "failed"';

/** What the state expression yielded instead of a state; for several tasks, that of the first one. */
export function unclearExpression(task: TrackedTask): string | undefined {
  return reportsOf(task).find(({ meaning, byExpression }) => meaning === 'unknown' && byExpression !== undefined)
    ?.byExpression;
}

/** A state of any tasks, in a few words. */
export function formatAnyState(state: TaskState): string {
  if (state === 'withoutId') return l10n.t('with unrecognized task ID');
  return state === 'unknown' ? l10n.t('with unrecognized status') : formatKnownState(state);
}

/** How many tasks are in a state. */
export function formatStateCount(state: TaskState, count: number): string {
  return l10n.t({
    message: '{0} {1}',
    args: [formatCount(count), formatAnyState(state)],
    comment: ['How many tasks are in a state, such as "3 failed"'],
  });
}

/** A state as the name of a group. */
export function formatStateName(state: TaskState): string {
  return capitalized(formatAnyState(state));
}

/** Words as the beginning of a line. */
export function capitalized(words: string): string {
  return words.charAt(0).toLocaleUpperCase(env.language) + words.slice(1);
}

/** A state that says the same of all tasks, in a few words. */
export function formatKnownState(state: Exclude<TaskState, 'unknown'>): string {
  switch (state) {
    case 'queued':
      return l10n.t('queued');
    case 'sending':
      return l10n.t('importing');
    case 'notSent':
      return l10n.t('not uploaded');
    case 'rejected':
      return l10n.t('rejected');
    case 'unconfirmed':
      return l10n.t('unconfirmed');
    case 'withoutId':
      return l10n.t('task ID not recognized');
    case 'waiting':
      return l10n.t('accepted');
    case 'noReport':
      return l10n.t('accepted, no status yet');
    case 'running':
      return l10n.t('running');
    case 'succeeded':
      return l10n.t('succeeded');
    case 'failed':
      return l10n.t('failed');
  }
}

/** How many of the several tasks of a file have ended; nothing where there is only one. */
export function formatParts(task: TrackedTask): string[] {
  const parts = partsOf(task);
  if (parts === undefined) return [];
  const leftOut = task.phase.kind === 'accepted' ? task.phase.leftOut : undefined;
  const ended = endedCount(parts);
  return leftOut === undefined
    ? [l10n.t('{0} of {1} tasks ended', ended, parts.length)]
    : [l10n.t('{0} of {1} tasks ended, {2} more are not checked', ended, parts.length, leftOut)];
}
