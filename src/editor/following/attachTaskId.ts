import { l10n } from 'vscode';
import { type TaskId, taskIdText } from '../../service/json/taskId';
import { isSameDestination } from '../../tasks/destination';
import { failureOf, type TrackedTask } from '../../tasks/trackedTask';
import { ensureAccessKey } from '../accessKeys/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import { window } from '../platform/window';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import { pickTask } from '../tree/pickTasks';
import { taskLabel } from '../tree/taskItem';
import { askTaskId } from './askTaskId';
import { type RefreshDeps, refreshTasks } from './refreshTask';

/** Settles an import of which it was not certain whether it was taken: the user has found its task at the service. */
export async function attachTaskId(deps: RefreshDeps, target: unknown): Promise<void> {
  const task = await pickTask(deps.list, target, lacksId);
  if (task === undefined) return;
  const prompt = l10n.t("The ID that dataset '{0}' gave the task of '{1}'.", task.dataset, taskLabel(task));
  const taskId = await askTaskId(l10n.t('Attach Task ID'), prompt);
  if (taskId === undefined || !(await mayShareId(deps, task, taskId)) || !(await isKnownThere(deps, task, taskId)))
    return;
  const attached = { taskId, taskIdFrom: undefined, phase: { kind: 'accepted', report: undefined } } as const;
  // It may have been sent again while the box was open.
  if (await deps.list.change(task.key, attached, lacksId)) await refreshTasks(deps, [task.key]);
}

/** Whether no other task of the same destination has this id, or the user says that both have. */
export async function mayShareId(
  { list }: Pick<RefreshDeps, 'list'>,
  task: TrackedTask,
  taskId: TaskId,
): Promise<boolean> {
  await list.sync();
  const id = taskIdText(taskId);
  const isTwin = (other: TrackedTask) =>
    other.key !== task.key &&
    isSameDestination(other, task) &&
    other.taskId !== undefined &&
    taskIdText(other.taskId) === id;
  const twin = list.tasks.find(isTwin);
  if (twin === undefined) return true;
  const question = l10n.t(
    "Task {0} belongs to '{1}' already. Attach it to '{2}' too?",
    id,
    taskLabel(twin),
    taskLabel(task),
  );
  const detail = l10n.t('Both rows would then show the state of the same task.');
  const attach = l10n.t('Attach');
  return (await window.showWarningMessage(question, { modal: true, detail }, attach)) === attach;
}

/** Whether the service knows a task of this id, or the user says so: an import once settled cannot be sent again. */
async function isKnownThere(deps: RefreshDeps, task: TrackedTask, taskId: TaskId): Promise<boolean> {
  const { dataset } = task;
  if ((await ensureAccessKey(deps.keys, datasetAt(deps, task))) === undefined) return false;
  const id = taskIdText(taskId);
  const outcome = await withDelayedProgress(l10n.t("Still asking '{0}' about task {1}", dataset, id), (signal) =>
    deps.refresher.lookUp(task, taskId, signal),
  );
  if (outcome === undefined) return false;
  if (outcome.kind === 'accepted') return true;
  const words = outcome.kind === 'rejected' ? formatRefusal(outcome.refusal) : formatFailure(failureOf(outcome.cause));
  const question = l10n.t("'{0}' gives no report of task {1}. Attach it all the same?", dataset, id);
  const attach = l10n.t('Attach');
  return (await window.showWarningMessage(question, { modal: true, detail: words }, attach)) === attach;
}

function lacksId({ phase, taskId }: TrackedTask): boolean {
  return phase.kind === 'unconfirmed' || (phase.kind === 'accepted' && taskId === undefined);
}
