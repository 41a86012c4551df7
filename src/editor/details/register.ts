import { isBatchNode } from '../rows/tasksNode';
import type { Services } from '../services/services';
import { pickTask } from '../tree/pickTasks';
import type { TaskDetails } from './taskDetails';

/** Registers the command that shows the details of a task, which a click on its row does too, or of a batch. */
export function registerDetails(
  { list, messages, commands }: Pick<Services, 'list' | 'messages' | 'commands'>,
  details: TaskDetails,
): void {
  const show = async (target: unknown) => {
    if (isBatchNode(target)) return details.showBatch(target.batchId);
    const task = await pickTask(list, target, () => true);
    if (task !== undefined) await details.show(task.key);
  };
  commands.handle({ 'datasetImport.showDetails': show }, messages);
}
