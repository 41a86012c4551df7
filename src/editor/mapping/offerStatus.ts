import { l10n } from 'vscode';
import type { Contract, KnownMeaning } from '../../service/contract/contract';
import { withRules } from '../../service/contract/editedRules';
import { allLeaves, isByNumber, type KeptData, type Leaf } from '../../service/proposing/leaves';
import { type ProposedRules, proposedStates } from '../../service/proposing/proposedStates';
import {
  isStatusWord,
  type SuggestedValue,
  suggestedStatus,
  suggestedTaskId,
} from '../../service/proposing/suggestedValue';
import { statusMeaning } from '../../service/response/statusMeaning';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatSentences } from '../language/formatLists';
import { formatMeaning, formatPlace, formatRule } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { showResponseAction } from '../requests/lastResponses';
import { helpAction } from '../tree/pickTaskFor';
import { chooseFieldAction, editStateRulesOfTask, type MappingServices } from './mapResponses';

/**
 * Shows a message where no status is recognized. Where just one value may be the status, asks what it means, and where
 * there is just one likely set of rules, whether to use it; else offers the picks, the likelier one first.
 */
export async function offerStatus(services: MappingServices, task: TrackedTask, message: string): Promise<void> {
  const editRules = helpAction('stateRules', task, (row) => editStateRulesOfTask(services, row));
  const choose = chooseFieldAction(services, 'status', task);
  const report = await lastReport(services, task);
  const leaves = report === undefined ? [] : allLeaves(report);
  const proposals = leaves.some(isUsualStatus) ? [] : proposedStates(leaves);
  const value = report && suggestedStatusOf(task, report);
  const meaning = value && statusMeaning(value.text, contractOf(services, task)?.queryTask.statusMeanings ?? {});
  const isWord = meaning !== undefined && meaning !== 'unknown';
  if (value !== undefined && (isWord || proposals.length === 0)) {
    const said = formatSentences([message, formatSuggestedStatus(value, isWord)]);
    const actions = useStatusActions(services, task, value, isWord);
    return services.messages.done(said, ...actions, choose, ...(isWord ? [editRules] : []));
  }
  const [rules] = proposals;
  if (rules !== undefined && proposals.length === 1) {
    const said = formatSentences([message, formatSuggestedRules(rules)]);
    return services.messages.done(said, useRulesAction(services, task, rules), editRules, choose);
  }
  const first = proposals.length > 0 ? [editRules, choose] : [choose, editRules];
  return services.messages.done(message, ...first, showResponseAction(services.responses, task.key));
}

function formatSuggestedStatus({ text, pointer }: SuggestedValue, isWord: boolean): string {
  const facts = [shortText(text), shortText(formatPlace(pointer))] as const;
  return isWord
    ? l10n.t("Is '{0}' ({1}) the status?", ...facts)
    : l10n.t("If '{0}' ({1}) is the status, what does it mean?", ...facts);
}

function formatSuggestedRules(rules: ProposedRules): string {
  return l10n.t('Suggested rules: {0}', [...rules.map(formatRule), l10n.t('Otherwise running')].join(' · '));
}

/** The button that takes the value as the status; where its meaning is not known, a button for each. */
function useStatusActions(
  services: MappingServices,
  task: TrackedTask,
  { text, pointer }: SuggestedValue,
  isWord: boolean,
): Action[] {
  const use = (meaning?: KnownMeaning) =>
    services.mapping.setStatus(datasetAt(services, task), pointer, meaning && [text, meaning], task.key);
  if (isWord) return [{ label: l10n.t('Use as Status'), run: () => use() }];
  const meanings = ['running', 'succeeded', 'failed'] as const;
  return meanings.map((meaning) => ({ label: formatMeaning(meaning), run: () => use(meaning) }));
}

function useRulesAction(services: MappingServices, task: TrackedTask, rules: ProposedRules): Action {
  const use = () => {
    const dataset = datasetAt(services, task);
    return services.mapping.setRules(dataset, withRules(dataset.contract.queryTask.states, rules), task.key);
  };
  return { label: l10n.t('Use These Rules'), run: use };
}

/** The one value that may be the status; none of a response that lists several tasks and none known to be this one. */
function suggestedStatusOf(task: TrackedTask, response: KeptData): SuggestedValue | undefined {
  const { phase } = shownTask(task);
  const report = phase.kind === 'accepted' ? phase.report : undefined;
  return report?.elements === undefined ? suggestedStatus(response, report?.from.status?.pointer) : undefined;
}

function isUsualStatus(leaf: Leaf): boolean {
  return typeof leaf.value === 'string' && !isByNumber(leaf) && isStatusWord(leaf.name, leaf.text);
}

/** The last response about a task, as it is read. */
export async function lastReport(services: MappingServices, task: TrackedTask): Promise<KeptData | undefined> {
  const response = await services.mapping.responseOf('status', task);
  const contract = contractOf(services, task);
  if (response === undefined || contract === undefined) return undefined;
  return { data: responseData(response), ownTask: ownTaskOf(task, contract) };
}

export function contractOf({ datasets }: MappingServices, { dataset }: TrackedTask): Contract | undefined {
  return datasets.find(dataset)?.contract;
}

/** What a message asks and its button offers where just one value of the import's response may be the task's id. */
export async function suggestTaskId(
  services: MappingServices,
  task: TrackedTask,
): Promise<{ readonly question: string; readonly action: Action } | undefined> {
  const response = await services.mapping.responseOf('taskId', task);
  const value = response === undefined ? undefined : suggestedTaskId({ data: responseData(response) });
  if (value === undefined) return undefined;
  const use = () => services.mapping.setPointer(datasetAt(services, task), 'taskId', value.pointer, task.key);
  return {
    question: l10n.t("Is '{0}' ({1}) the task ID?", shortText(value.text), shortText(formatPlace(value.pointer))),
    action: { label: l10n.t('Use as Task ID'), run: use },
  };
}
