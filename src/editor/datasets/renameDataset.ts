import { l10n } from 'vscode';
import { dialogTitle } from '../platform/commandTitle';
import { UserError } from '../platform/userError';
import type { Services } from '../services';
import { nameBox } from './addDataset';
import { pickOwnDataset } from './chooseDataset';
import { storeAccessKey } from './enterAccessKey';
import { givenDataset } from './findDataset';
import type { Webhooks } from './webhooks';

/** Gives a dataset another name, under which it keeps its access key, its webhook and its tasks. */
export async function renameDataset(
  services: Pick<Services, 'datasets' | 'keys' | 'picks' | 'sandbox' | 'store'> & { readonly webhooks: Webhooks },
  target: unknown,
): Promise<void> {
  const { datasets, keys, picks, store, webhooks } = services;
  const title = dialogTitle('renameDataset');
  const dataset = givenDataset(services, target) ?? (await pickOwnDataset(services, title));
  if (dataset === undefined) return;
  if (datasets.isSandbox(dataset)) throw new UserError(l10n.t('The sandbox cannot be renamed.'));
  const box = nameBox(datasets, dataset.name, dataset.name);
  const name = (await picks.text({ ...box, title, ignoreFocusOut: true }))?.trim();
  if (name === undefined || name === dataset.name) return;
  const key = await keys.get(dataset);
  const renamed = { ...dataset, name };
  // The key is stored under both names until the old one is no longer used, so that it can't get lost.
  if (key !== undefined && !(await storeAccessKey(keys, renamed, key))) return;
  const result = await store.rename({ from: dataset.name, to: name });
  if (result !== 'renamed') {
    await keys.clear(renamed);
    throw new UserError(
      result === 'busy'
        ? l10n.t('Files are being uploaded to {0}. Wait or cancel the import, then rename the dataset.', dataset.name)
        : l10n.t("The list has tasks of another dataset that was named '{0}'. Choose another name.", name),
    );
  }
  try {
    await datasets.rename(dataset, name);
  } catch (error) {
    // If the settings still have the old name, so must the tasks and the memory of imported files.
    if (datasets.find(dataset.name) !== undefined) {
      await store.rename({ from: name, to: dataset.name });
      await keys.clear(renamed);
    }
    throw error;
  }
  await webhooks.set(renamed, webhooks.of(dataset));
  datasets.noteFilesChange();
  await keys.clear(dataset);
}
