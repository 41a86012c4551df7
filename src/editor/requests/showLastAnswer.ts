import type { TaskList } from '../../tasks/store/taskList';
import { pickTask } from '../tree/pickTasks';
import type { LastAnswers } from './lastAnswers';

/** Opens the service's last answer about a task, read-only. */
export async function showLastAnswer(deps: { list: TaskList; answers: LastAnswers }, target: unknown): Promise<void> {
  const task = await pickTask(deps.list, target, ({ lastAnswer }) => lastAnswer !== undefined);
  if (task !== undefined) await deps.answers.show(task.key);
}
