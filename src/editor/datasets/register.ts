import { Disposable } from 'vscode';
import type { FileDrops } from '../files/fileDrops';
import { openDatasetsSetting } from '../platform/settings';
import type { Services } from '../services/services';
import type { Handlers } from '../start/commands';
import type { LazyTree } from '../start/lazyTree';
import { addDataset, reportAdded } from './addDataset';
import { forgetImportedFiles } from './changing/forgetImportedFiles';
import { removeDataset } from './changing/removeDataset';
import { renameDataset } from './changing/renameDataset';
import { selectDefaultDataset } from './chooseDataset';
import { clearAccessKey } from './clearAccessKey';
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
    'datasetImport.addDataset': async () => reportAdded(services, await addDataset(services)),
    'datasetImport.renameDataset': (target) => renameDataset(services, target),
    'datasetImport.removeDataset': (target) => removeDataset(services, target),
    'datasetImport.forgetImportedFiles': (target) => forgetImportedFiles(services, target),
    // The title menu of the view passes the focused row, which is not meant.
    'datasetImport.selectDefaultDataset': () => selectDefaultDataset(services, undefined),
    'datasetImport.makeDefaultDataset': (target) => selectDefaultDataset(services, target),
    'datasetImport.openDatasetSettings': () => openDatasetsSetting(),
    'datasetImport.setAccessKey': (target) => setAccessKey(services, target),
    'datasetImport.clearAccessKey': (target) => clearAccessKey(services, target),
  } satisfies Handlers;
}
