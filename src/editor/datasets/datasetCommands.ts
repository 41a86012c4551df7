import { l10n } from 'vscode';
import type { FileRow } from '../../tasks/store/model';
import { dialogTitle } from '../platform/commandTitle';
import { commandAction, UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services';
import { askName } from './addDataset';
import { chooseOwnDataset, pickDataset } from './chooseDataset';
import { askAccessKey, keyTitle, storeAccessKey } from './enterAccessKey';
import { type DatasetNode, datasetAt, givenDataset } from './findDataset';

/**
 * Asks for a dataset's access key and replaces the current one. If the user leaves the box empty, deletes the key after
 * a confirmation. Imports that are waiting for the key then continue.
 */
export async function setAccessKey(services: Services, of: FileRow | DatasetNode | undefined): Promise<void> {
  const { datasets, keys, picks, messages } = services;
  const node = of !== undefined && 'import' in of ? { dataset: datasetAt(services, of) } : of;
  const { default: usual } = datasets;
  const isOwn = usual !== undefined && !datasets.isSandbox(usual);
  const chosen = node ?? (isOwn ? { dataset: usual } : undefined);
  const dataset = await chooseOwnDataset(services, chosen, dialogTitle('setAccessKey'));
  if (dataset === undefined) return;
  if (datasets.isSandbox(dataset))
    throw new UserError(l10n.t('The sandbox has its own access key, which cannot be changed.'));
  const empty = (await keys.get(dataset)) === undefined ? 'notAllowed' : 'delete';
  const key = await askAccessKey(picks, keyTitle(dataset), dataset.baseUrl, empty);
  if (key === '') {
    const question = l10n.t("Delete the access key of dataset '{0}'? The next import asks for it again.", dataset.name);
    if (await window.confirm(question, '', l10n.t('Delete Access Key'))) await keys.clear(dataset);
  } else if (key !== undefined && (await storeAccessKey(keys, dataset, key))) {
    const message = l10n.t("The access key of dataset '{0}' was set.", dataset.name);
    await messages.done(message, commandAction('testConnection', { dataset }));
  }
}

/** Renames a dataset, which keeps its access key, webhook and tasks. */
export async function renameDataset(services: Services, node: DatasetNode | undefined): Promise<void> {
  const { datasets, keys, store, webhooks } = services;
  const title = dialogTitle('renameDataset');
  const dataset = await chooseOwnDataset(services, node, title);
  if (dataset === undefined) return;
  if (datasets.isSandbox(dataset)) throw new UserError(l10n.t('The sandbox cannot be renamed.'));
  const name = await askName(services, title, dataset.name);
  if (name === undefined || name === dataset.name) return;
  const key = await keys.get(dataset);
  const renamed = { ...dataset, name };
  // Store the key under both names until the old name is no longer used, so that the key can't get lost.
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
    // If the settings still have the old name, change the tasks and the remembered imported files back to it.
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

/** Removes a dataset and its access key after a confirmation. */
export async function removeDataset(services: Services, node: DatasetNode | undefined): Promise<void> {
  const title = dialogTitle('removeDataset');
  const dataset = await chooseOwnDataset(services, node, title);
  if (dataset === undefined) return;
  if (services.datasets.isSandbox(dataset)) {
    const message = l10n.t('The sandbox is listed while it runs. Stop it to remove it.');
    throw new UserError(message, [commandAction('stopSandbox')]);
  }
  const question = l10n.t("Remove dataset '{0}' and its access key from VS Code?", dataset.name);
  const detail = l10n.t('Nothing is deleted on the service, and the tasks stay in the list.');
  if (await window.confirm(question, detail, title)) await services.datasets.remove(dataset);
}

/** Makes a dataset this workspace's default. */
export async function setDefaultDataset(services: Services, node: DatasetNode | undefined): Promise<void> {
  const dataset = givenDataset(services, node) ?? (await pickDataset(services, dialogTitle('setDefaultDataset')));
  if (dataset !== undefined) await services.datasets.setDefault(dataset);
}

/**
 * Forgets a dataset's imported files after a confirmation. Importing the same content again then needs no confirmation.
 */
export async function forgetImportedFiles(services: Services, node: DatasetNode | undefined): Promise<void> {
  const { store, datasets } = services;
  const title = dialogTitle('forgetImportedFiles');
  const dataset = await chooseOwnDataset(services, node, title);
  if (dataset === undefined) return;
  const { name } = dataset;
  const question = l10n.t('Forget which files were uploaded to {0}?', name);
  const detail = l10n.t(
    'If you import them again, you are not asked whether to upload duplicates. The tasks stay in the list, and nothing is deleted on the service.',
  );
  if (!(await window.confirm(question, detail, title))) return;
  let forgotten = 0;
  for (const destination of await store.destinations(null))
    if (destination.dataset === name) forgotten += await store.forget(destination);
  if (forgotten === 0) throw new UserError(l10n.t('No uploaded files are remembered for {0}.', name));
  datasets.noteFilesChange();
}
