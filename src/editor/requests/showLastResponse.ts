import { l10n } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import type { Action } from '../platform/userError';
import { pickTask } from '../tree/pickTasks';
import type { LastResponses, WhichResponse } from './lastResponses';

/** Opens the last response about a task, or the one that its target asks for. */
export async function showLastResponse(
  services: { list: TaskList; responses: LastResponses },
  target: unknown,
): Promise<void> {
  const task = await pickTask(services.list, target, ({ hasLastResponse }) => hasLastResponse);
  if (task !== undefined) await services.responses.show(task.key, whichOf(target));
}

function whichOf(target: unknown): WhichResponse {
  return (target as { readonly response?: unknown } | undefined)?.response === 'import' ? 'import' : 'last';
}

/** The button that opens the last response about a task. */
export function showResponseAction(responses: LastResponses, key: number): Action {
  return { label: l10n.t('Show Response'), run: () => responses.show(key) };
}
