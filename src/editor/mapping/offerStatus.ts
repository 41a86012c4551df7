import { l10n } from 'vscode';
import type { Contract } from '../../service/contract/contract';
import { withRules } from '../../service/contract/editedRules';
import { type ProposedRules, proposedStates } from '../../service/proposing/proposedStates';
import { isStatusWord, type SuggestedValue, suggestedStatus } from '../../service/proposing/suggestedValue';
import type { KeptData } from '../../service/proposing/valueChoices';
import { allLeaves, type Leaf } from '../../service/response/responseLeaves';
import { statusMeaning } from '../../service/response/statusMeaning';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatSentences } from '../language/formatLists';
import { formatMeaning, formatPlace, formatRule } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { showResponseAction } from '../requests/showLastResponse';
import { helpAction } from '../tree/pickTaskFor';
import type { MappingServices } from './mapResponses';
import { chooseFieldAction, stateRulesAction } from './mapResponses';

/**
 * Shows a message where no status is recognized. Where just one value may be the status, asks what it means, and where
 * there is just one likely set of rules, whether to use it; else offers the picks, the likelier one first.
 */
export async function offerStatus(
  services: MappingServices,
  task: TrackedTask,
  message: string,
  needs?: (task: TrackedTask) => boolean,
): Promise<void> {
  const editRules = stateRulesAction(services, task, needs);
  const choose = chooseFieldAction(services, 'status', task, needs);
  const report = await lastReport(services, task);
  const leaves = leavesIn(report);
  const proposals = leaves.some(isUsualStatus) ? [] : proposedStates(leaves);
  const value = report && suggestedStatusOf(task, report);
  const meaning = value && statusMeaning(value.text, contractOf(services, task)?.queryTask.statusMeanings ?? {});
  const isWord = meaning !== undefined && meaning !== 'unknown';
  if (value !== undefined && (isWord || proposals.length === 0)) {
    const said = formatSentences([message, formatSuggestedStatus(value, isWord)]);
    const actions = useStatusActions(services, task, value, isWord, needs);
    return services.messages.done(said, ...actions, choose, ...(isWord ? [editRules] : []));
  }
  const [rules] = proposals;
  if (rules !== undefined && proposals.length === 1) {
    const said = formatSentences([message, formatSuggestedRules(rules)]);
    return services.messages.done(said, useRulesAction(services, task, rules, needs), editRules, choose);
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
  needs: ((task: TrackedTask) => boolean) | undefined,
): Action[] {
  const meanings = isWord ? [undefined] : (['running', 'succeeded', 'failed'] as const);
  return meanings.map((meaning) => {
    const use = (needing: TrackedTask) =>
      services.mapping.setStatus(datasetAt(services, needing), pointer, meaning && [text, meaning], needing.key);
    const label = meaning === undefined ? l10n.t('Use as Status') : formatMeaning(meaning);
    return { ...helpAction(services, 'chooseStatus', task, use, needs), label };
  });
}

function useRulesAction(
  services: MappingServices,
  task: TrackedTask,
  rules: ProposedRules,
  needs: ((task: TrackedTask) => boolean) | undefined,
): Action {
  const use = (needing: TrackedTask) => {
    const dataset = datasetAt(services, needing);
    return services.mapping.setRules(dataset, withRules(services.mapping.rules(dataset), rules), needing.key);
  };
  return { ...helpAction(services, 'stateRules', task, use, needs), label: l10n.t('Use These Rules') };
}

/** The one value that may be the status; none of a response that lists several tasks and none known to be this one. */
function suggestedStatusOf(task: TrackedTask, response: KeptData): SuggestedValue | undefined {
  const { phase } = shownTask(task);
  const report = phase.kind === 'accepted' ? phase.report : undefined;
  return report?.elements === undefined
    ? suggestedStatus(response, report?.from.status?.pointer ?? report?.seen?.at)
    : undefined;
}

function isUsualStatus({ name, value, text, isByNumber }: Leaf): boolean {
  return typeof value === 'string' && !isByNumber && isStatusWord(name, text);
}

/** The values of the last report that may be the task's. */
export async function leavesOf(services: MappingServices, task: TrackedTask): Promise<Leaf[]> {
  return leavesIn(await lastReport(services, task));
}

function leavesIn(report: KeptData | undefined): Leaf[] {
  return report === undefined ? [] : allLeaves(report.data, report.ownTask);
}

async function lastReport(services: MappingServices, task: TrackedTask): Promise<KeptData | undefined> {
  const response = await services.mapping.responseOf('status', task);
  const contract = contractOf(services, task);
  if (response === undefined || contract === undefined) return undefined;
  return { data: responseData(response), ownTask: ownTaskOf(task, contract) };
}

export function contractOf({ datasets }: MappingServices, { dataset }: TrackedTask): Contract | undefined {
  return datasets.find(dataset)?.contract;
}
