import { l10n } from 'vscode';
import { responseFor } from '../../tasks/following/rereadResponses';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';

/** A command that helps where what the service says of a task is not understood. */
export interface TaskOffer {
  readonly command: string;
  readonly label: string;
}

/** What to do about a task that is not understood; undefined where it is, or where there is no response to choose from. */
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

/** The link that does it, for a Markdown that trusts this one command. */
export function offerLink({ command, label }: TaskOffer, taskKey: number): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([{ taskKey }]))})`;
}
