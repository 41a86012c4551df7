import { env, l10n } from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import { taskIdsOf } from '../../tasks/severalTasks';
import { formatCount } from '../platform/formatNumbers';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { pickTasks, type TasksRow } from '../tree/pickTasks';

/** Copies the IDs of tasks, one per line. */
export async function copyTaskId(
  services: Pick<Services, 'list' | 'picks'>,
  target: CommandTarget<TasksRow>,
): Promise<void> {
  const tasks = await pickTasks(services, target, ({ taskId }) => taskId !== undefined);
  const ids = tasks.flatMap(taskIdsOf).map(taskIdText);
  if (ids.length === 0) return;
  await env.clipboard.writeText(ids.join('\n'));
  const [first = ''] = ids;
  const message =
    ids.length === 1 ? l10n.t('Copied task ID {0}.', first) : l10n.t('Copied {0} task IDs.', formatCount(ids.length));
  window.setStatusBarMessage(message, 3000);
}
