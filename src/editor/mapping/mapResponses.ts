import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Contract } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import type { FieldName } from '../../service/response/usualNames';
import type { FileRow } from '../../tasks/store/model';
import { commandTitle, dialogTitle } from '../platform/actions';
import { formatList } from '../platform/format';
import { shortText } from '../platform/outsideText';
import { separator } from '../platform/window';
import type { Services } from '../services';
import { editStateExpression } from './editStateExpression';
import { mapStatuses, seenStatuses } from './mapStatuses';
import { formatField, formatPlace, pickValue, type ValueItem } from './pickValue';
import { pointerIn, responseWith } from './responses';

type Choice = QuickPickItem & { choose?(): Promise<void> };

/**
 * Lets the user change how a dataset's responses are read. If a field wasn't recognized in the response for the given
 * row, goes straight to that field.
 */
export async function mapResponses(services: Services, dataset: Dataset, row?: FileRow): Promise<void> {
  const state = row?.state;
  if (state === 'noId' || state === 'unconfirmed') return chooseField(services, dataset, 'taskId', row);
  if (state !== 'unknown') return showFields(services, dataset, row);
  const hasExpression = dataset.contract.queryTask.state !== undefined;
  await (hasExpression ? editStateExpression(services, dataset) : chooseField(services, dataset, 'status', row));
}

/**
 * Shows each field's path, and how a task's state is determined. Uses `row`'s response if it has one, otherwise the
 * latest response.
 */
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
    choose: () => mapStatuses(services, dataset),
  };
  const { state } = dataset.contract.queryTask;
  const description = state === undefined ? l10n.t('not set: the status decides') : shortText(state);
  const expression: Choice = { ...expressionChoice(services, dataset), description };
  const choices = [...fields, separator(l10n.t('task state')), statuses, expression];
  const placeHolder = l10n.t("Select how to read the responses of dataset '{0}'", dataset.name);
  const picked = await services.picks.one<Choice>(choices, { title: dialogTitle('mapResponses'), placeHolder });
  await picked?.choose?.();
}

function expressionChoice(services: Services, dataset: Dataset) {
  return {
    label: l10n.t('State Expression…'),
    iconPath: new ThemeIcon('symbol-operator'),
    choose: () => editStateExpression(services, dataset),
  };
}

/** Describes where a field is found: at the path that the user picked, or where we recognize it in the response. */
async function describeField(services: Services, dataset: Dataset, field: FieldName, row?: FileRow): Promise<string> {
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
  const reset: ValueItem = {
    label: l10n.t('Recognize Automatically'),
    description: chosen === undefined ? l10n.t('current') : '',
    iconPath: new ThemeIcon('discard'),
  };
  const description = l10n.t('if no single value is the status');
  const expression = { ...expressionChoice(services, dataset), description };
  const title = l10n.t("{0} in the responses of dataset '{1}'", formatField(field), dataset.name);
  const others = field === 'status' ? [expression, reset] : [reset];
  const picked = await pickValue(services, dataset, field, from, title, chosen, others);
  if (picked?.choose !== undefined) await picked.choose();
  else if (picked !== undefined) await setPointer(services, dataset, field, picked.pointer);
}

/** Returns the pointer that the user picked for a field, or undefined if the field is recognized automatically. */
function pointerOf({ fileTask, queryTask }: Contract, field: FieldName): string | undefined {
  return field === 'taskId' ? fileTask.taskId : queryTask[field];
}

/**
 * Sets a field's pointer; undefined resets it. Attaches missing task IDs even if the pointer was set before, because
 * another program may have changed the settings.
 */
async function setPointer(services: Services, dataset: Dataset, field: FieldName, pointer?: string): Promise<void> {
  const { datasets, following, serving } = services;
  await datasets.override(dataset, [field === 'taskId' ? 'fileTask' : 'queryTask', field], pointer);
  if (field !== 'taskId') return;
  await following.attachIds({ dataset: dataset.name, origin: dataset.baseUrl.origin });
  await serving.turn();
}
