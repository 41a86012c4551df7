import { l10n } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import type { Action } from '../platform/userError';
import { pickTask } from '../tree/pickTasks';
import type { LastResponses } from './lastResponses';

/** Opens the last response about a task. */
export async function showLastResponse(
  services: { list: TaskList; responses: LastResponses },
  target: unknown,
): Promise<void> {
  const task = await pickTask(services.list, target, ({ hasLastResponse }) => hasLastResponse);
  if (task !== undefined) await services.responses.show(task.key);
}

/** The button that opens the last response about a task. */
export function showResponseAction(responses: LastResponses, key: number): Action {
  return { label: l10n.t('Show Response'), run: () => responses.show(key) };
}
