import { l10n, type QuickPickItem } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import { type PickedAs, type ValueChoice, valueChoices } from '../../service/response/valueChoices';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { openDatasetSettingsAction } from '../datasets/findDataset';
import { formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import { separator } from '../platform/window';
import { taskLabel } from '../taskItems/taskItem';
import type { FieldResponse, MappingServices } from './mapping';

/** A value of a response in a list, or another choice below the values. */
export type ValueItem = QuickPickItem & { readonly pointer?: string | undefined; run?(): Promise<void> };

interface ValuePick {
  readonly title: string;
  /** The pointer that is chosen now. */
  readonly chosen?: string | undefined;
  /** Items that come before a value. */
  readonly before?: (data: Json, value: ValueChoice) => readonly ValueItem[];
  /** Items below the values. */
  readonly others?: readonly ValueItem[];
}

/**
 * Lets the user pick a value of a response, with its path: the likely ones first, none of another task.
 * @throws UserError if there is no value to pick
 */
export async function pickValue(
  { picks }: MappingServices,
  { name, contract }: Dataset,
  as: PickedAs,
  from: FieldResponse | undefined,
  { title, chosen, before = () => [], others = [] }: ValuePick,
): Promise<ValueItem | undefined> {
  const data = from && responseData(from.response);
  // The ID is read from file-task's response, which is nobody's yet.
  const ownTask = from && as !== 'taskId' ? ownTaskOf(from.task, contract) : undefined;
  const values = data === undefined ? [] : valueChoices(as, { data, ownTask });
  if (from === undefined || (values.length === 0 && chosen === undefined)) throw noValue(name, from?.task, data);
  const group = (label: string, isLikely: boolean) => {
    const some = values.filter((value) => value.isLikely === isLikely);
    const items = some.flatMap((value) => [
      ...before(data ?? null, value),
      valueItem(value.pointer, value.text, chosen),
    ]);
    return items.length === 0 ? [] : [separator(label), ...items];
  };
  const items = [
    ...group(l10n.t('suggested'), true),
    ...group(l10n.t('other values in the response'), false),
    ...(others.length === 0 ? [] : [separator(l10n.t('other')), ...others]),
  ];
  const placeHolder = formatQuestion(from.task);
  return picks.one<ValueItem>(items, { title, placeHolder, matchOnDescription: true, ignoreFocusOut: true });
}

export function valueItem(pointer: string, text: string, chosen?: string): ValueItem {
  const place = formatPlace(pointer);
  return {
    label: text.replaceAll(/\s+/g, ' ').slice(0, 100),
    description: pointer === chosen ? l10n.t('{0} (current)', place) : place,
    pointer,
  };
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

function noValue(dataset: string, task: TrackedTask | undefined, data: Json | undefined): UserError {
  if (task === undefined)
    return new UserError(
      l10n.t("Dataset '{0}' has no response to choose from yet. Import a file and refresh its status.", dataset),
    );
  const label = taskLabel(task);
  if (data === undefined)
    return new UserError(l10n.t("The response for '{0}' is too long to choose from.", label), [
      openDatasetSettingsAction(),
    ]);
  const { taskId } = shownTask(task);
  if (taskId === undefined || valueChoices('status', { data, ownTask: undefined }).length === 0)
    return new UserError(l10n.t("The response for '{0}' has no values to choose from.", label));
  const id = shortText(taskIdText(taskId));
  const message = l10n.t("The response for '{0}' has only values of other tasks than '{1}'.", label, id);
  return new UserError(message, [openDatasetSettingsAction()]);
}
