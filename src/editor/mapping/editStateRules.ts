import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { ErrorMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { withRules } from '../../service/contract/editedRules';
import type { StateRule } from '../../service/contract/stateRules';
import type { Json } from '../../service/json/json';
import { isJsonPointer, jsonPointer, parentPointer, pointerNames } from '../../service/json/jsonPointer';
import { hasOnlyPlaceholders, PLACE_PLACEHOLDERS } from '../../service/places/placeholders';
import type { OwnTask } from '../../service/places/whose';
import { allLeaves, type Leaf } from '../../service/proposing/leaves';
import { type ProposedRules, proposedStates, proposedStatesWith } from '../../service/proposing/proposedStates';
import { stateByRules } from '../../service/response/stateByRules';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { formatErrorMeaning, formatMeaning, formatName, formatPlace, formatRule } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { openDatasetsSetting } from '../platform/settings';
import { type Picks, separator } from '../platform/window';
import { unclearError } from '../rows/formatState';
import { taskLabel } from '../rows/taskItem';
import { noValue } from './chooseField';
import type { FieldResponse, Mapping } from './mapping';

type Choice = QuickPickItem & {
  readonly rules?: ProposedRules;
  readonly leaf?: Leaf;
  readonly errorMeaning?: ErrorMeaning;
};

/**
 * Lets the user say which values of a response give a state, and saves that with the dataset: likely rules in one
 * pick, those for a value in two.
 * @throws UserError where the response has no values
 */
export async function editStateRules(
  services: { readonly mapping: Mapping; readonly picks: Picks },
  dataset: Dataset,
  { task, response }: FieldResponse,
): Promise<void> {
  const { mapping, picks } = services;
  const data = responseData(response);
  const ownTask = ownTaskOf(task, dataset.contract);
  const leaves = allLeaves({ data, ownTask });
  if (leaves.length === 0) throw await noValue(services, dataset, 'status', { task, response });
  const title = l10n.t("State Rules of Dataset '{0}'", dataset.name);
  const asked = {
    picks,
    title,
    data,
    ownTask,
    leaves,
    known: dataset.contract.queryTask.states,
    label: taskLabel(task),
  };
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

/** The rules that a value suggests; any others are written in the settings, where each part is completed and explained. */
async function chooseRulesFor(asked: Asked, leaf: Leaf): Promise<ProposedRules | undefined> {
  const { picks, title, leaves } = asked;
  const other: Choice = { label: l10n.t('Open Dataset Settings'), iconPath: new ThemeIcon('go-to-file') };
  const choices = [...proposalItems(asked, proposedStatesWith(leaf, leaves)), other];
  const placeHolder = leafItem(leaf).label;
  const picked = await picks.one<Choice>(choices, { title, placeHolder, ignoreFocusOut: true });
  if (picked === other) await openDatasetsSetting();
  return picked?.rules;
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
  const leaf = { pointer, name: pointerNames(pointer).at(-1) ?? '', value: null, text: '' };
  return { label: l10n.t('{0}: not in this response', formatName(pointer)), description: formatPlace(pointer), leaf };
}

function section(label: string, items: readonly Choice[]): Choice[] {
  return items.length === 0 ? [] : [separator(label), ...items];
}
