import { l10n } from 'vscode';
import type { TrackedTask } from '../../tasks/trackedTask';
import { askTaskId } from '../askTaskId';
import { pickTasks } from '../pickTasks';
import { taskLabel } from '../taskItem';
import { type RefreshDeps, refreshTask } from './refreshTask';

/** Settles an import of which it was not certain whether it was taken: the user has found its task at the service. */
export async function attachTaskId(deps: RefreshDeps, target: unknown, selected: unknown): Promise<void> {
  const [task] = await pickTasks(deps.list, target, selected, lacksId);
  if (task === undefined) return;
  const prompt = l10n.t("The ID that dataset '{0}' gave the task of '{1}'.", task.dataset, taskLabel(task));
  const taskId = await askTaskId(l10n.t('Attach Task ID'), prompt);
  const now = deps.list.get(task.key);
  // It may have been sent again while the box was open.
  if (taskId === undefined || now === undefined || !lacksId(now)) return;
  await deps.list.change(task.key, { taskId, taskIdFrom: undefined, phase: { kind: 'accepted', report: undefined } });
  await refreshTask(deps, { taskKey: task.key }, undefined);
}

function lacksId({ phase, taskId }: TrackedTask): boolean {
  return phase.kind === 'unconfirmed' || (phase.kind === 'accepted' && taskId === undefined);
}
