import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import { type ValueChoice, valueChoices } from '../../service/proposing/leaves';
import type { ResponseField } from '../../service/response/recognition';
import { idsAt, pointerToAll } from '../../service/response/taskIds';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatField, formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { openDatasetsSetting } from '../platform/settings';
import { UserError } from '../platform/userError';
import { separator } from '../platform/window';
import { taskLabel } from '../taskItems/taskItem';
import type { FieldResponse } from './mapping';
import type { MappingServices } from './mapResponses';

type Choice = QuickPickItem & { readonly pointer?: string | undefined };

/**
 * Lets the user choose the value in a response that is the field, and saves its place with the dataset.
 * @throws UserError if the response has no values
 */
export async function chooseField(
  services: Pick<MappingServices, 'mapping' | 'picks'>,
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
  const likely = values.filter(({ isLikely }) => isLikely);
  const others = values.filter(({ isLikely }) => !isLikely);
  const group = (title: string, some: readonly ValueChoice[]) =>
    some.length === 0 ? [] : [separator(title), ...choicesOf(some, field, data ?? null, chosen)];
  const choices: Choice[] = [
    ...group(l10n.t('suggested'), likely),
    ...group(l10n.t('other values in the response'), others),
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

function noValue(field: ResponseField, task: TrackedTask, data: Json | undefined): UserError {
  const label = taskLabel(task);
  const openSettings = { label: l10n.t('Open Dataset Settings'), run: openDatasetsSetting };
  const isOfOthers = data !== undefined && valueChoices(field, { data, ownTask: undefined }).length > 0;
  const { taskId } = shownTask(task);
  if (data === undefined)
    return new UserError(l10n.t("The response for '{0}' is too long to choose from.", label), [openSettings]);
  if (field === 'taskId')
    return new UserError(
      l10n.t(
        "The response for '{0}' has no values to choose from. If you know the task ID, use Attach Task ID….",
        label,
      ),
    );
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

/** Before the first task ID in a list, all of them are offered. */
function choicesOf(
  values: readonly ValueChoice[],
  field: ResponseField,
  data: Json,
  chosen: string | undefined,
): Choice[] {
  const offered = new Set<string>();
  return values.flatMap(({ pointer, text }) => {
    const choice = choiceOf(pointer, text, chosen);
    const all = field === 'taskId' ? pointerToAll(data, pointer) : undefined;
    if (all === undefined || offered.has(all)) return [choice];
    offered.add(all);
    const { ids } = idsAt(data, all);
    if (ids.length < 2) return [choice];
    const detail = l10n.t('All {0} of them: this file became several tasks.', ids.length);
    return [{ ...choiceOf(all, formatList(ids.slice(0, MAX_NAMED).map(taskIdText)), chosen), detail }, choice];
  });
}

/** Max task IDs that are named in one choice. */
const MAX_NAMED = 10;

function choiceOf(pointer: string, text: string, chosen: string | undefined): Choice {
  const place = formatPlace(pointer);
  return {
    label: text.replaceAll(/\s+/g, ' ').slice(0, 100),
    description: pointer === chosen ? l10n.t('{0} (current)', place) : place,
    pointer,
  };
}
