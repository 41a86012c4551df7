import { commands } from 'vscode';
import { isSameDestination } from '../../tasks/destination';
import { isOpen } from '../../tasks/trackedTask';
import { enterAccessKey } from '../datasets/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import type { TaskNode } from '../taskItems/tasksNode';
import { pickTaskFor } from '../tree/pickTaskFor';
import { refreshTasks } from './refreshTask';

/** Asks for a new access key for a task whose service rejected the present one, and sends the request again. */
export async function replaceTaskKey(services: Services, target: CommandTarget<TaskNode>): Promise<void> {
  const task = await pickTaskFor(services, 'replaceAccessKey', target);
  if (task === undefined || (await enterAccessKey(services, datasetAt(services, task))) === undefined) return;
  if (task.phase.kind === 'accepted') await refreshTasks(services, [task.key]);
  else if (isOpen(task.phase)) await services.queue.tryNow((destination) => isSameDestination(task, destination));
  else await commands.executeCommand('datasetImport.importAgain', { taskKey: task.key });
}
