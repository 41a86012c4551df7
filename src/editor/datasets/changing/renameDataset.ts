import { l10n } from 'vscode';
import type { Dataset } from '../../../service/contract/dataset';
import { newestFirst } from '../../../tasks/history/walk';
import type { TaskList } from '../../../tasks/store/taskList';
import { isOpen, type TrackedTask } from '../../../tasks/trackedTask';
import { UserError } from '../../platform/userError';
import type { Services } from '../../services';
import { nameBox } from '../addDataset';
import { pickOwnDataset } from '../chooseDataset';
import { storeAccessKey } from '../enterAccessKey';
import { givenDataset } from '../findDataset';
import type { Webhooks } from '../webhooks';

/** Gives a dataset another name, under which it keeps its access key, its webhook and its tasks. */
export async function renameDataset(
  services: Services & { readonly webhooks: Webhooks },
  target: unknown,
): Promise<void> {
  const title = l10n.t('Rename Dataset');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  if (services.datasets.isSandbox(dataset)) throw new UserError(l10n.t('The sandbox cannot be renamed.'));
  const box = nameBox(services.datasets, dataset.name, dataset.name);
  const name = (await services.picks.text({ ...box, title, ignoreFocusOut: true }))?.trim();
  if (name === undefined || name === dataset.name) return;
  await assertNothingIsSent(services.list, dataset);
  const key = await services.keys.get(dataset);
  const renamed = { ...dataset, name };
  // Until the old name is gone, nothing is lost: the key is there under both.
  if (key !== undefined && !(await storeAccessKey(services.keys, renamed, key))) return;
  await services.webhooks.set(renamed, services.webhooks.of(dataset));
  await services.datasets.rename(dataset, name);
  const rename = (task: TrackedTask) => (isOpen(task.phase) ? undefined : { dataset: name });
  for await (const tasks of newestFirst(services.list.history, dataset.name))
    await services.list.updateAll(tasks.map(({ key }) => [key, rename]));
  await services.contents.rename(dataset.name, name);
  services.datasets.noteFilesChange();
  await services.keys.clear(dataset);
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
