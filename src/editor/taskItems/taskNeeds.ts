import { l10n } from 'vscode';
import { SANDBOX_NAME } from '../../service/contract/dataset';
import { hasResponseFor, isRepeatedId } from '../../tasks/following/keptResponses';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { singlesOf } from '../../tasks/severalTasks';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { unclearExpression } from './formatState';

/** The commands that help with a task that is not understood, or that the service rejected. */
export const HELP_COMMANDS = [
  'mapStatuses',
  'mapResponses',
  'replaceAccessKey',
  'editRequest',
  'attachTaskId',
] as const;

export type HelpCommand = (typeof HELP_COMMANDS)[number];

/**
 * The commands that a task needs, the likeliest first. Its row and its messages offer them for as long as it does, and only
 * then does a button of a message do anything. `why` is the reason why its service cannot be asked.
 */
export function neededCommands(task: TrackedTask, why: WhyWaits | undefined): readonly HelpCommand[] {
  return hasDataset(why) ? [...toBeAccepted(task), ...toUnderstand(task), ...toContinue(why)] : [];
}

/** The commands that can change something for a task: those that it needs, and those that change an earlier choice. */
export function usefulCommands(task: TrackedTask, why: WhyWaits | undefined): readonly HelpCommand[] {
  if (!hasDataset(why)) return [];
  const useful: readonly HelpCommand[] = [
    ...neededCommands(task, why),
    ...(hasResponseFor('taskId', task) || hasResponseFor('status', task) ? (['mapResponses'] as const) : []),
    ...(singlesOf(task).some((one) => statusOf(one) !== undefined) ? (['mapStatuses'] as const) : []),
    ...(isWithoutId(task) || task.phase.kind === 'unconfirmed' ? (['attachTaskId'] as const) : []),
  ];
  return [...new Set(useful)];
}

export function formatHelp(command: HelpCommand): string {
  switch (command) {
    case 'mapResponses':
      return l10n.t('Map Responses…');
    case 'mapStatuses':
      return l10n.t('Map Statuses…');
    case 'attachTaskId':
      return l10n.t('Attach Task ID…');
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

/** What was not understood of the responses about a task: a field, the meaning of its status, or what the state expression yielded. */
export function missingIn(task: TrackedTask): 'taskId' | 'status' | 'message' | 'meaning' | 'state' | undefined {
  if (isWithoutId(task) || isRepeatedId(task) || mayHaveWrongId(task)) return 'taskId';
  if (unclearExpression(task) !== undefined) return 'state';
  if (singlesOf(task).some((one) => taskState(one) === 'unknown' && statusOf(one) !== undefined)) return 'meaning';
  const state = taskState(task);
  if (state === 'unknown' && statusOf(task) === undefined) return 'status';
  const { phase } = task;
  return state === 'failed' && phase.kind === 'accepted' && phase.report?.message === undefined ? 'message' : undefined;
}

function toUnderstand(task: TrackedTask): readonly HelpCommand[] {
  const missing = missingIn(task);
  if (missing === undefined) return [];
  const mapResponses = hasResponseFor(missing === 'taskId' ? missing : 'status', task)
    ? (['mapResponses'] as const)
    : [];
  if (missing === 'meaning') return ['mapStatuses', ...mapResponses];
  if (missing !== 'taskId') return mapResponses;
  const isTyped = task.taskId !== undefined && task.taskIdFrom === undefined;
  return isTyped || mapResponses.length === 0 ? ['attachTaskId'] : mapResponses;
}

/** If every query so far was rejected, the ID may be wrong. */
function mayHaveWrongId({ phase, lastQueryError, taskId }: TrackedTask): boolean {
  const isUnreported = phase.kind === 'accepted' && phase.report === undefined && taskId !== undefined;
  return isUnreported && lastQueryError?.kind === 'rejected' && !lastQueryError.badKey;
}

/** What helps after the service rejected an import or the last query: another key or request. */
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
  return ['editRequest', ...key];
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
