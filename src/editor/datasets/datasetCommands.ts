import { l10n } from 'vscode';
import { commandAction, dialogTitle, UserError } from '../platform/actions';
import { window } from '../platform/window';
import type { Services } from '../services';
import { askName, chooseDataset, chooseOwnDataset, enterDataset, pickDataset } from './chooseDataset';
import { askAccessKey, continueUploads, keyTitle, storeAccessKey } from './enterAccessKey';
import { type DatasetNode, givenDataset } from './findDataset';

/** Asks for a dataset's details, adds the dataset, and offers next steps. */
export async function addDataset(services: Pick<Services, 'datasets' | 'keys' | 'picks' | 'messages'>): Promise<void> {
  const { datasets, keys, messages } = services;
  const dataset = await enterDataset(services);
  if (dataset === undefined) return;
  const target = { dataset };
  const hasKey = (await keys.get(dataset)) !== undefined;
  await messages.done(
    l10n.t("Dataset '{0}' added.", dataset.name),
    commandAction(hasKey ? 'testConnection' : 'setAccessKey', target),
    ...(datasets.default === dataset ? [] : [commandAction('setDefaultDataset', target, l10n.t('Set as Default'))]),
    ...(hasKey ? [commandAction('importFiles', target)] : []),
  );
}

/**
 * Asks for a dataset's access key and stores it; imports that are waiting for the key then continue. If the user leaves
 * the box empty, deletes the current key after asking for confirmation.
 */
export async function setAccessKey(services: Services, node: DatasetNode | undefined): Promise<void> {
  const { keys, picks, messages } = services;
  const dataset = await chooseOwnDataset(services, node, dialogTitle('setAccessKey'));
  if (dataset === undefined) return;
  const hasKey = (await keys.get(dataset)) !== undefined;
  const hint = hasKey ? l10n.t('Leave empty to delete the stored key.') : undefined;
  const key = await askAccessKey(picks, keyTitle(dataset), dataset.baseUrl, hint);
  if (key === '') {
    const question = l10n.t("Delete the access key of dataset '{0}'? The next import asks for it again.", dataset.name);
    if (await window.confirm(question, '', l10n.t('Delete Access Key'))) await keys.clear(dataset);
  } else if (key !== undefined && (await storeAccessKey(keys, dataset, key))) {
    await continueUploads(services, dataset);
    const message = l10n.t("The access key of dataset '{0}' was set.", dataset.name);
    await messages.done(message, commandAction('testConnection', { dataset }));
  }
}

/** Renames a dataset and moves its access key, webhook and tasks to the new name. */
export async function renameDataset(services: Services, node: DatasetNode | undefined): Promise<void> {
  const { datasets } = services;
  const title = dialogTitle('renameDataset');
  const dataset = await chooseOwnDataset(services, node, title);
  if (dataset === undefined) return;
  const name = await askName(services, title, dataset.name);
  if (name === undefined || name === dataset.name) return;
  await renameTasks(services, dataset.name, name);
  try {
    await datasets.rename(dataset, name);
  } catch (error) {
    // The dataset couldn't be renamed in the settings, so change the tasks back to the old name.
    await renameTasks(services, name, dataset.name);
    throw error;
  }
  const key = await services.keys.get(dataset);
  if (key !== undefined && (await storeAccessKey(services.keys, { ...dataset, name }, key)))
    await services.keys.clear(dataset);
}

/** @throws UserError if files are being uploaded, or if another dataset's tasks already have the new name */
async function renameTasks({ store }: Services, from: string, to: string): Promise<void> {
  const result = await store.rename({ from, to });
  if (result === 'busy')
    throw new UserError(l10n.t('Files are being uploaded to {0}. Wait or cancel the import, then try again.', from));
  if (result !== 'renamed')
    throw new UserError(l10n.t("The list has tasks of another dataset that was named '{0}'. Choose another name.", to));
}

/** Removes a dataset and its access key after asking for confirmation. */
export async function removeDataset(services: Services, node: DatasetNode | undefined): Promise<void> {
  const title = dialogTitle('removeDataset');
  const dataset = await chooseOwnDataset(services, node, title);
  if (dataset === undefined) return;
  const question = l10n.t("Remove dataset '{0}' and its access key from VS Code?", dataset.name);
  const detail = l10n.t(
    'Nothing is deleted on the service, and the tasks stay in the list. To continue with them later, add a dataset with the same name and base URL.',
  );
  if (await window.confirm(question, detail, title)) await services.datasets.remove(dataset);
}

/** Makes a dataset this workspace's default. */
export async function setDefaultDataset(services: Services, node: DatasetNode | undefined): Promise<void> {
  const dataset = givenDataset(services, node) ?? (await pickDataset(services, dialogTitle('setDefaultDataset')));
  if (dataset !== undefined) await services.datasets.setDefault(dataset);
}

/**
 * Forgets which files were uploaded to a dataset, after asking for confirmation. The same content can then be imported
 * again without being reported as a duplicate.
 */
export async function forgetImportedFiles(services: Services, node: DatasetNode | undefined): Promise<void> {
  const { store, datasets } = services;
  const title = dialogTitle('forgetImportedFiles');
  const dataset = await chooseDataset(services, node, title);
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
  datasets.noteForgotten();
}
