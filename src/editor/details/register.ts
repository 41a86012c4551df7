import type { Services } from '../services/services';
import { pickTask } from '../tree/pickTasks';
import type { TaskDetails } from './taskDetails';

/** Registers the commands that show the details of a task, which a click on its row does too, and what to do next there. */
export function registerDetails(
  { list, messages, commands }: Pick<Services, 'list' | 'messages' | 'commands'>,
  details: TaskDetails,
): void {
  const show = async (target: unknown) => {
    const task = await pickTask(list, target, () => true);
    if (task !== undefined) await details.show(task.key);
  };
  commands.handle(
    { 'datasetImport.showDetails': show, 'datasetImport.nextStep': () => details.chooseStep() },
    messages,
  );
}
