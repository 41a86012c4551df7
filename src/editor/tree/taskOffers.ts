import { l10n } from 'vscode';
import { responseFor } from '../../tasks/following/rereadResponses';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';

/** A command that maps the response about a task. */
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
  if (state === 'unknown' && report?.status !== undefined)
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

/** A Markdown link that runs the command. */
export function offerLink({ command, label }: TaskOffer, taskKey: number): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([{ taskKey }]))})`;
}
