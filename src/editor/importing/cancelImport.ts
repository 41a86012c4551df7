import type { ImportQueue } from '../../tasks/serving/importQueue';
import type { TaskList } from '../../tasks/store/taskList';
import { isOpen } from '../../tasks/trackedTask';
import { pickTasks } from '../tree/pickTasks';

/** Cancels imports. What another window is sending, that window stops within about a second. */
export async function cancelImport(
  { list, queue }: { list: TaskList; queue: ImportQueue },
  target: unknown,
  selected: unknown,
): Promise<void> {
  const tasks = await pickTasks(list, target, selected, ({ phase }) => isOpen(phase));
  const keys = new Set(tasks.map(({ key }) => key));
  await queue.cancel(({ key }) => keys.has(key));
}
