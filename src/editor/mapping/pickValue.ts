import { l10n, type QuickPickItem } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Field } from '../../service/response/field';
import { choiceText, type PickedAs, valueChoices } from '../../service/response/valueChoices';
import { formatPlace } from '../platform/formatField';
import { commandAction, UserError } from '../platform/userError';
import { titled } from '../platform/window';
import type { Services } from '../services';
import { rowLabel } from '../wording/states';
import { ownTaskOf, type StoredResponse } from './responses';

/** A value from a response, or another choice below the values. */
export type ValueItem = QuickPickItem & { readonly pointer?: string | undefined; choose?(): Promise<void> };

interface ValuePick {
  readonly title: string;
  /** The current pointer. */
  readonly chosen?: string | undefined;
  /** Items to show before a value. */
  readonly before?: (value: Field) => readonly ValueItem[];
  /** Items below the values. */
  readonly others?: readonly ValueItem[];
}

/**
 * Lets the user pick a value from a response. Likely values come first, and values of other tasks are left out.
 * @throws UserError if there is no value to pick
 */
export async function pickValue(
  { picks }: Pick<Services, 'picks'>,
  { name, contract }: Dataset,
  as: PickedAs,
  from: StoredResponse | undefined,
  { title, chosen, before = () => [], others = [] }: ValuePick,
): Promise<ValueItem | undefined> {
  // The task ID is read from file-task's response, before we know which task is ours.
  const ownTask = from && as !== 'taskId' ? ownTaskOf(from.row, contract) : undefined;
  const values = valueChoices(as, from?.data ?? null, ownTask);
  const isEmpty = values.likely.length + values.others.length === 0;
  if (from === undefined || (isEmpty && chosen === undefined)) throw noValue(name, from);
  const group = (label: string, fields: readonly Field[]) => {
    const items = fields.flatMap((field) => [...before(field), valueItem(field.pointer, choiceText(field), chosen)]);
    return titled(label, items);
  };
  const items = [
    ...group(l10n.t('suggested'), values.likely),
    ...group(l10n.t('other values in the response'), values.others),
    ...titled(l10n.t('other'), others),
  ];
  const placeHolder = l10n.t("Select the value from the response for '{0}'", rowLabel(from.row));
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

function noValue(dataset: string, from: StoredResponse | undefined): UserError {
  if (from === undefined)
    return new UserError(
      l10n.t("Dataset '{0}' has no response to choose from yet. Import a file and refresh its status.", dataset),
    );
  const label = rowLabel(from.row);
  const text =
    from.data === undefined
      ? l10n.t("The response for '{0}' is too long to choose from.", label)
      : l10n.t("The response for '{0}' has no values of this task to choose from.", label);
  return new UserError(text, [commandAction('openDatasetSettings')]);
}
