import { l10n } from 'vscode';
import { tellsOfParts } from '../../../service/request/missingPart';
import { hasResponseFor } from '../../../tasks/following/rereadResponses';
import type { WhyNotAsked } from '../../../tasks/following/whyNotAsked';
import { reportsOf, singlesOf } from '../../../tasks/severalTasks';
import { type KeptRefusal, type TrackedTask, taskState } from '../../../tasks/trackedTask';

/** The commands that help with a task that is not understood, or that the service rejected. */
export const HELP_COMMANDS = [
  ...(['chooseTaskId', 'chooseStatusMeaning', 'chooseMessage', 'chooseStatus', 'tellState'] as const),
  ...(['replaceAccessKey', 'editRequest', 'attachTaskId'] as const),
] as const;

export type HelpCommand = (typeof HELP_COMMANDS)[number];

/**
 * The commands that a task needs, the likeliest first. Its row, its tooltip and its messages offer them for as long as it
 * does, and only then does one of their buttons or links do anything. `why` is the reason why its service cannot be asked.
 */
export function neededCommands(task: TrackedTask, why: WhyNotAsked | undefined): readonly HelpCommand[] {
  return hasDataset(why) ? [...toUnderstand(task), ...toBeAccepted(task)] : [];
}

/** The commands that can change something for a task: those that it needs, and those that change an earlier choice. */
export function usefulCommands(task: TrackedTask, why: WhyNotAsked | undefined): readonly HelpCommand[] {
  if (!hasDataset(why)) return [];
  const useful: readonly HelpCommand[] = [
    ...neededCommands(task, why),
    ...(!hasResponseFor('taskId', task) ? [] : (['chooseTaskId'] as const)),
    ...(!hasResponseFor('status', task) ? [] : (['chooseStatus', 'tellState'] as const)),
    ...(taskState(task) === 'failed' && hasResponseFor('message', task) ? (['chooseMessage'] as const) : []),
    ...(singlesOf(task).some((one) => statusOf(one) !== undefined) ? (['chooseStatusMeaning'] as const) : []),
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
    case 'tellState':
      return l10n.t('Edit State Rules…');
    case 'chooseStatusMeaning':
      return l10n.t('Map Statuses…');
    case 'chooseMessage':
      return l10n.t('Choose the Message…');
    case 'editRequest':
      return l10n.t('Edit Request…');
    case 'replaceAccessKey':
      return l10n.t('Replace Access Key…');
  }
}

/** What the link of a tooltip or the button of a message hands to its command: a task, as far as it needs the command. */
export interface OfferTarget {
  readonly taskKey: number;
  readonly isOffer: true;
}

/** A Markdown link that runs the command. */
export function helpLink(command: HelpCommand, taskKey: number): string {
  const target: OfferTarget = { taskKey, isOffer: true };
  return `[${formatHelp(command)}](command:${commandId(command)}?${encodeURIComponent(JSON.stringify([target]))})`;
}

export function commandId(command: HelpCommand): `datasetImport.${HelpCommand}` {
  return `datasetImport.${command}`;
}

/** The status of a task as the service words it. */
export function statusOf({ phase }: TrackedTask): string | undefined {
  return phase.kind === 'accepted' ? phase.report?.status : undefined;
}

/** The place of an error of which it is to be said what it means beside a success; of several tasks that of the first. */
export function unclearError(task: TrackedTask): string | undefined {
  return reportsOf(task).find(({ meaning, error }) => meaning === 'unknown' && error !== undefined)?.error;
}

/** What tells its ID, its state, what its status means, or why it failed; of several tasks also the meaning of one. */
function toUnderstand(task: TrackedTask): readonly HelpCommand[] {
  if (isWithoutId(task)) return !hasResponseFor('taskId', task) ? ['attachTaskId'] : ['chooseTaskId'];
  const hasNewStatus = singlesOf(task).some(
    (one) => taskState(one) === 'unknown' && statusOf(one) !== undefined && unclearError(one) === undefined,
  );
  const meaning: readonly HelpCommand[] = hasNewStatus ? ['chooseStatusMeaning'] : [];
  const state = taskState(task);
  const isUnknown = state === 'unknown' && statusOf(task) === undefined;
  const lacksMessage = state === 'failed' && task.phase.kind === 'accepted' && task.phase.report?.message === undefined;
  const hasResponse = hasResponseFor('status', task);
  if (unclearError(task) !== undefined && hasResponse) return ['tellState', ...meaning];
  if ((!isUnknown && !lacksMessage) || !hasResponse) return meaning;
  return [...meaning, ...(isUnknown ? (['chooseStatus', 'tellState'] as const) : (['chooseMessage'] as const))];
}

/** What helps after the service rejected an import or the last query: another key, request, or ID. */
function toBeAccepted(task: TrackedTask): readonly HelpCommand[] {
  const { phase, lastQueryError, taskId } = task;
  const rejectedQuery = phase.kind === 'accepted' && lastQueryError?.kind === 'rejected' ? lastQueryError : undefined;
  const rejected = phase.kind === 'rejected' ? phase : rejectedQuery;
  if (rejected === undefined) return [];
  if (rejected.badKey) return ['replaceAccessKey'];
  if (namesKey(rejected.refusal)) return ['replaceAccessKey', 'editRequest'];
  // Where every query so far was rejected, the ID may be wrong.
  const mayHaveWrongId = phase.kind === 'accepted' && phase.report === undefined && taskId !== undefined;
  // What is rejected at first and for no plain reason may be so for its key.
  const isUnexplained = phase.kind === 'rejected' && isUnexplainedRefusal(phase.refusal);
  if (!mayHaveWrongId) return isUnexplained ? ['editRequest', 'replaceAccessKey'] : ['editRequest'];
  const isTyped = task.taskIdFrom === undefined || !hasResponseFor('taskId', task);
  return ['editRequest', isTyped ? 'attachTaskId' : 'chooseTaskId'];
}

/** What services say of an access key in codes and words of their own. */
const KEY_WORDS =
  /^\D{0,4}40[13]\b|access[ _-]?key|api[ _-]?key|credential|unauthori[sz]ed|authenticat|(?:bad|invalid|wrong|expired|missing) (?:key|token)|密钥|鉴权|未授权/i;

/** Whether a service seems to mind the access key, though its code is not known to mean that. */
export function namesKey(refusal: KeptRefusal): boolean {
  switch (refusal.by) {
    case 'envelope':
      return KEY_WORDS.test(`${refusal.code}: ${refusal.message ?? ''}`);
    case 'status':
      return KEY_WORDS.test(refusal.excerpt);
    case 'redirect':
      return false;
  }
}

/** Whether a service rejects a request by a code of its own, in words that say nothing of the request. */
export function isUnexplainedRefusal(refusal: KeptRefusal): boolean {
  return refusal.by === 'envelope' && !tellsOfParts(refusal.message ?? '');
}

function isWithoutId(task: TrackedTask): boolean {
  return taskState(task) === 'withoutId';
}

/** Whether a task's dataset is there, at the origin where the task is: else no choice could be saved for it. */
export function hasDataset(why: WhyNotAsked | undefined): boolean {
  return why === undefined || why.kind === 'noKey';
}
