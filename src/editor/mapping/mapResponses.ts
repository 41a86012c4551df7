import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import type { FieldSource, ResponseField } from '../../service/response/fields';
import { idsAt, pointerToAll } from '../../service/response/taskIds';
import { reportsOf } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetNode } from '../datasets/datasetNode';
import { datasetAt } from '../datasets/findDataset';
import { formatList } from '../language/formatLists';
import { formatField, formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { separator } from '../platform/window';
import type { CommandTarget } from '../targets';
import { missingIn } from '../taskItems/taskNeeds';
import { isTaskNode, type TaskNode } from '../taskItems/tasksNode';
import { pickTaskFor } from '../tree/pickTaskFor';
import { editStateExpression } from './editStateExpression';
import type { MappingServices } from './mapping';
import { seenStatuses, showStatuses } from './mapStatuses';
import { pickValue, type ValueItem, valueItem } from './pickValue';

type Choice = QuickPickItem & { choose?(): Promise<void> };

/** Lets the user change how a dataset's responses are read; from a row, opens directly at the field that the row lacks. */
export async function mapResponses(
  services: MappingServices,
  target: CommandTarget<TaskNode | DatasetNode>,
): Promise<void> {
  const [row] = target.rows;
  if (isTaskNode(row)) {
    const task = await pickTaskFor(services, 'mapResponses', { ...target, rows: [row] });
    if (task !== undefined) await mapResponsesOf(services, task);
    return;
  }
  const dataset = await chooseDataset(services, row, l10n.t('Map Responses'));
  if (dataset !== undefined) await showFields(services, dataset);
}

async function mapResponsesOf(services: MappingServices, task: TrackedTask): Promise<void> {
  const dataset = datasetAt(services, task);
  const missing = missingIn(task);
  if (missing === undefined) return showFields(services, dataset, task);
  if (missing === 'state') return editStateExpression(services, dataset);
  return chooseField(services, dataset, missing === 'meaning' ? 'status' : missing, task);
}

/** Shows where each field is and what decides the state. Values are picked from the response of `task`, else the latest. */
async function showFields(services: MappingServices, dataset: Dataset, task?: TrackedTask): Promise<void> {
  await services.list.loaded();
  const tasks = await services.mapping.tasksSeen(dataset);
  const fields = (['taskId', 'status', 'progress', 'message'] as const).map(
    (field): Choice => ({
      label: formatField(field),
      description: describeField(services, dataset, field, tasks),
      choose: () => chooseField(services, dataset, field, task),
    }),
  );
  const meanings: Choice = {
    label: l10n.t('Map Statuses…'),
    description: formatList(seenStatuses(tasks).map(shortText)),
    iconPath: new ThemeIcon('tag'),
    choose: () => showStatuses(services, dataset),
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
  const title = l10n.t('Map Responses');
  const picked = await services.picks.one<Choice>(choices, { title, placeHolder, ignoreFocusOut: true });
  await picked?.choose?.();
}

/** The chosen place, or the places in which the field was recognized so far. */
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

/** Lets the user pick the value that is the field, and saves its place with the dataset. */
async function chooseField(
  services: MappingServices,
  dataset: Dataset,
  field: ResponseField,
  task?: TrackedTask,
): Promise<void> {
  const { mapping } = services;
  const from = await mapping.responseWith(dataset, field, task);
  const chosen = mapping.pointer(dataset, field);
  const offered = new Set<string>();
  const expression: ValueItem = {
    label: l10n.t('State Expression…'),
    description: l10n.t('if no single value is the status'),
    iconPath: new ThemeIcon('symbol-operator'),
    run: () => editStateExpression(services, dataset),
  };
  const reset: ValueItem = {
    label: l10n.t('Recognize Automatically'),
    description: chosen === undefined ? l10n.t('current') : '',
    iconPath: new ThemeIcon('discard'),
  };
  const picked = await pickValue(services, dataset, field, from, {
    title: l10n.t("{0} in the responses of dataset '{1}'", formatField(field), dataset.name),
    chosen,
    before: (data, { pointer }) => (field === 'taskId' ? allIds(data, pointer, offered, chosen) : []),
    others: field === 'status' ? [expression, reset] : [reset],
  });
  if (picked?.run !== undefined) await picked.run();
  else if (picked !== undefined) await mapping.setPointer(dataset, field, picked.pointer, from?.task.key);
}

/** Max task IDs that are named in one choice. */
const MAX_NAMED = 10;

/** Before the first task ID of a list, all of them are offered. */
function allIds(data: Json, pointer: string, offered: Set<string>, chosen: string | undefined): ValueItem[] {
  const all = pointerToAll(data, pointer);
  if (all === undefined || offered.has(all)) return [];
  offered.add(all);
  const { ids } = idsAt(data, all);
  if (ids.length < 2) return [];
  const detail = l10n.t('All {0} of them: this file became several tasks.', ids.length);
  return [{ ...valueItem(all, formatList(ids.slice(0, MAX_NAMED).map(taskIdText)), chosen), detail }];
}
