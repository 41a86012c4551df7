import { randomInt, randomUUID } from 'node:crypto';
import { commands, l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { stringifyJson } from '../../service/json/json';
import { type TaskId, taskIdText } from '../../service/json/taskId';
import type { Outcome, Refusal } from '../../service/response/outcome';
import { isOf } from '../../tasks/destination';
import type { Paused } from '../../tasks/following/destinationQueries';
import { unknownTaskId } from '../../tasks/following/unknownTaskId';
import { newestTasks } from '../../tasks/history/walk';
import { taskIdsOf } from '../../tasks/severalTasks';
import { chooseDataset } from '../datasets/chooseDataset';
import { ensureAccessKey, replaceAccessKey } from '../datasets/enterAccessKey';
import { importFilesActions } from '../datasets/findDataset';
import type { Action } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import { connectionFinding, type Help } from './connectionFinding';
import { editRequestAction } from './editRequest';
import type { LastResponses } from './lastResponses';
import { rejection } from './rejection';

/** Max tasks whose IDs tell how the service makes them. */
const MAX_SEEN = 100;

/**
 * Asks a dataset's service for a task that does not exist, which changes nothing there, and says what came back. `earlier`
 * is the refusal of the same query with the access key before this one.
 */
export async function testConnection(
  services: Services & { readonly responses: LastResponses },
  target: unknown,
  earlier?: Refusal,
): Promise<void> {
  const dataset = await chooseDataset(services, target, l10n.t('Test Connection'));
  if (dataset === undefined || (await ensureAccessKey(services, dataset)) === undefined) return;
  await services.list.loaded();
  const taskId = unknownTaskId(await idsOf(services, dataset), randomUUID, () => randomInt(10));
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  const title = l10n.t('Testing the connection to {0}', dataset.name);
  const outcome = await withDelayedProgress(title, (signal) => services.refresher.probe(destination, taskId, signal));
  if (outcome !== undefined) await tell(services, dataset, taskId, outcome, earlier);
}

/** The IDs of the latest tasks of a dataset: none of the earlier ones is likely to be made up. */
async function idsOf({ list }: Services & { readonly responses: LastResponses }, dataset: Dataset): Promise<TaskId[]> {
  const tasks = await newestTasks(list.history, (task) => task.taskId !== undefined && isOf(task, dataset), MAX_SEEN);
  return tasks.flatMap(taskIdsOf);
}

function tell(
  services: Services & { readonly responses: LastResponses },
  dataset: Dataset,
  taskId: TaskId,
  outcome: Outcome<unknown> | Paused,
  earlier: Refusal | undefined,
): Promise<void> {
  const { datasets, messages, responses } = services;
  const { isGood, message, helps, response } = connectionFinding(dataset, outcome, earlier);
  const text = response && stringifyJson(response, 2);
  const current = () => datasets.find(dataset.name) ?? dataset;
  const again = () => testConnection(services, { dataset });
  const refusal = outcome.kind === 'rejected' ? outcome.refusal : undefined;
  const rejected = async () => refusal && rejection('queryTask', refusal, [taskIdText(taskId)], text);
  const actions: Readonly<Record<Help, () => Action[]>> = {
    importFiles: () => importFilesActions(services, current()),
    editRequest: () => [editRequestAction(services, current, again, rejected)],
    replaceKey: () => [replaceAccessKey(services, current, () => testConnection(services, { dataset }, refusal))],
    changeBaseUrl: () => [
      {
        label: l10n.t('Change Base URL…'),
        run: () => commands.executeCommand('datasetImport.changeBaseUrl', { dataset: current() }),
      },
    ],
    testAgain: () => [{ label: l10n.t('Test Again'), run: again }],
  };
  const name = l10n.t('{0} (response to the test)', dataset.name);
  const show =
    text === undefined ? [] : [{ label: l10n.t('Show Response'), run: () => responses.showText(name, text) }];
  // The key and the address of the sandbox are fixed.
  const isFixed = (help: Help) => help === 'replaceKey' || help === 'changeBaseUrl';
  const offered = helps.filter((help) => !datasets.isSandbox(dataset) || !isFixed(help));
  const buttons = [...offered.flatMap((help) => actions[help]()), ...show];
  return isGood ? messages.done(message, ...buttons) : messages.warn(message, ...buttons);
}
