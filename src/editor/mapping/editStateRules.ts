import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { ErrorMeaning, KnownMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { withRules } from '../../service/contract/editedRules';
import type { Condition, StateRule } from '../../service/contract/stateRules';
import type { Json } from '../../service/json/json';
import { isJsonPointer, jsonPointer, parentPointer, pointerNames } from '../../service/json/jsonPointer';
import { hasOnlyPlaceholders, PLACE_PLACEHOLDERS } from '../../service/places/placeholders';
import type { OwnTask } from '../../service/places/whose';
import { kindOf, type ProposedRules, proposedStates, proposedStatesWith } from '../../service/proposing/proposedStates';
import { allLeaves, type Leaf } from '../../service/response/responseLeaves';
import { stateByRules } from '../../service/response/stateByRules';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import type { TrackedTask } from '../../tasks/trackedTask';
import {
  formatCondition,
  formatConditions,
  formatErrorMeaning,
  formatMeaning,
  formatName,
  formatPlace,
  formatRule,
} from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { Picks } from '../platform/window';
import { unclearError } from '../rows/formatState';
import { taskLabel } from '../rows/taskItem';
import { noValue } from './chooseField';
import type { Mapping } from './mapping';

type Choice = QuickPickItem & {
  readonly rules?: ProposedRules;
  readonly leaf?: Leaf;
  readonly isOwn?: true;
  readonly errorMeaning?: ErrorMeaning;
  readonly condition?: Condition;
};

/**
 * Lets the user say which values of a response give a state, and saves that with the dataset: likely rules in one
 * pick, those for a value in two, all others step by step.
 * @throws UserError where the response has no values
 */
export async function editStateRules(
  services: { readonly mapping: Mapping; readonly picks: Picks },
  dataset: Dataset,
  { task, response }: { readonly task: TrackedTask; readonly response: string },
): Promise<void> {
  const { mapping, picks } = services;
  const data = responseData(response);
  const ownTask = ownTaskOf(task, dataset.contract);
  const leaves = allLeaves(data, ownTask);
  if (leaves.length === 0) throw await noValue(services, dataset, 'status', { task, response });
  const title = l10n.t("State Rules of Dataset '{0}'", dataset.name);
  const asked = { picks, title, data, ownTask, leaves, known: mapping.rules(dataset), label: taskLabel(task) };
  const error = unclearError(task);
  const { rules, errorMeaning } = (await chooseRules(asked, error)) ?? {};
  if (rules !== undefined) await mapping.setRules(dataset, withRules(asked.known, rules), task.key);
  if (error !== undefined && errorMeaning !== undefined)
    await mapping.setErrorMeaning(dataset, error, errorMeaning, task.key);
}

interface Asked {
  readonly picks: Picks;
  readonly title: string;
  readonly data: Json;
  readonly ownTask: OwnTask | undefined;
  readonly leaves: readonly Leaf[];
  readonly known: readonly StateRule[];
  /** The name of the task. */
  readonly label: string;
}

/** `error` is one of which it is not known yet what it means beside a success; its meaning can be chosen too. */
async function chooseRules(
  asked: Asked,
  error: string | undefined,
): Promise<Pick<Choice, 'rules' | 'errorMeaning'> | undefined> {
  const { picks, title, leaves, label } = asked;
  const placeHolder = l10n.t("Select a rule that fits the response for '{0}', or type the place of a value", label);
  const choices: Choice[] = [
    ...section(l10n.t('suggested'), [
      ...(error === undefined ? [] : errorItems(error)),
      ...proposalItems(asked, proposedStates(leaves)),
    ]),
    ...section(l10n.t('start from a value'), leaves.map(leafItem)),
  ];
  const picked = await picks.oneOrTyped(choices, { title, placeHolder }, (text) => typedItem(text, leaves));
  if (picked?.leaf === undefined) return picked;
  const rules = await chooseRulesFor(asked, picked.leaf);
  return rules && { rules };
}

async function chooseRulesFor(asked: Asked, leaf: Leaf): Promise<ProposedRules | undefined> {
  const { picks, title, leaves } = asked;
  const own: Choice = { label: l10n.t('Another Condition…'), iconPath: new ThemeIcon('edit'), isOwn: true };
  const choices = [...proposalItems(asked, proposedStatesWith(leaf, leaves)), own];
  const placeHolder = leafItem(leaf).label;
  const picked = await picks.one<Choice>(choices, { title, placeHolder, ignoreFocusOut: true });
  return picked?.isOwn ? chooseStepByStep(asked, leaf, {}) : picked?.rules;
}

/** Conditions one after the other, and what they mean together. */
async function chooseStepByStep(
  asked: Asked,
  leaf: Leaf,
  before: Readonly<Record<string, Condition>>,
): Promise<ProposedRules | undefined> {
  const { picks, title, leaves } = asked;
  const condition = await chooseCondition(picks, title, leaf);
  if (condition === undefined) return undefined;
  const when = { ...before, [leaf.pointer]: condition };
  const placeHolder = l10n.t('When {0}, the task is …', formatConditions(Object.entries(when)));
  const meanings = (['running', 'succeeded', 'failed'] as const).map((is): QuickPickItem & { is?: KnownMeaning } => ({
    label: formatMeaning(is),
    is,
  }));
  const more: (typeof meanings)[number] = { label: l10n.t('Add Another Condition…'), iconPath: new ThemeIcon('add') };
  const picked = await picks.one([...meanings, more], { title, placeHolder, ignoreFocusOut: true });
  if (picked === undefined) return undefined;
  if (picked.is !== undefined) return [{ when, is: picked.is }];
  const others = leaves.filter(({ pointer }) => !Object.hasOwn(when, pointer)).map(leafItem);
  const next = await picks.oneOrTyped(others, { title, placeHolder }, (text) => typedItem(text, [leaf, ...leaves]));
  return next?.leaf && chooseStepByStep(asked, next.leaf, when);
}

function errorItems(error: string): Choice[] {
  return (['failed', 'succeeded'] as const).map((errorMeaning) => ({
    label: formatErrorMeaning(error, errorMeaning),
    description: formatPlace(error),
    errorMeaning,
  }));
}

/** Proposed rules as sentences, and what they say of the task now. */
function proposalItems({ data, ownTask, known }: Asked, proposals: readonly ProposedRules[]): Choice[] {
  return proposals.map((rules) => {
    const sentences = rules.map(formatRule);
    const { held } = stateByRules(withRules(known, rules), data, ownTask) ?? {};
    const now = formatMeaning(held?.is ?? 'running');
    const place = parentPointer(Object.keys(rules.at(-1)?.when ?? {})[0] ?? '');
    return {
      label: sentences.at(-1) ?? '',
      description:
        place === ''
          ? l10n.t('currently {0}', now)
          : l10n.t('currently {0} (read in {1})', now, shortText(formatPlace(place))),
      detail: [...sentences.slice(0, -1), l10n.t('Otherwise running')].join(' · '),
      rules,
    };
  });
}

function leafItem(leaf: Leaf): Choice {
  const text = leaf.text === '' ? JSON.stringify(leaf.value) : shortText(leaf.text.replaceAll(/\s+/g, ' '));
  return { label: `${formatName(leaf.pointer)}: ${text}`, description: formatPlace(leaf.pointer), leaf };
}

/** A value that the response does not have yet, by its JSON Pointer or by its name beside the first of these values. */
function typedItem(typed: string, leaves: readonly Leaf[]): Choice | undefined {
  const text = typed.trim();
  const pointer = text.startsWith('/') ? text : parentPointer(leaves[0]?.pointer ?? '') + jsonPointer(text);
  const isPlace = isJsonPointer(pointer) && hasOnlyPlaceholders(PLACE_PLACEHOLDERS)(pointer);
  if (text === '' || !isPlace || leaves.some((leaf) => leaf.pointer === pointer)) return undefined;
  const leaf = { pointer, name: pointerNames(pointer).at(-1) ?? '', value: null, text: '', isByNumber: false };
  return { label: l10n.t('{0}: not in this response', formatName(pointer)), description: formatPlace(pointer), leaf };
}

function section(label: string, items: readonly Choice[]): Choice[] {
  return items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
}

/** Lets the user say what must be so of a value, in the words of the value itself. */
async function chooseCondition(picks: Picks, title: string, leaf: Leaf): Promise<Condition | undefined> {
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
function typedCondition(typed: string): Condition {
  const [, sign, digits] = /^\s*(>=|<=)\s*(-?\d+(?:\.\d+)?)\s*$/.exec(typed) ?? [];
  if (digits === undefined) return { equals: typed.trim() };
  return sign === '>=' ? { atLeast: Number(digits) } : { atMost: Number(digits) };
}
