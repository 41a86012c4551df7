import { l10n } from 'vscode';
import type { ErrorMeaning } from '../../service/contract/contract';
import { leafText, stringifyJson } from '../../service/json/json';
import { readPlace } from '../../service/places/readPlace';
import { ownTaskOf, responseData } from '../../tasks/following/keptResponses';
import type { TrackedTask } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatMeaning, formatName } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { Action } from '../platform/userError';
import { showResponseAction } from '../requests/lastResponses';
import { unclearError } from '../rows/formatState';
import { taskLabel } from '../rows/taskItem';
import { helpAction } from '../tree/pickTaskFor';
import type { MappingServices } from './mapResponses';
import { contractOf } from './offerStatus';

/** Asks what it means that an error is at this place beside what says success. */
export async function askAboutError(services: MappingServices, task: TrackedTask, error: string): Promise<void> {
  const message = l10n.t(
    "{0} reports success for '{1}', but the response also has '{2}': {3}. What does it mean?",
    ...[task.dataset, taskLabel(task), shortText(formatName(error)), await errorText(services, task, error)],
  );
  const meaningAction = (meaning: ErrorMeaning): Action => ({
    ...helpAction(
      services,
      'stateRules',
      task,
      (asking) => services.mapping.setErrorMeaning(datasetAt(services, asking), error, meaning, asking.key),
      (each) => unclearError(each) === error,
    ),
    label: formatMeaning(meaning),
  });
  const actions = [meaningAction('failed'), meaningAction('succeeded')];
  await services.messages.warn(message, ...actions, showResponseAction(services.responses, task.key));
}

async function errorText(services: MappingServices, task: TrackedTask, error: string): Promise<string> {
  const response = await services.mapping.responseOf('status', task);
  const contract = contractOf(services, task);
  if (response === undefined || contract === undefined) return '…';
  const placed = readPlace(responseData(response), error, ownTaskOf(task, contract));
  return placed ? shortText(leafText(placed.value) ?? stringifyJson(placed.value)) : '…';
}
