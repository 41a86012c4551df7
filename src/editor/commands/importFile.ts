import { l10n, ProgressLocation, window } from 'vscode';
import type { CheckedFile, Destination, Importer, ImportResult } from '../../tasks/importer';
import type { TaskList } from '../../tasks/taskList';
import { type ChooseDeps, chooseDataset, readyDestination } from '../chooseDataset';
import { chosenFiles, importableFiles, settleUnsaved } from '../filesToImport';
import { plainText } from '../plainText';
import { type ReportDeps, reportImport } from '../reportImport';

/** What importing takes, from a first dataset to the last message. */
export interface ImportDeps extends ChooseDeps, Omit<ReportDeps, 'importAgain'> {
  readonly importer: Importer;
  readonly list: TaskList;
}

/** Imports the files that a menu, the active editor or a dialog names; asks all there is to ask before it begins. */
export async function importFile(deps: ImportDeps, target: unknown, selected: unknown): Promise<void> {
  const uris = await settleUnsaved(await chosenFiles(target, selected));
  if (uris === undefined || uris.length === 0) return;
  const files = await importableFiles(deps.importer, uris);
  if (files.length === 0) return;
  const dataset = await chooseDataset(deps, undefined, l10n.t('Import {0}', filesWords(files)));
  const destination = dataset && (await readyDestination(deps, dataset));
  if (destination !== undefined) await importFiles(deps, files, destination);
}

async function importFiles(deps: ImportDeps, files: readonly CheckedFile[], destination: Destination): Promise<void> {
  const results = await sendWithProgress(deps, files, destination);
  const importAgain = async () => {
    await deps.list.remove(results.map(({ task }) => task.key));
    const dataset = deps.datasets.find(destination.dataset);
    const ready = dataset && (await readyDestination(deps, dataset));
    if (ready !== undefined) await importFiles(deps, files, ready);
  };
  await reportImport({ ...deps, importAgain }, results, files.length, destination.dataset);
}

async function sendWithProgress(
  deps: ImportDeps,
  files: readonly CheckedFile[],
  to: Destination,
): Promise<ImportResult[]> {
  const title = l10n.t("Importing {0} to '{1}'", filesWords(files), to.dataset);
  const options = { location: ProgressLocation.Notification, title: plainText(title), cancellable: true };
  return window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const results: ImportResult[] = [];
    const totalBytes = sumOf(files);
    let shown = 0;
    const onSent = (sentBytes: number) => {
      const percent = Math.min(
        100,
        Math.floor((100 * (sumOf(files.slice(0, results.length)) + sentBytes)) / totalBytes),
      );
      const message = files.length > 1 ? l10n.t('{0} of {1}', results.length + 1, files.length) : `${percent} %`;
      if (percent > shown) progress.report({ increment: percent - shown, message });
      shown = Math.max(shown, percent);
    };
    for await (const result of deps.importer.import(files, to, stop.signal, onSent)) results.push(result);
    return results;
  });
}

function sumOf(files: readonly CheckedFile[]): number {
  return files.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
}

function filesWords(files: readonly CheckedFile[]): string {
  const [first] = files;
  return files.length === 1 && first !== undefined ? `'${first.name}'` : l10n.t('{0} files', files.length);
}
