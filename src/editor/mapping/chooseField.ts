import { l10n, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import type { ResponseField } from '../../service/response/fields';
import { idsAt, pointerToAll } from '../../service/response/taskIds';
import { valueChoices } from '../../service/response/valueChoices';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatField } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { openDatasetsSetting } from '../platform/settings';
import { UserError } from '../platform/userError';
import { separator } from '../platform/window';
import { taskLabel } from '../taskItems/taskItem';
import { editStateExpression } from './editStateExpression';
import type { FieldResponse, MappingServices } from './mapping';
import { type ValueItem, valueItem, valueItems } from './valueItems';

type Choice = ValueItem & { run?(): Promise<void> };

/**
 * Lets the user choose the value in a response that is the field, and saves its place with the dataset.
 * @throws UserError if the response has no values
 */
export async function chooseField(
  services: MappingServices,
  dataset: Dataset,
  field: ResponseField,
  { task, response }: FieldResponse,
): Promise<void> {
  const { mapping, picks } = services;
  const data = responseData(response);
  const chosen = mapping.pointer(dataset, field);
  // The ID is read from file-task's response, which is nobody's yet.
  const ownTask = field === 'taskId' ? undefined : ownTaskOf(task, dataset.contract);
  const values = data === undefined ? [] : valueChoices(field, { data, ownTask });
  if (values.length === 0 && chosen === undefined) throw noValue(field, task, data);
  const offered = new Set<string>();
  const expression: Choice = {
    label: l10n.t('State Expression…'),
    description: l10n.t('if no single value is the status'),
    iconPath: new ThemeIcon('symbol-operator'),
    run: () => editStateExpression(services, dataset),
  };
  const choices: Choice[] = [
    ...valueItems(values, ({ pointer, text }) => {
      const all = field === 'taskId' ? allIds(data ?? null, pointer, offered, chosen) : [];
      return [...all, valueItem(pointer, text, chosen)];
    }),
    separator(l10n.t('other')),
    ...(field === 'status' ? [expression] : []),
    {
      label: l10n.t('Recognize Automatically'),
      iconPath: new ThemeIcon('discard'),
      description: chosen === undefined ? l10n.t('current') : '',
      pointer: undefined,
    },
  ];
  const picked = await picks.one(choices, {
    title: l10n.t("{0} in the responses of dataset '{1}'", formatField(field), dataset.name),
    placeHolder: formatQuestion(task),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked?.run !== undefined) await picked.run();
  else if (picked !== undefined) await mapping.setPointer(dataset, field, picked.pointer, task.key);
}

/** Max task IDs that are named in one choice. */
const MAX_NAMED = 10;

/** Before the first task ID of a list, all of them are offered. */
function allIds(data: Json, pointer: string, offered: Set<string>, chosen: string | undefined): Choice[] {
  const all = pointerToAll(data, pointer);
  if (all === undefined || offered.has(all)) return [];
  offered.add(all);
  const { ids } = idsAt(data, all);
  if (ids.length < 2) return [];
  const detail = l10n.t('All {0} of them: this file became several tasks.', ids.length);
  return [{ ...valueItem(all, formatList(ids.slice(0, MAX_NAMED).map(taskIdText)), chosen), detail }];
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

function noValue(field: ResponseField, task: TrackedTask, data: Json | undefined): UserError {
  const label = taskLabel(task);
  const openSettings = { label: l10n.t('Open Dataset Settings'), run: openDatasetsSetting };
  if (data === undefined)
    return new UserError(l10n.t("The response for '{0}' is too long to choose from.", label), [openSettings]);
  const { taskId } = shownTask(task);
  const isOfOthers = field !== 'taskId' && valueChoices(field, { data, ownTask: undefined }).length > 0;
  return isOfOthers && taskId !== undefined
    ? new UserError(
        l10n.t(
          "The response for '{0}' has only values of other tasks than '{1}'.",
          label,
          shortText(taskIdText(taskId)),
        ),
        [openSettings],
      )
    : new UserError(l10n.t("The response for '{0}' has no values to choose from.", label));
}
