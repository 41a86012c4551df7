import { l10n } from 'vscode';
import { SANDBOX_NAME } from '../../service/contract/dataset';
import { hasResponseFor } from '../../tasks/following/keptResponses';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { singlesOf } from '../../tasks/severalTasks';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { unclearExpression } from './formatState';

/** The commands that help with a task that is not understood, or that the service rejected. */
export const HELP_COMMANDS = [
  ...(['chooseTaskId', 'mapStatuses', 'chooseMessage', 'chooseStatus'] as const),
  ...(['replaceAccessKey', 'editRequest', 'attachTaskId'] as const),
] as const;

export type HelpCommand = (typeof HELP_COMMANDS)[number];

/**
 * The commands that a task needs, the likeliest first. Its row and its messages offer them for as long as it does, and only
 * then does a button of a message do anything. `why` is the reason why its service cannot be asked.
 */
export function neededCommands(task: TrackedTask, why: WhyWaits | undefined): readonly HelpCommand[] {
  return hasDataset(why) ? [...toUnderstand(task), ...toBeAccepted(task), ...toContinue(why)] : [];
}

/** The commands that can change something for a task: those that it needs, and those that change an earlier choice. */
export function usefulCommands(task: TrackedTask, why: WhyWaits | undefined): readonly HelpCommand[] {
  if (!hasDataset(why)) return [];
  const useful: readonly HelpCommand[] = [
    ...neededCommands(task, why),
    ...(!hasResponseFor('taskId', task) ? [] : (['chooseTaskId'] as const)),
    ...(!hasResponseFor('status', task) ? [] : (['chooseStatus'] as const)),
    ...(taskState(task) === 'failed' && hasResponseFor('message', task) ? (['chooseMessage'] as const) : []),
    ...(singlesOf(task).some((one) => statusOf(one) !== undefined) ? (['mapStatuses'] as const) : []),
    ...(isWithoutId(task) || task.phase.kind === 'unconfirmed' ? (['attachTaskId'] as const) : []),
  ];
  return [...new Set(useful)];
}

export function formatHelp(command: HelpCommand): string {
  switch (command) {
    case 'chooseTaskId':
      return l10n.t('Choose the Task ID…');
    case 'attachTaskId':
      return l10n.t('Attach Task ID…');
    case 'chooseStatus':
      return l10n.t('Choose the Status…');
    case 'mapStatuses':
      return l10n.t('Map Statuses…');
    case 'chooseMessage':
      return l10n.t('Choose the Message…');
    case 'editRequest':
      return l10n.t('Edit Request…');
    case 'replaceAccessKey':
      return l10n.t('Replace Access Key…');
  }
}

/** The status of a task as the service words it. */
export function statusOf({ phase }: TrackedTask): string | undefined {
  return phase.kind === 'accepted' ? phase.report?.status : undefined;
}

/** What decides its ID, its state, the meaning of its status, or why it failed; of several tasks also the meaning of one. */
function toUnderstand(task: TrackedTask): readonly HelpCommand[] {
  if (isWithoutId(task)) return !hasResponseFor('taskId', task) ? ['attachTaskId'] : ['chooseTaskId'];
  if (unclearExpression(task) !== undefined) return hasResponseFor('status', task) ? ['chooseStatus'] : [];
  const hasNewStatus = singlesOf(task).some((one) => taskState(one) === 'unknown' && statusOf(one) !== undefined);
  const meaning: readonly HelpCommand[] = hasNewStatus ? ['mapStatuses'] : [];
  const state = taskState(task);
  const isUnknown = state === 'unknown' && statusOf(task) === undefined;
  const lacksMessage = state === 'failed' && task.phase.kind === 'accepted' && task.phase.report?.message === undefined;
  const hasResponse = hasResponseFor('status', task);
  if ((!isUnknown && !lacksMessage) || !hasResponse) return meaning;
  return [...meaning, isUnknown ? 'chooseStatus' : 'chooseMessage'];
}

/** What helps after the service rejected an import or the last query: another key, request, or ID. */
function toBeAccepted(task: TrackedTask): readonly HelpCommand[] {
  const { phase, lastQueryError, source, dataset } = task;
  const rejectedQuery = phase.kind === 'accepted' && lastQueryError?.kind === 'rejected' ? lastQueryError : undefined;
  const rejected = phase.kind === 'rejected' ? phase : rejectedQuery;
  if (rejected === undefined) return [];
  if ('badKey' in rejected && rejected.badKey) return ['replaceAccessKey'];
  // Nothing of this task shows that the service accepts the access key. That of the sandbox is fixed.
  const isUnreported = phase.kind === 'accepted' && phase.report === undefined;
  const isKeyInDoubt = phase.kind === 'rejected' || (isUnreported && source === undefined);
  const key = isKeyInDoubt && dataset !== SANDBOX_NAME ? (['replaceAccessKey'] as const) : [];
  // Where every query so far was rejected, the ID may be wrong.
  const mayHaveWrongId = isUnreported && task.taskId !== undefined;
  if (!mayHaveWrongId) return ['editRequest', ...key];
  const isTyped = task.taskIdFrom === undefined || !hasResponseFor('taskId', task);
  return ['editRequest', ...key, isTyped ? 'attachTaskId' : 'chooseTaskId'];
}

/** What ends the pause of an import for good. */
function toContinue(why: WhyWaits | undefined): readonly HelpCommand[] {
  if (why?.kind !== 'paused') return [];
  const { kind } = why.pause.reason;
  return kind === 'badKey' || kind === 'noTarget' ? ['replaceAccessKey'] : [];
}

function isWithoutId(task: TrackedTask): boolean {
  return taskState(task) === 'withoutId';
}

/** Whether a task's dataset is there, at the origin where the task is: else no choice could be saved for it. */
export function hasDataset(why: WhyWaits | undefined): boolean {
  return why === undefined || why.kind === 'noKey' || why.kind === 'paused';
}
