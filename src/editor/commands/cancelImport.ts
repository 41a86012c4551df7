import { l10n } from 'vscode';
import type { ImportQueue } from '../../tasks/importQueue';
import type { TaskList } from '../../tasks/taskList';
import { isOpen } from '../../tasks/trackedTask';
import { pickTasks } from '../pickTasks';
import { taskLabel } from '../taskItem';
import { UserError } from '../userError';

/** Ends imports that have not ended yet. @throws UserError where another window is sending one */
export async function cancelImport(
  { list, queue }: { list: TaskList; queue: ImportQueue },
  target: unknown,
  selected: unknown,
): Promise<void> {
  const tasks = await pickTasks(list, target, selected, ({ phase }) => isOpen(phase));
  const keys = new Set(tasks.map(({ key }) => key));
  await queue.cancel((key) => keys.has(key));
  const elsewhere = tasks.find(({ key }) => !queue.has(key) && isOpenNow(list, key));
  if (elsewhere !== undefined) {
    throw new UserError(l10n.t("'{0}' is being imported by another window. Cancel it there.", taskLabel(elsewhere)));
  }
}

function isOpenNow(list: TaskList, key: number): boolean {
  const task = list.get(key);
  return task !== undefined && isOpen(task.phase);
}
