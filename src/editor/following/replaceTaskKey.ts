import { commands } from 'vscode';
import { enterAccessKey } from '../accessKeys/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import { pickTask } from '../tree/pickTasks';
import { rejectsKey } from '../tree/taskOffers';
import { type RefreshDeps, refreshTasks } from './refreshTask';

/** Asks for a new access key for a task whose service rejected the present one, and sends the request again. */
export async function replaceTaskKey(deps: RefreshDeps, target: unknown): Promise<void> {
  const task = await pickTask(deps.list, target, rejectsKey);
  if (task === undefined || (await enterAccessKey(deps, datasetAt(deps, task))) === undefined) return;
  if (task.phase.kind === 'accepted') await refreshTasks(deps, [task.key]);
  else await commands.executeCommand('datasetImport.retryImport', { taskKey: task.key });
}
