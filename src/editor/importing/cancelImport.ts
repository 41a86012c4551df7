import type { ImportQueue } from '../../tasks/serving/importQueue';
import type { TaskList } from '../../tasks/store/taskList';
import { isOpen } from '../../tasks/trackedTask';
import { pickTasks } from '../tree/pickTasks';

/** Cancels imports. Those of another window are canceled by that window, within about a second. */
export async function cancelImport(
  { list, queue }: { list: TaskList; queue: ImportQueue },
  target: unknown,
  selected: unknown,
): Promise<void> {
  const tasks = await pickTasks(list, target, selected, ({ phase }) => isOpen(phase));
  const keys = new Set(tasks.map(({ key }) => key));
  const elsewhere = tasks.filter((task) => !list.isOurs(task)).map(({ key }) => key);
  const asked = elsewhere.length === 0 ? undefined : list.requestCancel(elsewhere);
  await Promise.all([queue.cancel((key) => keys.has(key)), asked]);
}
