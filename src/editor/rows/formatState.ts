import { env, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { unlistedId } from '../../tasks/severalTasks';
import { reportedState, type TaskState, type TrackedTask } from '../../tasks/trackedTask';
import { formatCount } from '../platform/formatNumbers';
import { shortText } from '../platform/outsideText';
import { unclearError } from './taskNeeds';

/** A task's state in a few words: of a stalled one what was reported last, of an unknown status the service's own. */
export function formatState(state: TaskState, task: TrackedTask): string {
  if (state === 'stalled') return formatState(reportedState(task), task);
  if (state !== 'unknown') return formatKnownState(state);
  const status = task.phase.kind === 'accepted' ? task.phase.report?.status : undefined;
  const taskId = unlistedId(task);
  if (unclearError(task) !== undefined) return l10n.t('success with an error');
  if (status !== undefined) return l10n.t("status '{0}'", shortText(status));
  if (taskId === undefined) return l10n.t('status not recognized');
  return l10n.t("task '{0}' is not in the response", shortText(taskIdText(taskId)));
}

/** A state of any tasks, in a few words. */
export function formatAnyState(state: TaskState): string {
  if (state === 'withoutId') return l10n.t('with unrecognized task ID');
  return state === 'unknown' ? l10n.t('with unrecognized status') : formatKnownState(state);
}

/** How many tasks are in a state. */
export function formatStateCount(state: TaskState, count: number): string {
  const shown = formatCount(count);
  switch (state) {
    case 'queued':
      return l10n.t('{0} queued', shown);
    case 'sending':
      return l10n.t('{0} importing', shown);
    case 'notSent':
      return l10n.t('{0} not uploaded', shown);
    case 'rejected':
      return l10n.t('{0} rejected', shown);
    case 'unconfirmed':
      return l10n.t('{0} unconfirmed', shown);
    case 'withoutId':
      return l10n.t('{0} with unrecognized task ID', shown);
    case 'waiting':
      return l10n.t('{0} accepted', shown);
    case 'noReport':
      return l10n.t('{0} accepted, no status yet', shown);
    case 'running':
      return l10n.t('{0} running', shown);
    case 'stalled':
      return l10n.t('{0} stalled', shown);
    case 'unknown':
      return l10n.t('{0} with unrecognized status', shown);
    case 'succeeded':
      return l10n.t('{0} succeeded', shown);
    case 'failed':
      return l10n.t('{0} failed', shown);
    case 'unreadable':
      return l10n.t('{0} damaged in the task database', shown);
  }
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
    case 'stalled':
      return l10n.t('stalled');
    case 'succeeded':
      return l10n.t('succeeded');
    case 'failed':
      return l10n.t('failed');
    case 'unreadable':
      return l10n.t('damaged in the task database');
  }
}
