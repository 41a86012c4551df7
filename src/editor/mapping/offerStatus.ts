import { l10n } from 'vscode';
import type { Contract, KnownMeaning } from '../../service/contract/contract';
import type { KeptData } from '../../service/proposing/leaves';
import { type SuggestedValue, suggestedStatus, suggestedTaskId } from '../../service/proposing/suggestedValue';
import { statusMeaning } from '../../service/response/statusMeaning';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import { shownTask } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatSentences } from '../language/formatLists';
import { formatMeaning, formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { showResponseAction } from '../requests/lastResponses';
import { chooseFieldAction, type MappingServices } from './mapResponses';

/** Says that no status was recognized. If just one value may be the status, asks what it means; offers the pick, too. */
export async function offerStatus(services: MappingServices, task: TrackedTask, message: string): Promise<void> {
  const choose = chooseFieldAction(services, 'status', task);
  const report = await lastReport(services, task);
  const value = report && suggestedStatusOf(task, report);
  if (value === undefined)
    return services.messages.done(message, choose, showResponseAction(services.responses, task.key));
  const isWord = statusMeaning(value.text, contractOf(services, task)?.queryTask.statusMeanings ?? {}) !== 'unknown';
  const said = formatSentences([message, formatSuggestedStatus(value, isWord)]);
  return services.messages.done(said, ...useStatusActions(services, task, value, isWord), choose);
}

function formatSuggestedStatus({ text, pointer }: SuggestedValue, isWord: boolean): string {
  const facts = [shortText(text), shortText(formatPlace(pointer))] as const;
  return isWord
    ? l10n.t("Is '{0}' ({1}) the status?", ...facts)
    : l10n.t("If '{0}' ({1}) is the status, what does it mean?", ...facts);
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

/** The one value that may be the status; none of a response that lists several tasks and none known to be this one. */
function suggestedStatusOf(task: TrackedTask, response: KeptData): SuggestedValue | undefined {
  const { phase } = shownTask(task);
  const report = phase.kind === 'accepted' ? phase.report : undefined;
  return report?.elements === undefined ? suggestedStatus(response, report?.from.status?.pointer) : undefined;
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
