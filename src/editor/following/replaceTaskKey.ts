import { commands } from 'vscode';
import { enterAccessKey } from '../accessKeys/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import { type HelpDeps, pickTaskFor } from '../tree/pickTaskFor';
import { type RefreshDeps, refreshTasks } from './refreshTask';

/** Asks for a new access key for a task whose service rejected the present one, and sends the request again. */
export async function replaceTaskKey(deps: RefreshDeps & HelpDeps, target: unknown): Promise<void> {
  const task = await pickTaskFor(deps, 'replaceAccessKey', target);
  if (task === undefined || (await enterAccessKey(deps, datasetAt(deps, task))) === undefined) return;
  if (task.phase.kind === 'accepted') await refreshTasks(deps, [task.key]);
  else await commands.executeCommand('datasetImport.retryImport', { taskKey: task.key });
}
