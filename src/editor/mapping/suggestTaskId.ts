import { l10n } from 'vscode';
import { suggestedTaskId } from '../../service/proposing/suggestedValue';
import { responseData } from '../../tasks/following/keptResponses';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatPlace } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { helpAction } from '../tree/pickTaskFor';
import type { MappingServices } from './mapResponses';

/** What a message asks and its button offers where just one value of the import's response may be the task's id. */
export async function suggestTaskId(
  services: MappingServices,
  task: TrackedTask,
): Promise<{ readonly question: string; readonly action: Action } | undefined> {
  const response = await services.mapping.responseOf('taskId', task);
  const value = response === undefined ? undefined : suggestedTaskId({ data: responseData(response) });
  if (value === undefined) return undefined;
  const use = (needing: TrackedTask) =>
    services.mapping.setPointer(datasetAt(services, needing), 'taskId', value.pointer, needing.key);
  return {
    question: l10n.t("Is '{0}' ({1}) the task ID?", shortText(value.text), shortText(formatPlace(value.pointer))),
    action: { ...helpAction(services, 'chooseTaskId', task, use), label: l10n.t('Use as Task ID') },
  };
}
