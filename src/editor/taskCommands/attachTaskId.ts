import { l10n } from 'vscode';
import { couldBeNumber, type TaskId, taskIdText, typedTaskId } from '../../service/json/taskId';
import { isSameDestination } from '../../tasks/destination';
import { tasksById } from '../../tasks/history/walk';
import { taskIdsOf } from '../../tasks/severalTasks';
import { failureOf, type TrackedTask } from '../../tasks/trackedTask';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { datasetAt } from '../datasets/findDataset';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import { window } from '../platform/window';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { taskLabel } from '../taskItems/taskItem';
import { usefulCommands } from '../taskItems/taskNeeds';
import type { TaskNode } from '../taskItems/tasksNode';
import { pickTaskFor } from '../tree/pickTaskFor';
import { askTaskId } from './askTaskId';
import { refreshTasks } from './refreshTask';

/**
 * Attaches a task ID that the user found at the service to an import that is unconfirmed, or has no task ID, or one that
 * the user entered and the service has never accepted.
 */
export async function attachTaskId(services: Services, target: CommandTarget<TaskNode>): Promise<void> {
  const task = await pickTaskFor(services, 'attachTaskId', target);
  if (task === undefined) return;
  const prompt = l10n.t("Enter the task ID that {0} assigned to '{1}'.", task.dataset, taskLabel(task));
  // Only its type may be wrong.
  const present = task.taskId === undefined ? '' : taskIdText(task.taskId);
  const taskId = await askTaskId(services, l10n.t('Attach Task ID'), prompt, present);
  if (taskId === undefined) return;
  if (!(await confirmSharedId(services, task, taskId)) || !(await confirmUnknownId(services, task, taskId))) return;
  const attached = {
    taskId,
    taskIdFrom: undefined,
    phase: { kind: 'accepted', report: undefined },
    lastQueryError: undefined,
  } as const;
  // The import may have been retried while the dialogs were open.
  if (await services.list.change(task.key, attached, needsId)) await refreshTasks(services, [task.key]);
}

/** Asks where another task of the same destination already has this ID. */
export async function confirmSharedId(
  { list }: Pick<Services, 'list'>,
  task: TrackedTask,
  taskId: TaskId,
): Promise<boolean> {
  await list.sync();
  const id = taskIdText(taskId);
  const forms = couldBeNumber(id) ? [typedTaskId(id, 'string'), typedTaskId(id, 'number')] : [taskId];
  const known = await tasksById(list.history, forms);
  const twin = known.find(
    (other) =>
      other.key !== task.key &&
      isSameDestination(other, task) &&
      taskIdsOf(other).some((one) => taskIdText(one) === id),
  );
  if (twin === undefined) return true;
  return window.confirm(
    l10n.t("Task {0} is already attached to '{1}'. Attach it to '{2}' too?", id, taskLabel(twin), taskLabel(task)),
    l10n.t('Both rows will show the state of the same task.'),
    l10n.t('Attach'),
  );
}

/** Asks where the service does not report a task with this ID: an import with an attached ID cannot be retried. */
async function confirmUnknownId(services: Services, task: TrackedTask, taskId: TaskId): Promise<boolean> {
  const { dataset } = task;
  if ((await ensureAccessKey(services, datasetAt(services, task))) === undefined) return false;
  const id = taskIdText(taskId);
  const outcome = await withDelayedProgress(l10n.t('Checking whether {0} knows task {1}', dataset, id), (signal) =>
    services.refresher.lookUp(task, taskId, signal),
  );
  if (outcome === undefined) return false;
  if (outcome.kind === 'accepted') return true;
  const [question, detail] =
    outcome.kind === 'rejected'
      ? [l10n.t('{0} does not know task {1}. Attach it anyway?', dataset, id), formatRefusal(outcome.refusal)]
      : [
          l10n.t('Cannot check whether {0} knows task {1}. Attach it anyway?', dataset, id),
          formatFailure(failureOf(outcome.cause)),
        ];
  return window.confirm(question, detail, l10n.t('Attach'));
}

function needsId(task: TrackedTask): boolean {
  return usefulCommands(task, undefined).includes('attachTaskId');
}
