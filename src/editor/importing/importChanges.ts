import { l10n, Uri } from 'vscode';
import type { Destination } from '../../tasks/destination';
import { pagesOf } from '../../tasks/history/walk';
import type { ChoosingServices } from '../choosing/importChosen';
import { chooseDataset } from '../datasets/chooseDataset';
import { chosenFiles, pickFolders } from '../files/filesToImport';
import { UserError } from '../platform/userError';
import { isBatchNode } from '../rows/tasksNode';
import { importFiles } from './importFile';

/**
 * Imports what is new or has changed: of folders, of a batch, or of all folders that were imported to a dataset. Nothing is
 * sent that has not changed, unless the user ticks it.
 */
export async function importChanges(services: ChoosingServices, target: unknown, selected: unknown): Promise<void> {
  if (target instanceof Uri) return importFiles(services, await chosenFiles(target, selected), { isUpdate: true });
  if (isBatchNode(target)) return importChangesOfBatch(services, target.batchId);
  const dataset = await chooseDataset(services, target, l10n.t('Import Changes'));
  if (dataset === undefined) return;
  const folders = await services.list.history.foldersOf({ dataset: dataset.name, origin: dataset.baseUrl.origin });
  const uris = folders.length === 0 ? await pickFolders(dataset.name) : folders.map((folder) => Uri.file(folder));
  await importFiles(services, uris, { target: { dataset }, isUpdate: true });
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
