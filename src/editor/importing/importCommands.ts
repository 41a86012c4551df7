import { l10n, Uri, window, workspace } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { knownFiles, memoryOf } from '../../tasks/comparing/compareFiles';
import { rowsIn } from '../../tasks/rowsIn';
import { type Queued, STATES } from '../../tasks/store/model';
import { mapWithConcurrency } from '../../tasks/timing/mapWithConcurrency';
import { chooseDataset } from '../datasets/chooseDataset';
import { datasetAt } from '../datasets/findDataset';
import { dialogTitle, UserError } from '../platform/actions';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { ImportServices } from './candidate';
import { activeDocument, chosenDocuments, chosenSelection } from './editors';
import { exists, workspaceUris } from './filePaths';
import { importFiles } from './importFiles';

type Started = Promise<Queued | undefined>;

/**
 * Imports the clicked files, folders or documents. If nothing was clicked, imports the active document. If there is no
 * active document, lets the user pick files.
 */
export async function importToDataset(services: ImportServices, clicked: readonly Uri[]): Started {
  const active = activeDocument();
  if (clicked.length === 0 && active === undefined) return importPicked(services, pickFiles);
  const uris = clicked.length === 0 && active !== undefined ? [active] : clicked;
  const chosen = await chosenDocuments(services.picks, { uris });
  return chosen && importFiles(services, chosen);
}

/** Imports the files or folders that the user picks in a dialog. */
export async function importPicked(
  services: ImportServices,
  pick: (dataset?: string) => Promise<Uri[]>,
  dataset?: Dataset,
): Started {
  const uris = await pick(dataset?.name);
  return uris.length === 0 ? undefined : importFiles(services, { uris, ...(dataset && { dataset }) });
}

/** Lets the user pick files. Returns an empty list if the user cancels. */
export async function pickFiles(dataset?: string): Promise<Uri[]> {
  const title = dataset === undefined ? dialogTitle('importFiles') : l10n.t("Import Files to '{0}'", dataset);
  return (await window.showOpenDialog({ title, openLabel: l10n.t('Import'), canSelectMany: true })) ?? [];
}

/** Lets the user pick folders. Returns an empty list if the user cancels. */
export async function pickFolders(dataset?: string): Promise<Uri[]> {
  const title = dataset === undefined ? dialogTitle('importFolder') : l10n.t("Import Folder to '{0}'", dataset);
  const options = { canSelectFiles: false, canSelectFolders: true, canSelectMany: true };
  return (await window.showOpenDialog({ title, openLabel: l10n.t('Import'), ...options })) ?? [];
}

/** Imports the selected text, or the selected cells of a notebook. */
export async function importSelection(services: ImportServices): Started {
  const chosen = await chosenSelection(services.picks);
  return chosen && importFiles(services, chosen);
}

/** Starts the sandbox and imports the sample files to it. One of them fails, to show what a failure looks like. */
export async function importSamples(services: ImportServices, folder: Uri): Started {
  const dataset = await services.sandbox.start();
  const uris = (await workspace.fs.readDirectory(folder)).map(([name]) => Uri.joinPath(folder, name));
  return importFiles(services, { uris, dataset, label: l10n.t('Sample files') });
}

/** Imports a batch's changed files, and new and changed files in its folder. */
export async function importChangesOfBatch(services: ImportServices, id: number): Started {
  const { store } = services;
  const [batch] = await store.batches([id]);
  const read = (signal: AbortSignal) => rowsIn(store, { batch: id }, STATES, signal);
  const rows = await withDelayedProgress(l10n.t('Looking for files'), read, services.clock);
  if (batch === undefined || rows?.[0] === undefined) return undefined;
  const dataset = datasetAt(services, rows[0]);
  const uris = await existing(batch.folder === null ? [] : [batch.folder]);
  // Files may have been moved out of the folder, and its rules may skip files that were chosen one by one.
  const known = rows.flatMap(({ path }) => path ?? []);
  if (uris.length + known.length === 0)
    throw new UserError(l10n.t("The texts of '{0}' are not in files.", batch.label));
  return importFiles(services, { uris, known, dataset, batch: id, label: batch.label, onlyChanges: true });
}

/**
 * Imports files that have changed since a dataset received them, and new files in the folders that were imported to it.
 */
export async function importChangesOfDataset(services: ImportServices, given?: Dataset): Started {
  const dataset = given ?? (await chooseDataset(services, undefined, dialogTitle('importChanges')));
  if (dataset === undefined) return undefined;
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  const memory = memoryOf(services.store, destination);
  const known = await withDelayedProgress(l10n.t('Looking for files'), (signal) => knownFiles(memory, null, signal));
  if (known === undefined) return undefined;
  const uris = await existing(await services.store.knownFolders(destination));
  if (uris.length + known.length === 0) return importPicked(services, pickFolders, dataset);
  return importFiles(services, { uris, known, dataset, onlyChanges: true });
}

async function existing(folders: readonly string[]): Promise<Uri[]> {
  const uris = folders.map(await workspaceUris());
  return (await mapWithConcurrency(uris, 8, async (uri) => ((await exists(uri)) ? [uri] : []))).flat();
}
