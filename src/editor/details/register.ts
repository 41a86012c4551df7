import type { Services } from '../services/services';
import { type CommandTarget, on } from '../targets';
import type { TaskNode } from '../taskItems/tasksNode';
import { pickTask } from '../tree/pickTasks';
import type { TaskDetails } from './taskDetails';

/** Registers the command that shows the details of a task; a click on its row runs it too. */
export function registerDetails(
  services: Pick<Services, 'list' | 'messages' | 'commands' | 'picks'>,
  details: TaskDetails,
): void {
  const show = async (target: CommandTarget<TaskNode>) => {
    const task = await pickTask(services, target, () => true);
    if (task !== undefined) await details.show(task.key);
  };
  services.commands.handle({ 'datasetImport.showDetails': on(['task'], show) }, services.messages);
}
