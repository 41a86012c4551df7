import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import { idsAt, pointerToAll } from '../../service/response/taskIds';
import type { FieldName } from '../../service/response/usualNames';
import type { FileRow } from '../../tasks/store/model';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetNode } from '../datasets/findDataset';
import { datasetAt } from '../datasets/findDataset';
import { commandTitle, dialogTitle } from '../platform/commandTitle';
import { formatField, formatPlace } from '../platform/formatField';
import { formatList } from '../platform/formatLists';
import { shortText } from '../platform/outsideText';
import { separator } from '../platform/window';
import type { Services } from '../services';
import { pointerOf, setPointer } from './changeMapping';
import { editStateExpression } from './editStateExpression';
import { seenStatuses, showStatuses } from './mapStatuses';
import { pickValue, type ValueItem, valueItem } from './pickValue';
import { pointerIn, responseWith } from './responses';

type Choice = QuickPickItem & { choose?(): Promise<void> };

/** Lets the user change how a dataset's responses are read. For a row, opens directly at the field that the row lacks. */
export async function mapResponses(services: Services, of: FileRow | DatasetNode | undefined): Promise<void> {
  if (of === undefined || !('import' in of)) {
    const dataset = await chooseDataset(services, of, dialogTitle('mapResponses'));
    if (dataset !== undefined) await showFields(services, dataset);
    return;
  }
  const dataset = datasetAt(services, of);
  if (of.state === 'noId' || of.state === 'unconfirmed') return chooseField(services, dataset, 'taskId', of);
  if (of.state !== 'unknown') return showFields(services, dataset, of);
  const hasExpression = dataset.contract.queryTask.state !== undefined;
  await (hasExpression ? editStateExpression(services, dataset) : chooseField(services, dataset, 'status', of));
}

/** Shows the path of each field and what decides the state. Values come from `row`'s response, or the newest response. */
async function showFields(services: Services, dataset: Dataset, row?: FileRow): Promise<void> {
  const fields: Choice[] = [];
  for (const field of ['taskId', 'status', 'progress', 'message'] as const)
    fields.push({
      label: formatField(field),
      description: await describeField(services, dataset, field, row),
      choose: () => chooseField(services, dataset, field, row),
    });
  const statuses: Choice = {
    label: commandTitle('mapStatuses'),
    description: formatList((await seenStatuses(services, dataset)).map(shortText)),
    iconPath: new ThemeIcon('tag'),
    choose: () => showStatuses(services, dataset),
  };
  const { state } = dataset.contract.queryTask;
  const description = state === undefined ? l10n.t('not set: the status decides') : shortText(state);
  const expression: Choice = { ...expressionChoice(services, dataset), description };
  const choices = [...fields, separator(l10n.t('task state')), statuses, expression];
  const placeHolder = l10n.t("Select how to read the responses of dataset '{0}'", dataset.name);
  const title = dialogTitle('mapResponses');
  const picked = await services.picks.one<Choice>(choices, { title, placeHolder, ignoreFocusOut: true });
  await picked?.choose?.();
}

function expressionChoice(services: Services, dataset: Dataset) {
  return {
    label: l10n.t('State Expression…'),
    iconPath: new ThemeIcon('symbol-operator'),
    choose: () => editStateExpression(services, dataset),
  };
}

/** The path that the user picked, or the path at which the field is recognized in the response. */
async function describeField(
  services: Services,
  dataset: Dataset,
  field: FieldName,
  row: FileRow | undefined,
): Promise<string> {
  const pointer = pointerOf(dataset.contract, field);
  if (pointer !== undefined) return formatPlace(pointer);
  const response = await responseWith(services, dataset, field, row);
  if (response === undefined) return l10n.t('no response yet');
  const recognized = pointerIn(response, dataset.contract, field);
  return recognized === undefined ? l10n.t('not recognized') : l10n.t('{0} (recognized)', formatPlace(recognized));
}

/** Lets the user pick a field's value in a response, and saves its path in the dataset's settings. */
async function chooseField(services: Services, dataset: Dataset, field: FieldName, row?: FileRow): Promise<void> {
  const from = await responseWith(services, dataset, field, row);
  const chosen = pointerOf(dataset.contract, field);
  const offered = new Set<string>();
  const reset: ValueItem = {
    label: l10n.t('Recognize Automatically'),
    description: chosen === undefined ? l10n.t('current') : '',
    iconPath: new ThemeIcon('discard'),
  };
  const expression = {
    ...expressionChoice(services, dataset),
    description: l10n.t('if no single value is the status'),
  };
  const picked = await pickValue(services, dataset, field, from, {
    title: l10n.t("{0} in the responses of dataset '{1}'", formatField(field), dataset.name),
    chosen,
    before: ({ pointer }) => (field === 'taskId' ? allIds(from?.data ?? null, pointer, offered, chosen) : []),
    others: field === 'status' ? [expression, reset] : [reset],
  });
  if (picked?.choose !== undefined) await picked.choose();
  else if (picked !== undefined) await setPointer(services, dataset, field, picked.pointer);
}

/** Max task IDs to name in one choice. */
const MAX_NAMED = 10;

/** An item for all task IDs of a list, to show before the first ID of the list. */
function allIds(data: Json, pointer: string, offered: Set<string>, chosen: string | undefined): ValueItem[] {
  const all = pointerToAll(data, pointer);
  if (all === undefined || offered.has(all)) return [];
  offered.add(all);
  const { ids } = idsAt(data, all);
  if (ids.length < 2) return [];
  const detail = l10n.t('All {0} of them: this file became several tasks.', ids.length);
  return [{ ...valueItem(all, formatList(ids.slice(0, MAX_NAMED).map(taskIdText)), chosen), detail }];
}
