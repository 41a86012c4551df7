import { randomUUID } from 'node:crypto';
import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { isNothing, type JsonObject, stringifyJson } from '../../service/json/json';
import { type TaskId, taskIdText, typedTaskId } from '../../service/json/taskId';
import { mayBeBadKey, type Outcome } from '../../service/response/outcome';
import type { Paused } from '../../tasks/following/destinationQueries';
import { failureOf } from '../../tasks/trackedTask';
import { chooseDataset } from '../datasets/chooseDataset';
import { ensureAccessKey, replaceAccessKey } from '../datasets/enterAccessKey';
import { importFilesActions, openDatasetSettingsAction } from '../datasets/findDataset';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import { shortText } from '../platform/outsideText';
import { type Action, commandAction } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import { editRequestAction } from './editRequest';
import { rejection } from './rejection';

/** Asks a dataset's service for a task that does not exist, which changes nothing there, and says what came back. */
export async function testConnection(services: Services, target: unknown): Promise<void> {
  const dataset = await chooseDataset(services, target, l10n.t('Test Connection'));
  if (dataset === undefined || (await ensureAccessKey(services, dataset)) === undefined) return;
  await services.list.loaded();
  const taskId = typedTaskId(randomUUID(), 'string');
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  const title = l10n.t('Testing the connection to {0}', dataset.name);
  const outcome = await withDelayedProgress(title, (signal) => services.refresher.probe(destination, taskId, signal));
  if (outcome !== undefined) await report(services, dataset, taskId, outcome);
}

function report(
  services: Services,
  dataset: Dataset,
  taskId: TaskId,
  outcome: Outcome<unknown> | Paused,
): Promise<void> {
  const { datasets, messages } = services;
  const { isGood, message, helps, response } = connectionFinding(dataset, outcome);
  if (response !== undefined) messages.note(`test of ${dataset.name}: ${stringifyJson(response)}`);
  const current = () => datasets.find(dataset.name) ?? dataset;
  const again = () => testConnection(services, { dataset });
  const refusal = outcome.kind === 'rejected' ? outcome.refusal : undefined;
  const rejected = refusal && rejection('queryTask', refusal, [taskIdText(taskId)]);
  const actions: Readonly<Record<Help, () => Action[]>> = {
    importFiles: () => importFilesActions(services, current()),
    editRequest: () => [editRequestAction(services, current, again, rejected)],
    replaceKey: () => [replaceAccessKey(services, current, again)],
    openSettings: () => [openDatasetSettingsAction()],
    testAgain: () => [{ label: l10n.t('Test Again'), run: again }],
  };
  const show = response === undefined ? [] : [commandAction(l10n.t('Show Log'), 'showLog')];
  // The key and the address of the sandbox are fixed.
  const isFixed = (help: Help) => help === 'replaceKey' || help === 'openSettings';
  const offered = helps.filter((help) => !datasets.isSandbox(dataset) || !isFixed(help));
  const buttons = [...offered.flatMap((help) => actions[help]()), ...show];
  return isGood ? messages.done(message, ...buttons) : messages.warn(message, ...buttons);
}

/** What helps after a test of a connection. */
type Help = 'importFiles' | 'editRequest' | 'replaceKey' | 'openSettings' | 'testAgain';

/** What came of a test of a connection. */
interface Finding {
  /** Whether the service responded as it should to a query for a task that it does not know. */
  readonly isGood: boolean;
  readonly message: string;
  readonly helps: readonly Help[];
  /** The response, access keys masked, where it is an envelope that says more than the message. */
  readonly response?: JsonObject;
}

/** Says what came back for a query for a task that does not exist. */
function connectionFinding(dataset: Dataset, outcome: Outcome<unknown> | Paused): Finding {
  const { name } = dataset;
  switch (outcome.kind) {
    case 'accepted':
      return {
        isGood: true,
        message: l10n.t(
          'Connected to {0}. The access key was accepted: the service responded with code 0, even for a task that does not exist.',
          name,
        ),
        helps: ['importFiles', 'editRequest'],
        ...responseOf(outcome.response.envelope),
      };
    case 'rejected':
      return rejectedFinding(dataset, outcome);
    case 'notSent':
      return {
        isGood: false,
        message: l10n.t('Cannot reach {0}. {1}', name, formatFailure(failureOf(outcome.cause))),
        helps: ['testAgain', 'openSettings'],
      };
    case 'unconfirmed':
      return {
        isGood: false,
        message: l10n.t('{0} did not respond as expected. {1}', name, formatFailure(failureOf(outcome.cause))),
        helps: ['editRequest', 'testAgain'],
      };
    case 'paused':
      return {
        isGood: false,
        message: l10n.t('{0} asked to wait. Try again in {1} s.', name, Math.ceil(outcome.pauseMs / 1000)),
        helps: ['testAgain'],
      };
  }
}

function rejectedFinding(
  { name, baseUrl }: Dataset,
  outcome: Extract<Outcome<unknown>, { kind: 'rejected' }>,
): Finding {
  const { refusal, tryLater } = outcome;
  const words = formatRefusal(refusal);
  const shown = refusal.by === 'envelope' ? responseOf(refusal.response.envelope) : {};
  if (mayBeBadKey(outcome)) {
    const message = l10n.t('{0} was reached, but the access key was rejected: {1}', name, words);
    return { isGood: false, message, helps: ['replaceKey'], ...shown };
  }
  if (tryLater) {
    const message = l10n.t('{0} was reached, but asks to try again later: {1}', name, words);
    return { isGood: false, message, helps: ['testAgain'], ...shown };
  }
  if (refusal.by === 'envelope') {
    const message = l10n.t(
      'Connected to {0}. The first import will show whether it accepts the access key. For a task that does not exist, the service responded: {1}',
      ...[name, words],
    );
    return { isGood: true, message, helps: ['importFiles', 'replaceKey', 'editRequest'], ...shown };
  }
  const message = l10n.t(
    "{0} was reached, but not the service of dataset '{1}': {2}. Check the base URL and the path of the query.",
    baseUrl.host,
    name,
    words,
  );
  return { isGood: false, message, helps: ['editRequest', 'openSettings'] };
}

function responseOf(envelope: JsonObject): Pick<Finding, 'response'> {
  const { code: _, message, ...more } = envelope;
  const isCut = typeof message === 'string' && shortText(message) !== message;
  return isCut || !Object.values(more).every(isNothing) ? { response: envelope } : {};
}
