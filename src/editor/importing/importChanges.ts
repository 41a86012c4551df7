import { l10n, Uri } from 'vscode';
import { filesOf } from '../../tasks/comparing/taskListMemory';
import type { Destination } from '../../tasks/destination';
import { pagesOf } from '../../tasks/history/walk';
import type { ChoosingServices } from '../choosing/importChosen';
import { pickFolders } from '../collecting/filesToImport';
import { chooseDataset } from '../datasets/chooseDataset';
import type { DatasetNode } from '../datasets/datasetNode';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { CommandTarget } from '../targets';
import { type BatchNode, isBatchNode } from '../taskItems/tasksNode';
import { importFiles } from './importFile';

/**
 * Imports new and changed files: of folders, of a batch, or of a dataset. For a dataset these are all files in the folders
 * that were imported to it and every other file that it has received. Unchanged files are sent only if the user selects
 * them.
 */
export async function importChanges(
  services: ChoosingServices,
  { rows }: CommandTarget<Uri | BatchNode | DatasetNode>,
): Promise<void> {
  const [row] = rows;
  if (row instanceof Uri)
    return importFiles(
      services,
      rows.filter((uri) => uri instanceof Uri),
      { isUpdate: true },
    );
  if (isBatchNode(row)) return importChangesOfBatch(services, row.batchId);
  const dataset = await chooseDataset(services, row, l10n.t('Import Changes'));
  if (dataset === undefined) return;
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  const folders = await services.list.history.foldersOf(destination);
  const known = await withDelayedProgress(l10n.t('Looking for files'), (signal) =>
    filesOf(services.list, services.contents, destination, signal),
  );
  if (known === undefined) return;
  const isUnknown = folders.length + known.present.length === 0;
  const uris = isUnknown ? await pickFolders(dataset.name) : folders.map((folder) => Uri.file(folder));
  await importFiles(services, uris, { target: { dataset }, isUpdate: true, known });
}

/** Of its folder, or of the files that were chosen for it. */
async function importChangesOfBatch(services: ChoosingServices, batchId: string): Promise<void> {
  const { history } = services.list;
  const summary = await history.batch(batchId);
  if (summary === undefined) return;
  const { batch, first } = summary;
  const paths = batch.folder === undefined ? await pathsOf(services, batchId, first) : [batch.folder];
  if (paths.length === 0) throw new UserError(l10n.t("The texts of '{0}' are not in files.", batch.label));
  const options = { label: batch.label, target: { dataset: { name: first.dataset } }, isUpdate: true };
  await importFiles(
    services,
    paths.map((path) => Uri.file(path)),
    options,
  );
}

async function pathsOf({ list }: ChoosingServices, batchId: string, { dataset }: Destination): Promise<string[]> {
  const paths: string[] = [];
  for await (const tasks of pagesOf(list.history, { group: { by: 'batch', batchId } })) {
    const files = tasks.filter((task) => task.dataset === dataset && task.source?.from === 'disk');
    paths.push(...files.map(({ source }) => source?.path ?? ''));
  }
  return paths;
}
