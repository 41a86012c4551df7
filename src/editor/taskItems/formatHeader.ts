import { l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { taskIdsOf, unlistedId } from '../../tasks/severalTasks';
import { isUndecided, noProgressMs, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatDateTime } from '../platform/formatNumbers';
import { oneLine, shortText } from '../platform/outsideText';
import { formatFailedCheck, formatImportCause } from './formatCause';
import { capitalized, EXPRESSION_STATES, formatParts, formatState, unclearExpression } from './formatState';
import { formatNotChecked, formatWaits } from './formatWaits';
import { taskLabel } from './taskItem';
import { statusOf } from './taskNeeds';

/** The tooltip of a task's row, which ends with where the task and its file are. All else is in the task's details. */
export function taskTooltip(task: TrackedTask, nowMs: number, why?: WhyWaits): string {
  const ids = taskIdsOf(task).map((id) => shortText(taskIdText(id)));
  const [first] = ids;
  return [
    ...headerLines(task, nowMs, why).map(shortText),
    task.dataset,
    ...(first === undefined ? [] : [formatIds(first, ids.length)]),
    ...(task.source === undefined ? [] : [task.source.path]),
  ]
    .map(oneLine)
    .join('\n');
}

export function formatIds(first: string, count: number): string {
  return count === 1 ? l10n.t('Task ID: {0}', first) : l10n.t('Task IDs: {0} and {1} more', first, count - 1);
}

/** The name of a task, its state with the reason, and what that means for the user where the state is not certain. */
export function headerLines(task: TrackedTask, nowMs: number, why: WhyWaits | undefined): string[] {
  const state = capitalized(formatState(taskState(task), task));
  const stateLine = [state, ...formatParts(task), ...reasons(task)].join(' · ');
  return [taskLabel(task), stateLine, ...advice(task, nowMs, why)].map(oneLine);
}

/** Why a task is in its state, and why its last status check failed. */
function reasons(task: TrackedTask): string[] {
  const { phase, lastQueryError } = task;
  if (phase.kind !== 'accepted') return formatImportCause(task);
  const { message } = phase.report ?? {};
  const isUnexplained = message === undefined && taskState(task) === 'failed';
  return [
    ...(isUnexplained ? [l10n.t('No message was recognized in the response.')] : []),
    ...(message === undefined ? [] : [message]),
    ...(lastQueryError === undefined ? [] : [formatFailedCheck(lastQueryError)]),
  ];
}

/** What an uncertain state means, and what to do. */
function advice(task: TrackedTask, nowMs: number, why: WhyWaits | undefined): string[] {
  const state = taskState(task);
  if (isUndecided(task)) {
    if (why !== undefined) return [capitalized(formatNotChecked(why))];
    if (task.lastQueryError !== undefined)
      return [l10n.t('The state may have changed since the last successful check.')];
  }
  switch (state) {
    case 'queued':
      return why === undefined ? [] : [capitalized(formatWaits(why))];
    case 'unconfirmed':
      return [
        l10n.t(
          'The service may have received the file. If it has, attach the task ID. If it has not, retry the import. Retrying may create a duplicate.',
        ),
      ];
    case 'withoutId':
      return [l10n.t('The service accepted the file. To follow its task, choose or attach the task ID.')];
    case 'unknown':
      return [formatUnknown(task)];
    default:
      return formatNoProgress(task, nowMs);
  }
}

function formatNoProgress(task: TrackedTask, nowMs: number): string[] {
  const ms = noProgressMs(task, nowMs);
  return ms === undefined
    ? []
    : [
        l10n.t(
          'The service has reported no progress since {0}. The status is still checked.',
          formatDateTime(nowMs - ms),
        ),
      ];
}

function formatUnknown(task: TrackedTask): string {
  if (unclearExpression(task) !== undefined)
    return l10n.t(
      'The state expression must yield one of {0}. The task counts as unfinished until it does.',
      EXPRESSION_STATES,
    );
  if (statusOf(task) !== undefined)
    return l10n.t('The task counts as unfinished until you select what this status means.');
  return unlistedId(task) === undefined
    ? l10n.t('The task counts as unfinished until you choose the status.')
    : l10n.t('The response lists several tasks, but not this one. Choose where its status is.');
}
