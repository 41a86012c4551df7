import { l10n } from 'vscode';
import { responseFor } from '../../tasks/following/rereadResponses';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';

/** A command that maps the response about a task. */
export interface TaskOffer {
  readonly command: string;
  readonly label: string;
}

/** The command for a task whose ID, status or meaning is unknown; undefined where none applies. */
export function taskOffer(task: TrackedTask): TaskOffer | undefined {
  const state = taskState(task);
  if (state === 'withoutId' && responseFor('taskId', task) !== undefined)
    return { command: 'datasetImport.chooseTaskId', label: l10n.t('Choose the Task ID…') };
  if (state !== 'unknown' || task.phase.kind !== 'accepted') return undefined;
  if (task.phase.report?.status !== undefined)
    return { command: 'datasetImport.chooseStatusMeaning', label: l10n.t('What Does This Status Mean?') };
  if (responseFor('status', task) !== undefined)
    return { command: 'datasetImport.chooseStatus', label: l10n.t('Choose the Status…') };
  return undefined;
}

/** A Markdown link that runs the command. */
export function offerLink({ command, label }: TaskOffer, taskKey: number): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([{ taskKey }]))})`;
}
