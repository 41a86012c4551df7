import { Disposable } from 'vscode';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
import { Polling } from '../../tasks/timing/polling';
import type { AccessKeys } from '../accessKeys/accessKeys';
import type { Messages } from '../platform/messages';
import { openDatasetsSetting } from '../platform/settings';
import type { Commands, Handlers } from '../start/commands';
import type { LazyTree } from '../start/lazyTree';
import { addDataset } from './adding/addDataset';
import { reportAdded } from './adding/reportAdded';
import { changeBaseUrl } from './changing/changeBaseUrl';
import { removeDataset } from './changing/removeDataset';
import { type RenameDeps, renameDataset } from './changing/renameDataset';
import { clearAccessKey } from './clearAccessKey';
import { type DatasetsRow, DatasetsTree } from './datasetsTree';
import { followSettings } from './followSettings';
import { selectDefaultDataset } from './selectDefaultDataset';
import { setAccessKey } from './setAccessKey';
import { addDatasetFromClipboard } from './sharing/addDatasetFromClipboard';
import { copyDatasetDefinition } from './sharing/copyDatasetDefinition';

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
    'datasetImport.addDataset': async () => reportAdded(deps, await addDataset(deps)),
    'datasetImport.renameDataset': (target) => renameDataset(deps, target),
    'datasetImport.changeBaseUrl': (target) => changeBaseUrl(deps, target),
    'datasetImport.removeDataset': (target) => removeDataset(deps, target),
    // The title menu of the view passes the focused row, which is not meant.
    'datasetImport.selectDefaultDataset': () => selectDefaultDataset(deps, undefined),
    'datasetImport.makeDefaultDataset': (target) => selectDefaultDataset(deps, target),
    'datasetImport.openDatasetSettings': () => openDatasetsSetting(),
    'datasetImport.copyDatasetDefinition': (target) => copyDatasetDefinition(deps, target),
    'datasetImport.addDatasetFromClipboard': async () => reportAdded(deps, await addDatasetFromClipboard(deps)),
    'datasetImport.setAccessKey': (target) => setAccessKey(deps, target),
    'datasetImport.clearAccessKey': (target) => clearAccessKey(deps, target),
  } satisfies Handlers;
}

/** Time between two checks. */
const PAUSE_MS = 1000;

/** Updates the views when another window changed a key or a default dataset. Requests do not depend on it. */
function followMarks(marks: SharedMarks, keys: AccessKeys): Disposable {
  const polling = new Polling(async () => {
    if (marks.haveChanged()) keys.noteChange();
  }, PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
