import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { FieldSource, ResponseField } from '../../service/response/fields';
import { reportsOf } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { chooseDataset } from '../datasets/chooseDataset';
import { datasetAt } from '../datasets/findDataset';
import { formatList } from '../language/formatLists';
import { formatField, formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { type Action, UserError } from '../platform/userError';
import { separator } from '../platform/window';
import type { CommandTarget } from '../targets';
import { type HelpCommand, statusOf } from '../taskItems/taskNeeds';
import type { TaskNode } from '../taskItems/tasksNode';
import { helpAction, pickTaskFor, sayNothingToChoose } from '../tree/pickTaskFor';
import { chooseField } from './chooseField';
import { editStateExpression } from './editStateExpression';
import type { FieldResponse, MappingServices } from './mapping';
import { seenStatuses, showStatusTable, unknownStatuses } from './showStatusTable';

type Choice = QuickPickItem & { choose?(): Promise<void> };

/** Shows where each field is in a dataset's responses and what decides the state, and lets the user change both. */
export async function mapResponses(services: MappingServices, target: unknown): Promise<void> {
  const title = l10n.t('Map Responses');
  const dataset = await chooseDataset(services, target, title);
  if (dataset === undefined) return;
  await services.list.loaded();
  const tasks = await services.mapping.tasksSeen(dataset);
  const fields = (['taskId', 'status', 'progress', 'message'] as const).map(
    (field): Choice => ({
      label: formatField(field),
      description: describeField(services, dataset, field, tasks),
      choose: () => chooseFromLatest(services, dataset, field),
    }),
  );
  const meanings: Choice = {
    label: l10n.t('Map Statuses…'),
    description: formatList(seenStatuses(tasks).map(shortText)),
    iconPath: new ThemeIcon('tag'),
    choose: () => chooseMeanings(services, dataset),
  };
  const { state } = dataset.contract.queryTask;
  const expression: Choice = {
    label: l10n.t('State Expression…'),
    description: state === undefined ? l10n.t('not set: the status decides') : shortText(state),
    iconPath: new ThemeIcon('symbol-operator'),
    choose: () => editStateExpression(services, dataset),
  };
  const choices = [...fields, separator(l10n.t('task state')), meanings, expression];
  const placeHolder = l10n.t("Select how to read the responses of dataset '{0}'", dataset.name);
  const picked = await services.picks.one<Choice>(choices, { title, placeHolder, ignoreFocusOut: true });
  await picked?.choose?.();
}

/** The place that was chosen; else where the field was recognized in the responses so far, if anywhere. */
function describeField(
  { mapping }: MappingServices,
  dataset: Dataset,
  field: ResponseField,
  tasks: readonly TrackedTask[],
): string {
  const pointer = mapping.pointer(dataset, field);
  if (pointer !== undefined) return formatPlace(pointer);
  const read = tasks.flatMap((task) => sourcesIn(task, field));
  if (read.length === 0) return l10n.t('no response yet');
  const found = read.find((source) => source?.how === 'recognized');
  return found === undefined ? l10n.t('not recognized') : l10n.t('{0} (recognized)', formatPlace(found.pointer));
}

/** Where the field was read in each response about a task; undefined for a response without it. */
function sourcesIn(task: TrackedTask, field: ResponseField): (FieldSource | undefined)[] {
  if (field === 'taskId') return task.hasImportResponse && task.phase.kind === 'accepted' ? [task.taskIdFrom] : [];
  return reportsOf(task).flatMap(({ meaning, from }) => (meaning === 'none' ? [] : [from[field]]));
}

/** The fields of which the pick is offered where they are not recognized. */
type OfferedField = 'taskId' | 'status' | 'message';

const chooseCommands = {
  taskId: 'chooseTaskId',
  status: 'chooseStatus',
  message: 'chooseMessage',
} as const satisfies Record<OfferedField, HelpCommand>;

/** Lets the user choose a field's place in the response of a task. */
export async function chooseFieldOfTask(
  services: MappingServices,
  field: OfferedField,
  target: CommandTarget<TaskNode>,
): Promise<void> {
  const task = await pickTaskFor(services, chooseCommands[field], target);
  if (task === undefined) return;
  const response = await services.mapping.responseOf(field, task);
  if (response === undefined) sayNothingToChoose(services, task);
  else await chooseField(services, datasetAt(services, task), field, { task, response });
}

/** The button that does it. */
export function chooseFieldAction(services: MappingServices, field: OfferedField, task: TrackedTask): Action {
  return helpAction(chooseCommands[field], task, (target) => chooseFieldOfTask(services, field, target));
}

/** Lets the user choose what the status of a task means, and all others that its dataset has. */
export async function mapStatuses(services: MappingServices, target: CommandTarget<TaskNode>): Promise<void> {
  const task = await pickTaskFor(services, 'mapStatuses', target);
  if (task !== undefined) await chooseMeanings(services, datasetAt(services, task), task);
}

/** Lets the user choose what the statuses of a dataset mean, or where else its state is. */
async function chooseMeanings(services: MappingServices, dataset: Dataset, task?: TrackedTask): Promise<void> {
  const status = task && (unknownStatuses([task])[0] ?? statusOf(task));
  if ((await showStatusTable(services, dataset, status)) !== 'elsewhere') return;
  const response = task && (await services.mapping.responseOf('status', task));
  const from = task && response !== undefined ? { task, response } : await latestReport(services, dataset);
  await chooseField(services, dataset, 'status', from);
}

async function chooseFromLatest(services: MappingServices, dataset: Dataset, field: ResponseField): Promise<void> {
  if (field !== 'taskId') return chooseField(services, dataset, field, await latestReport(services, dataset));
  const latest = await services.mapping.latestResponse(dataset, field);
  if (latest !== undefined) return chooseField(services, dataset, field, latest);
  throw new UserError(l10n.t("There is no response from dataset '{0}' yet. Import a file first.", dataset.name));
}

/** The latest response that reports something. @throws UserError where there is none */
async function latestReport({ mapping }: MappingServices, dataset: Dataset): Promise<FieldResponse> {
  const latest = await mapping.latestResponse(dataset, 'status');
  if (latest !== undefined) return latest;
  throw new UserError(
    l10n.t("Dataset '{0}' has not reported on a task yet. Import a file, then check its task.", dataset.name),
  );
}
