import { l10n } from 'vscode';
import { responseFor } from '../../tasks/following/rereadResponses';
import { reportsOf, singlesOf } from '../../tasks/severalTasks';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';

/** A command that helps with a task. */
export interface TaskOffer {
  readonly command: string;
  readonly label: string;
}

/** The commands for a task of which something is not known: its ID, its state, what its status means, why it failed. */
export function taskOffers(task: TrackedTask): TaskOffer[] {
  const state = taskState(task);
  const report = task.phase.kind === 'accepted' ? task.phase.report : undefined;
  if (state === 'withoutId') {
    const choose = { command: 'datasetImport.chooseTaskId', label: l10n.t('Choose the Task ID…') };
    return responseFor('taskId', task) === undefined ? [] : [choose];
  }
  if (lacksMeaning(task))
    return [{ command: 'datasetImport.chooseStatusMeaning', label: l10n.t('What Do These Statuses Mean?') }];
  if (responseFor('status', task) === undefined) return [];
  if (state === 'failed' && report?.message === undefined)
    return [{ command: 'datasetImport.chooseMessage', label: l10n.t('Choose the Message…') }];
  if (state !== 'unknown') return [];
  return [
    { command: 'datasetImport.chooseStatus', label: l10n.t('Choose the Status…') },
    { command: 'datasetImport.tellState', label: l10n.t('What Tells the State?…') },
  ];
}

/** Whether it is not known what the status of a task means, or that of one of several. */
export function lacksMeaning(task: TrackedTask): boolean {
  return singlesOf(task).some((one) => taskState(one) === 'unknown' && reportsOf(one)[0]?.status !== undefined);
}

/** The commands for a task whose import, or the last query about it, was rejected: what the message about it offered. */
export function requestOffers(task: TrackedTask): TaskOffer[] {
  if (rejectsKey(task)) {
    return [{ command: 'datasetImport.replaceAccessKey', label: l10n.t('Replace Access Key…') }];
  }
  if (!rejectsRequest(task)) return [];
  const edit = { command: 'datasetImport.editRequest', label: l10n.t('Edit Request…') };
  if (!mayHaveWrongId(task)) return [edit];
  const id = hasTypedId(task)
    ? { command: 'datasetImport.attachTaskId', label: l10n.t('Attach Task ID…') }
    : { command: 'datasetImport.chooseTaskId', label: l10n.t('Choose the Task ID…') };
  return [edit, id];
}

/** Whether the service rejected the access key of a task's import or of the last query about it. */
export function rejectsKey({ phase, lastQueryError }: TrackedTask): boolean {
  if (phase.kind === 'rejected') return phase.badKey === true;
  return phase.kind === 'accepted' && lastQueryError?.kind === 'rejected' && lastQueryError.badKey === true;
}

/** Whether the service rejected a task's import, or the last query about it, for something else than its key. */
export function rejectsRequest(task: TrackedTask): boolean {
  const { phase, lastQueryError } = task;
  const isRejected = phase.kind === 'rejected' || (phase.kind === 'accepted' && lastQueryError?.kind === 'rejected');
  return isRejected && !rejectsKey(task);
}

/** Whether the service rejected all queries about a task so far, so that its ID may be wrong. */
export function mayHaveWrongId(task: TrackedTask): boolean {
  const { phase, taskId } = task;
  return phase.kind === 'accepted' && taskId !== undefined && phase.report === undefined && rejectsRequest(task);
}

/** Whether the ID of a task was not read in a response from which it could be chosen. */
export function hasTypedId(task: TrackedTask): boolean {
  return task.taskIdFrom === undefined || responseFor('taskId', task) === undefined;
}

/** A Markdown link that runs the command. */
export function offerLink({ command, label }: TaskOffer, taskKey: number): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([{ taskKey }]))})`;
}
