import { l10n } from 'vscode';
import type { FileRow } from '../../tasks/store/model';
import { dialogTitle } from '../platform/commandTitle';
import { window } from '../platform/window';
import type { Services } from '../services';
import { chooseKeyOwner } from './chooseDataset';
import type { DatasetNode } from './datasetNode';
import { askAccessKey, storeAccessKey } from './enterAccessKey';
import { datasetAt, testConnectionAction } from './findDataset';

/**
 * Asks for the access key of a dataset, or of the dataset of a row, and replaces the current one. An empty box deletes it,
 * after a question. What waits for the key goes on.
 */
export async function setAccessKey(services: Services, of: FileRow | DatasetNode | undefined): Promise<void> {
  const { keys, picks, messages } = services;
  const target = typeof of === 'object' && of !== null && 'import' in of ? { dataset: datasetAt(services, of) } : of;
  const dataset = await chooseKeyOwner(services, target, dialogTitle('setAccessKey'));
  if (dataset === undefined) return;
  const key = await askAccessKey(picks, dataset, (await keys.get(dataset)) === undefined ? 'required' : 'deletable');
  if (key === '') {
    const question = l10n.t("Delete the access key of dataset '{0}'? The next import asks for it again.", dataset.name);
    if (await window.confirm(question, '', l10n.t('Delete Access Key'))) await keys.clear(dataset);
  } else if (key !== undefined && (await storeAccessKey(keys, dataset, key))) {
    const message = l10n.t("The access key of dataset '{0}' was set.", dataset.name);
    await messages.done(message, testConnectionAction(dataset));
  }
}
