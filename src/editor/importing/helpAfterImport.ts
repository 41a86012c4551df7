import { l10n } from 'vscode';
import { isSameDestination } from '../../tasks/destination';
import type { TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import { replaceAccessKey } from '../accessKeys/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import type { Action } from '../platform/userError';
import { editRequestAction } from '../requests/editRequest';
import type { LastResponses } from '../requests/lastResponses';
import { missingPartOf, readRejection } from '../requests/rejection';
import { showResponseAction } from '../requests/showLastResponse';
import { isUnexplainedRefusal, namesKey } from '../tree/rows/taskNeeds';
import type { TasksView } from '../tree/tasksView';
import type { Ended } from './formatRun';
import { type RetryDeps, retry } from './retryImport';

export interface HelpDeps extends RetryDeps {
  readonly tasksView: Pick<TasksView, 'reveal'>;
  readonly responses: LastResponses;
}

/** HTTP statuses by which a service asks to try again later. */
const TRY_LATER: readonly number[] = [408, 425, 429];
/** HTTP statuses from 400 to 499 that do not say that another request would be accepted. */
const NOT_OF_REQUEST: readonly number[] = [...TRY_LATER, 401, 403, 409, 413, 423];
const TOO_LARGE = 413;

/** What is at fault where a service rejected an import, as far as it says. */
type Fault = 'key' | 'perhapsKey' | 'request' | 'requestOrKey' | 'busy' | 'size' | 'unknown';

/** The buttons for a rejected import, the most helpful first; they import all of the `tasks` again. */
export async function helpAfterRejection(
  deps: HelpDeps,
  rejected: Ended,
  tasks: readonly TrackedTask[],
  retryLabel = l10n.t('Retry'),
): Promise<readonly Action[]> {
  const { dataset } = rejected.task;
  const again = { label: retryLabel, run: () => retry(deps, tasks) };
  switch (await faultOf(deps, rejected)) {
    case 'key':
      return [replaceKeyAction(deps, tasks)];
    case 'perhapsKey':
      return [replaceKeyAction(deps, tasks), again];
    case 'request':
      return [editAction(deps, rejected.task, tasks), ...(tasks.length > 1 ? [again] : [])];
    case 'requestOrKey':
      return [editAction(deps, rejected.task, tasks), replaceKeyAction(deps, tasks)];
    case 'busy':
      return [again];
    case 'size':
      return tasks.length > 1 ? [again] : [];
    case 'unknown':
      return [again, ...(deps.datasets.find(dataset) === undefined ? [] : [editAction(deps, rejected.task, tasks)])];
  }
}

async function faultOf({ datasets, list }: HelpDeps, { task, end, isBadKey }: Ended): Promise<Fault> {
  if (isBadKey) return 'key';
  if (end.kind !== 'rejected') return 'unknown';
  const contract = datasets.find(task.dataset)?.contract;
  const { refusal } = end;
  const isTryLater = refusal.by === 'envelope' && contract?.codes.tryLater.includes(refusal.code);
  if (isTryLater || TRY_LATER.includes(refusal.status)) return 'busy';
  const rejection = await readRejection(list, task);
  const isNamed = rejection && contract && missingPartOf(rejection, contract) !== undefined;
  if (isNamed || refusal.by === 'redirect') return 'request';
  if (namesKey(refusal)) return 'perhapsKey';
  if (refusal.status === TOO_LARGE) return 'size';
  if (refusal.status >= 400 && !NOT_OF_REQUEST.includes(refusal.status)) return 'request';
  return contract && isUnexplainedRefusal(refusal) && !(await hasAcceptedKey(list, task)) ? 'requestOrKey' : 'unknown';
}

/** Whether the service has accepted an import before, and with it the access key. */
async function hasAcceptedKey({ history }: TaskList, rejected: TrackedTask): Promise<boolean> {
  const accepted = await history.find((task) => isSameDestination(task, rejected) && task.phase.kind === 'accepted');
  return accepted !== undefined;
}

/** The button that asks for another access key and then imports again. */
export function replaceKeyAction(deps: HelpDeps, tasks: readonly TrackedTask[]): Action {
  return replaceAccessKey(
    deps,
    () => deps.datasets.find(tasks[0]?.dataset ?? ''),
    () => retry(deps, tasks),
  );
}

/** The button that shows what the service responded, or the task where no response is kept. */
export function lookAction(deps: HelpDeps, task: TrackedTask): Action {
  return task.hasLastResponse ? showResponseAction(deps.responses, task.key) : showTaskAction(deps, task.key);
}

export function showTaskAction({ tasksView }: HelpDeps, key: number, label = l10n.t('Show Task')): Action {
  return { label, run: () => tasksView.reveal(key) };
}

/** The button that edits the request which the service rejected, and then imports again. */
function editAction(deps: HelpDeps, rejected: TrackedTask, tasks: readonly TrackedTask[]): Action {
  return editRequestAction(
    deps,
    () => datasetNamed(deps, rejected.dataset),
    () => retry(deps, tasks),
    () => readRejection(deps.list, rejected),
    l10n.t('Edit Request and Retry…'),
  );
}
