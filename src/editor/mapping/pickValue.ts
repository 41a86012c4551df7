import { l10n, type QuickPickItem } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import { idsAt, pointerToAll } from '../../service/response/taskIds';
import type { FieldName } from '../../service/response/usualNames';
import { choiceText, type PickedAs, valueChoices } from '../../service/response/valueChoices';
import { commandAction, UserError } from '../platform/actions';
import { formatList } from '../platform/format';
import { titled } from '../platform/window';
import type { Services } from '../services';
import { rowLabel } from '../wording/states';
import { type StoredResponse, taskOf } from './responses';

/** A value from a response, or another choice below the values. */
export type ValueItem = QuickPickItem & { readonly pointer?: string | undefined; choose?(): Promise<void> };

/**
 * Lets the user pick a value from a response, or one of the `others` below the values. Leaves out values that belong to other
 * tasks. `chosen` is the current pointer.
 * @throws UserError if there is no value to pick
 */
export async function pickValue(
  { picks }: Pick<Services, 'picks'>,
  { name, contract }: Dataset,
  as: PickedAs,
  from: StoredResponse | undefined,
  title: string,
  chosen?: string,
  others: readonly ValueItem[] = [],
): Promise<ValueItem | undefined> {
  if (from === undefined)
    throw new UserError(
      l10n.t("Dataset '{0}' has no response to choose from yet. Import a file and refresh its status.", name),
    );
  const { row, data = null } = from;
  // When the user picks the task ID, we don't know yet which task is ours.
  const values = valueChoices(as, data, as === 'taskId' ? undefined : taskOf(from, contract));
  const label = rowLabel(row);
  if (values.length === 0 && chosen === undefined) {
    const text = l10n.t("The response for '{0}' has no values of this task to choose from.", label);
    throw new UserError(text, [commandAction('openDatasetSettings')]);
  }
  const toAll = (pointer: string) => (as === 'taskId' ? pointerToAll(data, pointer) : undefined);
  const lists = new Set(values.flatMap(({ pointer }) => toAll(pointer) ?? []));
  const items = [
    ...[...lists].flatMap((pointer) => allIds(data, pointer, chosen)),
    ...values.map((field) => {
      // A later file may become several tasks, even if this one became only one.
      const all = toAll(field.pointer);
      const isLone = all !== undefined && idsAt(data, all).ids.length === 1;
      return valueItem(isLone ? all : field.pointer, choiceText(field), chosen);
    }),
    ...titled(l10n.t('other'), others),
  ];
  const placeHolder = l10n.t("Select the value from the response for '{0}'", label);
  return picks.one<ValueItem>(items, { title, placeHolder });
}

/** Max number of task IDs to show in one item. */
const MAX_NAMED = 10;

/** Creates an item that stands for all task IDs in a list, if there is more than one. */
function allIds(data: Json, pointer: string, chosen: string | undefined): ValueItem[] {
  const { ids } = idsAt(data, pointer);
  if (ids.length < 2) return [];
  const detail = l10n.t('All {0} of them: this file became several tasks.', ids.length);
  return [{ ...valueItem(pointer, formatList(ids.slice(0, MAX_NAMED).map(taskIdText)), chosen), detail }];
}

function valueItem(pointer: string, text: string, chosen?: string): ValueItem {
  const place = formatPlace(pointer);
  return {
    label: text.replaceAll(/\s+/g, ' ').slice(0, 100),
    description: pointer === chosen ? l10n.t('{0} (current)', place) : place,
    pointer,
  };
}

const FIELDS: Readonly<Record<FieldName, () => string>> = {
  taskId: () => l10n.t('Task ID'),
  status: () => l10n.t('Status'),
  progress: () => l10n.t('Progress'),
  message: () => l10n.t('Message'),
};

export function formatField(field: FieldName): string {
  return FIELDS[field]();
}

/** Formats a field's JSON Pointer. An empty pointer stands for all of `data`. */
export function formatPlace(pointer: string): string {
  return pointer === '' ? l10n.t('the whole response') : pointer;
}
