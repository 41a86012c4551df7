import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import { type ValueChoice, valueChoices } from '../../service/proposing/leaves';
import type { ResponseField } from '../../service/response/recognition';
import { idsAt, pointersTo, pointerToAll } from '../../service/response/severalIds';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatField, formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import { separator } from '../platform/window';
import { taskLabel } from '../rows/taskItem';
import type { FieldResponse } from './mapping';
import type { MappingServices } from './mapResponses';

type Choice = QuickPickItem & { readonly pointer?: string | undefined };

/**
 * Lets the user choose the value in a response that is the field, and saves its place with the dataset.
 * @throws UserError where the response has no values
 */
export async function chooseField(
  services: Pick<MappingServices, 'mapping' | 'picks'>,
  dataset: Dataset,
  field: ResponseField,
  chosenFrom: FieldResponse,
): Promise<void> {
  const { mapping, picks } = services;
  const { task, response } = chosenFrom;
  const data = responseData(response);
  // File-task's response is what the id is read from.
  const ownTask = field === 'taskId' ? undefined : ownTaskOf(task, dataset.contract);
  const values = valueChoices(field, { data, ownTask });
  const chosen = mapping.pointer(dataset, field);
  if (values.length === 0 && chosen === undefined) throw await noValue(services, dataset, field, chosenFrom);
  const likely = values.filter(({ isLikely }) => isLikely);
  const others = values.filter(({ isLikely }) => !isLikely);
  const choices: Choice[] = [
    ...withAll(group(l10n.t('suggested'), likely, chosen), field, data, chosen),
    ...withAll(group(l10n.t('other values in the response'), others, chosen), field, data, chosen),
    separator(l10n.t('other')),
    {
      label: l10n.t('Recognize Automatically'),
      iconPath: new ThemeIcon('discard'),
      description: chosen === undefined ? l10n.t('current') : '',
      pointer: undefined,
    },
  ];
  const what = formatField(field);
  const picked = await picks.one(choices, {
    title: l10n.t("{0} in the responses of dataset '{1}'", what, dataset.name),
    placeHolder: formatQuestion(task),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked !== undefined) await mapping.setPointer(dataset, field, picked.pointer, task.key);
}

function formatQuestion(task: TrackedTask): string {
  const { phase, taskId } = shownTask(task);
  if (phase.kind !== 'accepted' || phase.report?.elements === undefined || taskId === undefined)
    return l10n.t("Select the value from the response for '{0}'", taskLabel(task));
  return l10n.t(
    "Select the value. The response lists several tasks, and none of them is known to be '{0}'.",
    shortText(taskIdText(taskId)),
  );
}

export async function noValue(
  services: Pick<MappingServices, 'mapping' | 'picks'>,
  dataset: Dataset,
  field: ResponseField,
  { task, response }: FieldResponse,
): Promise<UserError> {
  const { mapping } = services;
  const label = taskLabel(task);
  if (field === 'taskId') {
    return new UserError(
      l10n.t(
        "The response for '{0}' has no values to choose from. If you know the task ID, use Attach Task ID….",
        label,
      ),
    );
  }
  const isOfOthers = valueChoices(field, { data: responseData(response), ownTask: undefined }).length > 0;
  const importResponse = await mapping.responseOf('taskId', task);
  const { taskId } = shownTask(task);
  if (!isOfOthers || taskId === undefined)
    return new UserError(l10n.t("The response for '{0}' has no values to choose from.", label));
  // Perhaps it is not the id that the service goes by.
  const chooseId = () => chooseField(services, dataset, 'taskId', { task, response: importResponse ?? '' });
  return new UserError(
    l10n.t("The response for '{0}' has only values of other tasks than '{1}'.", label, shortText(taskIdText(taskId))),
    importResponse === undefined ? [] : [{ label: l10n.t('Choose the Task ID…'), run: chooseId }],
  );
}

/** Offers before a task's id, where there are more in the same list or map, all of them. */
function withAll(choices: readonly Choice[], field: ResponseField, data: Json, chosen: string | undefined): Choice[] {
  if (field !== 'taskId') return [...choices];
  const offered = new Set<string>();
  return choices.flatMap((choice) => {
    const all = choice.pointer === undefined ? undefined : pointerToAll(data, choice.pointer);
    if (all === undefined || offered.has(all)) return [choice];
    offered.add(all);
    // Where another response has several in this list, none of them must be passed over in silence.
    if (pointersTo(data, all).length === 1)
      return [{ ...choice, ...choiceOf(all, choice.label, formatPlace(all), chosen) }];
    const { ids } = idsAt(data, all);
    if (ids.length < 2) return [choice];
    const detail = l10n.t('All {0} of them: this file became several tasks.', ids.length);
    return [{ ...choiceOf(all, formatList(ids.map(taskIdText)), formatPlace(all), chosen), detail }, choice];
  });
}

function group(title: string, values: readonly ValueChoice[], chosen: string | undefined): Choice[] {
  if (values.length === 0) return [];
  const choices = values.map((value) => choiceOf(value.pointer, value.text, formatValuePlace(value), chosen));
  return [separator(title), ...choices];
}

function choiceOf(pointer: string, text: string, place: string, chosen: string | undefined): Choice {
  return {
    label: text.replaceAll(/\s+/g, ' ').slice(0, 100),
    description: pointer === chosen ? l10n.t('{0} (current)', place) : place,
    pointer,
  };
}

function formatValuePlace({ pointer, element }: ValueChoice): string {
  const place = formatPlace(pointer);
  switch (element?.is) {
    case undefined:
      return place;
    case 'last':
      return l10n.t('last of {0}: {1}', element.count, place);
    case 'this':
      return l10n.t('always number {0} of {1}: {2}', element.number, element.count, place);
  }
}
