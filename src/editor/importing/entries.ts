import { l10n, Uri, workspace } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { knownFiles, memoryOf } from '../../tasks/comparing/compareFiles';
import type { Destination } from '../../tasks/store/model';
import { MAX_READ_BYTES } from '../collecting/checkFiles';
import { type Dropped, type FileDrops, fileDrops } from '../collecting/fileDrops';
import { pickFiles, pickFolders } from '../collecting/filesToImport';
import { chooseDataset } from '../datasets/chooseDataset';
import { datasetNamed } from '../datasets/findDataset';
import { dialogTitle } from '../platform/commandTitle';
import { maxFileBytes } from '../platform/settings';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Chosen, ImportServices } from './candidate';
import { activeDocument, chosenDocuments, chosenSelection } from './editors';
import type { StartedRun } from './enqueue';
import { fileUri } from './groups';
import { importFiles } from './importFiles';

type Started = Promise<StartedRun | undefined>;

/** Imports the clicked files, folders or documents; without any, what the active editor shows, or what the user picks. */
export async function importToDataset(services: ImportServices, clicked: readonly Uri[]): Started {
  const active = clicked.length === 0 ? activeDocument() : undefined;
  if (clicked.length === 0 && active === undefined) return importPicked(services, pickFiles);
  const shown = active === undefined ? clicked.map((uri) => ({ uri })) : [active];
  return importIfChosen(services, await chosenDocuments(services.picks, shown));
}

/** Imports the files or folders that the user picks in a dialog. */
export async function importPicked(
  services: ImportServices,
  pick: (dataset?: string) => Promise<Uri[]>,
  dataset?: Dataset,
): Started {
  const uris = await pick(dataset?.name);
  return importIfChosen(services, uris.length === 0 ? undefined : { uris, ...(dataset && { dataset }) });
}

/** Imports the selected text, or a cell of a notebook. */
export async function importSelection(services: ImportServices): Started {
  return importIfChosen(services, await chosenSelection(services.picks));
}

/** Imports what was dropped on a view: to the dataset on whose row it was dropped, if any. */
export async function importDropped(
  services: ImportServices,
  { uris, texts, bad }: Dropped,
  dataset?: Dataset,
): Started {
  if (uris.length + texts.length + bad.length === 0) return undefined;
  return importFiles(services, { uris, texts, unread: bad, ...(dataset && { dataset }) });
}

/** The drop controller of a view; `datasetOf` gives the dataset of a row. */
export function dropsOf<Row>(
  services: ImportServices,
  datasetOf: (row: Row | undefined) => Dataset | undefined = () => undefined,
): FileDrops<Row> {
  const limits = () => ({ maxBytes: maxFileBytes(), roomBytes: MAX_READ_BYTES });
  const take = async (dropped: Dropped, row: Row | undefined) => {
    await importDropped(services, dropped, datasetOf(row));
  };
  return fileDrops(take, limits, services.messages);
}

/** Imports the sample files in a folder to the sandbox, which is started. One of them fails there, to show how that looks. */
export async function importSamples(services: ImportServices, folder: Uri): Started {
  const dataset = await services.sandbox.start();
  const names = (await workspace.fs.readDirectory(folder)).map(([name]) => name);
  const uris = names.map((name) => Uri.joinPath(folder, name));
  return importFiles(services, { uris, dataset, label: l10n.t('Sample files') });
}

/** Imports what is new or has changed in folders or files. */
export function importChangesIn(services: ImportServices, uris: readonly Uri[]): Started {
  return importFiles(services, { uris, onlyChanges: true });
}

/** Imports what is new or has changed in the folder of a batch, or among its files. */
export async function importChangesOfBatch(services: ImportServices, id: number): Started {
  const { store } = services;
  const [batch] = await store.batches([id]);
  const [first] = await store.rowsAfter({ filter: { batch: id }, after: 0, limit: 1 });
  if (batch === undefined || first === undefined) return undefined;
  const uris = batch.folder === null ? await filesOfBatch(services, id) : [Uri.file(batch.folder)];
  if (uris.length === 0) throw new UserError(l10n.t("The texts of '{0}' are not in files.", batch.label));
  const dataset = datasetNamed(services, first.dataset);
  return importFiles(services, { uris, dataset, label: batch.label, onlyChanges: true });
}

async function filesOfBatch({ store }: ImportServices, batch: number): Promise<Uri[]> {
  const uris: Uri[] = [];
  for (let after = 0; ; ) {
    const rows = await store.rowsAfter({ filter: { batch }, after, limit: 1000 });
    uris.push(...rows.flatMap(({ path }) => (path === null ? [] : fileUri(path))));
    const last = rows.at(-1);
    if (last === undefined) return uris;
    after = last.id;
  }
}

/** Imports what is new or has changed of everything that a dataset has received, and in the folders imported to it. */
export async function importChangesOfDataset(services: ImportServices, given?: Dataset): Started {
  const dataset = given ?? (await chooseDataset(services, undefined, dialogTitle('importChanges')));
  if (dataset === undefined) return undefined;
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  const folders = await foldersOf(services, destination);
  const known = await withDelayedProgress(l10n.t('Looking for files'), (signal) =>
    knownFiles(memoryOf(services.store, destination), null, signal),
  );
  if (known === undefined) return undefined;
  if (folders.length + known.present.length + known.gone.length === 0)
    return importPicked(services, pickFolders, dataset);
  return importFiles(services, { uris: folders.map(Uri.file), known, dataset, onlyChanges: true });
}

async function foldersOf({ store }: ImportServices, destination: Destination): Promise<string[]> {
  const all = await store.destinations(null);
  const ids = all.filter((one) => one.dataset === destination.dataset && one.origin === destination.origin);
  const groups = await store.groups({ by: 'batch', filter: { destinations: ids.map(({ id }) => id) } });
  const batches = await store.batches(groups.map(({ value }) => (typeof value === 'number' ? value : null)));
  return batches.flatMap(({ folder }) => folder ?? []);
}

async function importIfChosen(services: ImportServices, chosen: Chosen | undefined): Started {
  return chosen && importFiles(services, chosen);
}
