import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Condition } from '../../service/contract/stateRules';
import type { Leaf } from '../../service/proposing/leaves';
import { kindOf } from '../../service/proposing/proposedStates';
import { formatCondition, formatName } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { Picks } from '../platform/window';

type Choice = QuickPickItem & { readonly condition?: Condition };

/** Lets the user say what must be so of a value, in the words of the value itself. */
export async function chooseCondition(picks: Picks, title: string, leaf: Leaf): Promise<Condition | undefined> {
  const name = formatName(leaf.pointer);
  const now = leaf.text === '' ? l10n.t('currently absent') : l10n.t('currently {0}', shortText(leaf.text));
  const choices = conditionsFor(leaf).map(
    (condition): Choice => ({
      label: formatCondition(condition, name),
      description: now,
      condition,
    }),
  );
  const other: Choice = { label: l10n.t('Another Value…'), iconPath: new ThemeIcon('edit') };
  const placeHolder = l10n.t("Select a condition for '{0}'", shortText(name));
  const picked = await picks.one([...choices, other], { title, placeHolder, ignoreFocusOut: true });
  if (picked === undefined || picked.condition !== undefined) return picked?.condition;
  const prompt = l10n.t('Enter a value to compare with, or a limit such as >= 10 or <= 0.');
  const typed = await picks.text({ title, prompt, value: leaf.text, ignoreFocusOut: true });
  return typed === undefined ? undefined : typedCondition(typed);
}

function conditionsFor(leaf: Leaf): Condition[] {
  const is = (value: string | number | boolean): Condition => ({ equals: String(value) });
  const there: Condition[] = ['present', 'absent'];
  switch (kindOf(leaf)) {
    case 'flag':
      return [is(true), is(false), ...there];
    case 'nothing':
      return [...there, is(true), is(false)];
    case 'time':
      return there;
    case 'text':
      return [is(leaf.text), ...there];
    case 'number': {
      const number = Number.parseFloat(leaf.text);
      return [is(leaf.text), { atLeast: number }, { atMost: number }, ...there];
    }
  }
}

/** A condition as it was typed. */
export function typedCondition(typed: string): Condition {
  const [, sign, digits] = /^\s*(>=|<=)\s*(-?\d+(?:\.\d+)?)\s*$/.exec(typed) ?? [];
  if (digits === undefined) return { equals: typed.trim() };
  return sign === '>=' ? { atLeast: Number(digits) } : { atMost: Number(digits) };
}
