import { Disposable } from 'vscode';
import type { FileDrops } from '../collecting/fileDrops';
import { openDatasetsSetting } from '../platform/settings';
import type { Services } from '../services/services';
import type { Handlers } from '../start/commands';
import type { LazyTree } from '../start/lazyTree';
import { onNothing, onOne } from '../targets';
import { addDataset, reportAdded } from './addDataset';
import { forgetImportedFiles } from './changing/forgetImportedFiles';
import { removeDataset } from './changing/removeDataset';
import { renameDataset } from './changing/renameDataset';
import { selectDefaultDataset } from './chooseDataset';
import { type DatasetsRow, DatasetsTree } from './datasetsTree';
import { followSettings } from './followSettings';
import { setAccessKey } from './setAccessKey';
import type { Webhooks } from './webhooks';

/** Fills the view Datasets, and registers the commands for datasets and access keys, and the warnings about them. */
export function registerDatasets(
  services: Services & { readonly webhooks: Webhooks },
  tree: LazyTree<DatasetsRow>,
  drops: FileDrops<DatasetsRow>,
): Disposable {
  const { datasets, keys, webhooks, messages } = services;
  const rows = new DatasetsTree(datasets, keys, webhooks);
  tree.provide(rows, drops);
  services.commands.handle(datasetCommands(services), messages);
  return Disposable.from(
    rows,
    keys.onDidFindUnreadable((cause) => messages.secretsUnreadable(cause)),
    followSettings(datasets, messages),
  );
}

export function datasetCommands(services: Services & { readonly webhooks: Webhooks }) {
  return {
    'datasetImport.addDataset': onNothing(async () => reportAdded(services, await addDataset(services))),
    'datasetImport.renameDataset': onOne(['dataset'], (row) => renameDataset(services, row)),
    'datasetImport.removeDataset': onOne(['dataset'], (row) => removeDataset(services, row)),
    'datasetImport.forgetImportedFiles': onOne(['dataset'], (row) => forgetImportedFiles(services, row)),
    'datasetImport.selectDefaultDataset': onNothing(() => selectDefaultDataset(services, undefined)),
    'datasetImport.makeDefaultDataset': onOne(['dataset'], (row) => selectDefaultDataset(services, row)),
    'datasetImport.openDatasetSettings': onNothing(() => openDatasetsSetting()),
    'datasetImport.setAccessKey': onOne(['dataset'], (row) => setAccessKey(services, row)),
  } satisfies Handlers;
}
