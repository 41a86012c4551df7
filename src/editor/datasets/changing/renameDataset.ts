import { l10n } from 'vscode';
import type { Dataset } from '../../../service/contract/dataset';
import type { TaskList } from '../../../tasks/store/taskList';
import { isOpen, type TrackedTask } from '../../../tasks/trackedTask';
import { storeAccessKey } from '../../accessKeys/enterAccessKey';
import { UserError } from '../../platform/userError';
import { nameBox } from '../adding/nameBox';
import { pickOwnDataset } from '../chooseDataset';
import { type DatasetDeps, givenDataset } from '../findDataset';
import type { Webhooks } from '../webhooks';

export interface RenameDeps extends DatasetDeps {
  readonly list: TaskList;
  readonly webhooks: Webhooks;
}

/** Gives a dataset another name, under which it keeps its access key, its webhook and its tasks. */
export async function renameDataset(deps: RenameDeps, target: unknown): Promise<void> {
  const title = l10n.t('Rename Dataset');
  const dataset = givenDataset(deps, target) ?? (await pickOwnDataset(deps, title));
  if (dataset === undefined) return;
  if (deps.datasets.isSandbox(dataset)) throw new UserError(l10n.t('The sandbox cannot be renamed.'));
  const box = nameBox(deps.datasets, dataset.name, dataset.name);
  const name = (await deps.picks.text({ ...box, title, ignoreFocusOut: true }))?.trim();
  if (name === undefined || name === dataset.name) return;
  await assertNothingIsSent(deps.list, dataset);
  const key = await deps.keys.get(dataset);
  const renamed = { ...dataset, name };
  // Until the old name is gone, nothing is lost: the key is there under both.
  if (key !== undefined && !(await storeAccessKey(deps.keys, renamed, key))) return;
  await moveWebhook(deps.webhooks, dataset, renamed);
  await deps.datasets.rename(dataset, name);
  const rename = (task: TrackedTask) => (isOpen(task.phase) ? undefined : { dataset: name });
  for await (const tasks of deps.list.history.newestFirst(dataset.name))
    await deps.list.updateAll(tasks.map(({ key }) => [key, rename]));
  await deps.keys.clear(dataset);
}

/** What is queued or being sent belongs to the name under which it began. */
async function assertNothingIsSent(list: TaskList, dataset: Dataset): Promise<void> {
  await list.sync();
  if (!list.unfinished.some((task) => task.dataset === dataset.name && isOpen(task.phase))) return;
  throw new UserError(
    l10n.t(
      'Files are being imported to {0}. Wait for the import to end or cancel it, then rename the dataset.',
      dataset.name,
    ),
  );
}

async function moveWebhook(webhooks: Webhooks, from: Dataset, to: Dataset): Promise<void> {
  const last = webhooks.last(from);
  const notVerified = webhooks.notVerified(from);
  if (last !== undefined) await webhooks.remember(to, new URL(last));
  if (notVerified !== undefined) await webhooks.rememberNotVerified(to, notVerified);
}
