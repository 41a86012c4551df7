import { l10n } from 'vscode';
import { SANDBOX_NAME } from '../../service/contract/dataset';
import { isSameDestination } from '../../tasks/destination';
import { newestTask } from '../../tasks/history/walk';
import type { TaskList } from '../../tasks/store/taskList';
import type { EndedPhase, TrackedTask } from '../../tasks/trackedTask';
import type { Announcements } from '../announcing/announcements';
import { replaceAccessKey } from '../datasets/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import type { MappingServices } from '../mapping/mapping';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import { readRejection } from '../requests/rejection';
import type { TasksView } from '../tree/tasksView';
import { importInRows } from './importAgain';
import { likelyHelp } from './repeatedRejections';

/** An import of a run, and how it ended. */
export interface EndedImport {
  readonly task: TrackedTask;
  readonly end: EndedPhase;
}

/** What the messages about imports work with. */
export interface ReportServices extends MappingServices {
  readonly announcements: Announcements;
  readonly tasksView: TasksView;
}

/** The buttons for a rejected import, the most helpful first; they import all of the `tasks` again. */
export async function helpAfterRejection(
  services: ReportServices,
  { task, end }: EndedImport,
  tasks: readonly TrackedTask[],
  retryLabel = l10n.t('Retry'),
): Promise<readonly Action[]> {
  const again = { label: retryLabel, run: () => importInRows(services, tasks) };
  const dataset = services.datasets.find(task.dataset);
  if (end.kind !== 'rejected' || dataset === undefined) return [again];
  const likely = likelyHelp(end.refusal);
  const edit = editRequestAction(
    services,
    () => datasetNamed(services, task.dataset),
    again.run,
    readRejection(task),
    l10n.t('Edit Request and Retry…'),
  );
  if (likely === 'request') return [edit, again];
  // The key of the sandbox cannot be changed.
  const isSandbox = task.dataset === SANDBOX_NAME;
  const key = replaceAccessKey(services, () => services.datasets.find(task.dataset), again.run);
  if (likely === 'key' && !isSandbox) return [key, edit];
  return isSandbox || (await hasAccepted(services.list, task)) ? [again] : [edit, key];
}

/** Whether the service has accepted an import before, and with it the access key and the request. */
async function hasAccepted({ history }: TaskList, rejected: TrackedTask): Promise<boolean> {
  const isAccepted = ({ phase, source }: TrackedTask) => phase.kind === 'accepted' && source !== undefined;
  const accepted = await newestTask(history, (task) => isSameDestination(task, rejected) && isAccepted(task));
  return accepted !== undefined;
}

import { showDetailsAction } from '../taskItems/nextCommands';

/** The button that shows what the service responded, or the task where no response is kept. */
export function lookAction(services: ReportServices, task: TrackedTask): Action {
  return task.hasLastResponse ? showDetailsAction(task.key) : showTaskAction(services, task.key);
}

export function showTaskAction({ tasksView }: ReportServices, key: number, label = l10n.t('Show Task')): Action {
  return { label, run: () => tasksView.reveal(key) };
}
