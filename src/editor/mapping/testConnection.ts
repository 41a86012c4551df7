import { randomUUID } from 'node:crypto';
import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { type TaskId, taskIdText, typedTaskId } from '../../service/json/taskId';
import { mayBeBadKey, type Outcome, storedResponse } from '../../service/response/outcome';
import { causeOf } from '../../tasks/sending/importEnd';
import { continueUploads, ensureAccessKey, replaceAccessKey } from '../datasets/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import { commandAction, commandTitle } from '../platform/actions';
import { formatRejection } from '../platform/formatFailures';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services';
import { formatCause } from '../wording/causes';
import { editParts } from './editRequest';
import { newestTaskId } from './responses';

/**
 * Queries a dataset's most recent task and reports the response. If the dataset has no tasks, queries a made-up task
 * ID.
 */
export async function testConnection(services: Services, dataset: Dataset): Promise<void> {
  if ((await ensureAccessKey(services, dataset)) === undefined) return;
  const known = await newestTaskId(services, dataset);
  const taskId = known ?? typedTaskId(randomUUID(), 'string');
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  const title = l10n.t('Testing the connection to {0}', dataset.name);
  const query = (signal: AbortSignal) => services.following.lookUp(destination, taskId, signal, () => false);
  const outcome = await withDelayedProgress(title, query);
  if (outcome !== undefined) await report(services, dataset, outcome, taskId, known !== undefined);
}

/** Reports the outcome. `isKnown` is true if the service created the task, and false if the task ID is made up. */
async function report(
  services: Services,
  dataset: Dataset,
  outcome: Outcome<unknown>,
  taskId: TaskId,
  isKnown: boolean,
): Promise<void> {
  const { datasets, messages } = services;
  const { name } = dataset;
  const { host } = dataset.baseUrl;
  const current = () => datasetNamed(services, name);
  const run = () => testConnection(services, current());
  const again = { label: l10n.t('Test Again'), run };
  // The user can't change the sandbox's key.
  const key = datasets.isSandbox(dataset) ? [] : [replaceAccessKey(services, current, run)];
  const settings = commandAction('openDatasetSettings');
  const importFiles = commandAction('importFiles', { dataset });
  if (outcome.kind === 'accepted') {
    messages.note(`test of ${name}: ${storedResponse(outcome)}`);
    await continueUploads(services, dataset);
    return messages.done(l10n.t('Connected to {0}. The access key was accepted.', name), importFiles);
  }
  if (outcome.kind !== 'rejected') {
    const cause = formatCause(causeOf(outcome));
    return messages.warn(l10n.t('The connection to {0} failed. {1}', name, cause), again, settings);
  }
  const { rejection, tryLater } = outcome;
  const words = formatRejection(rejection);
  if (mayBeBadKey(outcome))
    return messages.warn(l10n.t('{0} was reached, but the access key was rejected: {1}', name, words), ...key);
  if (tryLater) return messages.warn(l10n.t('{0} was reached, but asked to try again later.', name), again);
  if (rejection.by !== 'envelope') {
    const message = l10n.t('{0} responded {1}. Check the base URL and the path of the status check.', host, words);
    return messages.warn(message, settings, again);
  }
  messages.note(`test of ${name}: ${storedResponse(outcome)}`);
  const rejected = { operation: 'queryTask', rejection, values: [taskIdText(taskId)] } as const;
  const editThenTest = async () => {
    if (await editParts(services, current(), rejected)) await run();
  };
  const edit = { label: commandTitle('editRequest'), run: editThenTest };
  if (isKnown) {
    const id = taskIdText(taskId);
    const message = l10n.t('Connected to {0}. It rejected the status check of task {1}: {2}', name, id, words);
    return messages.warn(message, edit, ...key);
  }
  const message = l10n.t(
    'Connected to {0}. The first import will show whether it accepts the access key. For a task that does not exist, the service responded: {1}',
    name,
    words,
  );
  await messages.done(message, importFiles, ...key, edit);
}
