import { l10n, type QuickPickItem } from 'vscode';
import type { ValueChoice } from '../../service/response/valueChoices';
import { formatPlace } from '../platform/formatField';
import { separator } from '../platform/window';

/** A value of a response in a list; no pointer stands for none of them. */
export type ValueItem = QuickPickItem & { readonly pointer?: string | undefined };

/** The items for the values of a response, the likely ones first. */
export function valueItems(
  values: readonly ValueChoice[],
  items: (value: ValueChoice) => readonly ValueItem[],
): readonly ValueItem[] {
  const group = (title: string, some: readonly ValueChoice[]) =>
    some.length === 0 ? [] : [separator(title), ...some.flatMap(items)];
  return [
    ...group(
      l10n.t('suggested'),
      values.filter(({ isLikely }) => isLikely),
    ),
    ...group(
      l10n.t('other values in the response'),
      values.filter(({ isLikely }) => !isLikely),
    ),
  ];
}

export function valueItem(pointer: string, text: string, chosen?: string): ValueItem {
  const place = formatPlace(pointer);
  return {
    label: text.replaceAll(/\s+/g, ' ').slice(0, 100),
    description: pointer === chosen ? l10n.t('{0} (current)', place) : place,
    pointer,
  };
}
