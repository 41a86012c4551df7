import { isSameDestination } from '../../tasks/destination';
import type { ImportQueue } from '../../tasks/serving/importQueue';
import type { TaskList } from '../../tasks/store/taskList';
import { isOpen } from '../../tasks/trackedTask';
import { tasksOfRows } from '../tree/pickTasks';

/** Tries the paused imports of the clicked rows now, or all where no row was clicked. */
export async function tryNow(
  { list, queue }: { readonly list: TaskList; readonly queue: ImportQueue },
  target: unknown,
  selected: unknown,
): Promise<void> {
  const tasks = (await tasksOfRows(list, target, selected))?.filter(({ phase }) => isOpen(phase));
  await queue.tryNow((destination) => tasks?.some((task) => isSameDestination(task, destination)) ?? true);
}
