import type { TaskList } from '../../tasks/taskList';
import type { LastAnswers } from '../lastAnswers';
import { pickTasks } from '../pickTasks';

/** Opens the service's last answer about a task, read-only. */
export async function showLastAnswer(
  deps: { list: TaskList; answers: LastAnswers },
  target: unknown,
  selected: unknown,
): Promise<void> {
  const tasks = await pickTasks(deps.list, target, selected, ({ lastAnswer }) => lastAnswer !== undefined);
  for (const { key } of tasks) await deps.answers.show(key);
}
