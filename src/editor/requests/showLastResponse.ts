import type { TaskList } from '../../tasks/store/taskList';
import { pickTask } from '../tree/pickTasks';
import type { LastResponses } from './lastResponses';

/** Opens the last response about a task. */
export async function showLastResponse(
  deps: { list: TaskList; responses: LastResponses },
  target: unknown,
): Promise<void> {
  const task = await pickTask(deps.list, target, ({ lastResponse }) => lastResponse !== undefined);
  if (task !== undefined) await deps.responses.show(task.key);
}
