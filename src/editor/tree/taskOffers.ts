import { l10n } from 'vscode';
import { hasResponseFor } from '../../tasks/following/rereadResponses';
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
    return hasResponseFor('taskId', task) ? [choose] : [];
  }
  if (state === 'unknown' && report?.status !== undefined)
    return [{ command: 'datasetImport.chooseStatusMeaning', label: l10n.t('What Do These Statuses Mean?') }];
  if (!hasResponseFor('status', task)) return [];
  if (state === 'failed' && report?.message === undefined)
    return [{ command: 'datasetImport.chooseMessage', label: l10n.t('Choose the Message…') }];
  if (state !== 'unknown') return [];
  return [
    { command: 'datasetImport.chooseStatus', label: l10n.t('Choose the Status…') },
    { command: 'datasetImport.tellState', label: l10n.t('What Tells the State?…') },
  ];
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
  return task.taskIdFrom === undefined || !hasResponseFor('taskId', task);
}

/** A Markdown link that runs the command. */
export function offerLink({ command, label }: TaskOffer, taskKey: number): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([{ taskKey }]))})`;
}
