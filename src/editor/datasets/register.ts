import { commands, Disposable, l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
import { followMarks } from '../accessKeys/followMarks';
import type { Messages } from '../platform/messages';
import { openDatasetsSetting } from '../platform/settings';
import type { Commands, Handlers } from '../start/commands';
import type { LazyTree } from '../start/lazyTree';
import { addDataset } from './addDataset';
import { clearAccessKey } from './clearAccessKey';
import { addDatasetFromClipboard, copyDatasetDefinition } from './copyDatasetDefinition';
import { type DatasetsRow, DatasetsTree } from './datasetsTree';
import { followSettings } from './followSettings';
import { removeDataset } from './removeDataset';
import { type RenameDeps, renameDataset } from './renameDataset';
import { selectDefaultDataset } from './selectDefaultDataset';
import { setAccessKey } from './setAccessKey';

/** Fills the view Datasets, and registers the commands for datasets and access keys, and the warnings about them. */
export function registerDatasets(
  deps: RenameDeps & {
    readonly marks: SharedMarks;
    readonly messages: Messages;
    readonly commands: Commands;
    readonly tree: LazyTree<DatasetsRow>;
  },
): Disposable {
  const { datasets, keys, webhooks, marks, messages } = deps;
  const rows = new DatasetsTree(datasets, keys, webhooks);
  deps.tree.provide(rows);
  deps.commands.handle(datasetCommands(deps), messages);
  return Disposable.from(
    rows,
    keys.onDidFindUnreadable((cause) => messages.secretsUnreadable(cause)),
    keys.onDidFindOutdated((name) => messages.keyOutdated(name)),
    followMarks(marks, keys),
    followSettings(datasets, messages),
  );
}

export function datasetCommands(deps: RenameDeps & { readonly messages: Messages }) {
  return {
    'datasetImport.addDataset': async () => tellAdded(deps.messages, await addDataset(deps)),
    'datasetImport.renameDataset': (target) => renameDataset(deps, target),
    'datasetImport.removeDataset': (target) => removeDataset(deps, target),
    // The title menu of the view passes the focused row, which is not meant.
    'datasetImport.selectDefaultDataset': () => selectDefaultDataset(deps, undefined),
    'datasetImport.makeDefaultDataset': (target) => selectDefaultDataset(deps, target),
    'datasetImport.openDatasetSettings': () => openDatasetsSetting(),
    'datasetImport.copyDatasetDefinition': (target) => copyDatasetDefinition(deps, target),
    'datasetImport.addDatasetFromClipboard': async () => tellAdded(deps.messages, await addDatasetFromClipboard(deps)),
    'datasetImport.setAccessKey': (target) => setAccessKey(deps, target),
    'datasetImport.clearAccessKey': (target) => clearAccessKey(deps, target),
  } satisfies Handlers;
}

/** Says that a dataset was added, and offers to test its connection. */
async function tellAdded(messages: Messages, dataset: Dataset | undefined): Promise<void> {
  if (dataset === undefined) return;
  // Its name is that of its host at first.
  const rename = {
    label: l10n.t('Rename Dataset…'),
    run: () => commands.executeCommand('datasetImport.renameDataset', { dataset }),
  };
  const test = {
    label: l10n.t('Test Connection'),
    run: () => commands.executeCommand('datasetImport.testConnection', { dataset }),
  };
  await messages.done(l10n.t("Dataset '{0}' was added.", dataset.name), test, rename);
}
