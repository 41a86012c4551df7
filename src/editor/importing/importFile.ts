import path from 'node:path';
import { l10n, Uri, window, workspace } from 'vscode';
import { FileMatcher } from '../../files/fileMatcher';
import { isWithin } from '../../tasks/folderBatch';
import { confirmOutside, confirmSensitive } from '../choosing/askBeforeImport';
import { type ChoosingServices, type ChosenImport, importChosen } from '../choosing/importChosen';
import { checkSelection, checkTexts, MAX_READ_BYTES } from '../collecting/checkFiles';
import { type CollectedFile, type CollectedFiles, collectFiles } from '../collecting/collectFiles';
import { type Dropped, type FileDrops, fileDrops } from '../collecting/fileDrops';
import { diskPath, pathInWorkspace, truePath } from '../collecting/filePaths';
import { assertFiles, chosenFiles, confirmUnsaved, isOwnDocument, notAFile } from '../collecting/filesToImport';
import { formatLeftOut, leftOutOf, nothingLeftOut } from '../collecting/leftOut';
import { pickDataset } from '../datasets/chooseDataset';
import { givenDataset } from '../datasets/findDataset';
import { formatSentences } from '../language/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { fileRules, maxFileBytes, openSettings, unsavedFiles } from '../platform/settings';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';

/** Imports the files and folders of a menu's selection, of the active editor or of a dialog. */
export async function importFile(services: ChoosingServices, clicked: readonly Uri[]): Promise<void> {
  await importFiles(services, await chosenFiles(clicked));
}

/** The same, to a dataset that the user picks, though there is a default. */
export async function importToOther(services: ChoosingServices, clicked: readonly Uri[]): Promise<void> {
  const dataset = await pickDataset(services, l10n.t('Import to Another Dataset'));
  if (dataset !== undefined) await importFiles(services, await chosenFiles(clicked), { target: { dataset } });
}

/** Imports what the user picks in a dialog to the dataset of the clicked row, never to the default without being asked. */
export async function importHere(
  services: ChoosingServices,
  target: unknown,
  pick: (dataset: string) => Promise<Uri[]>,
): Promise<void> {
  const dataset = givenDataset(services, target) ?? (await pickDataset(services, l10n.t('Import Files')));
  if (dataset === undefined) return;
  await importFiles(services, await pick(dataset.name), { target: { dataset } });
}

/** Imports what was dropped on a view: files and folders, or texts without a path. */
export async function importDropped(
  services: ChoosingServices,
  { uris, texts, bad }: Dropped,
  target?: unknown,
): Promise<void> {
  await importFiles(services, uris, { target });
  const names = texts.map(({ name }) => name);
  const matcher = new FileMatcher(fileRules().sensitive);
  const sensitive = new Set(names.filter((name) => matcher.isSensitive(name)));
  const [only] = texts.length === 1 ? texts : [];
  if (only && !(await confirmSensitive({ relativePath: only.name, isSensitive: sensitive.has(only.name) }))) return;
  if (texts.length + bad.length === 0) return;
  const checked = await checkTexts(texts, maxFileBytes());
  const given = { texts: checked.good, sensitiveTexts: only ? nothing.sensitiveTexts : sensitive };
  await importChosen(services, { ...nothing, ...given, bad: [...bad, ...checked.bad] }, target);
}

/** The drop controller that imports what is dropped: to the dataset that `targetOf` gives for a row, if any. */
export function dropsOf<Row>(
  services: ChoosingServices,
  targetOf: (row: Row | undefined) => unknown = () => undefined,
): FileDrops<Row> {
  const limits = () => ({ maxBytes: maxFileBytes(), roomBytes: MAX_READ_BYTES });
  const take = async (dropped: Dropped, row: Row | undefined) => importDropped(services, dropped, targetOf(row));
  return fileDrops(take, limits, services.messages);
}

/** What may differ from import to import. */
interface ImportOptions {
  /** The name of its batch. */
  readonly label?: string;
  /** The row of the dataset; without one, it is the default, or the user is asked. */
  readonly target?: unknown;
  /** Whether only what has changed is wanted. */
  readonly isUpdate?: boolean;
  /** Real paths of more files to compare, whatever the rules say, and of known files that no longer exist. */
  readonly known?: { readonly present: readonly string[]; readonly gone: readonly string[] };
}

const NONE_KNOWN = { present: [], gone: [] };

/** Imports files and folders. All questions are asked before the first file is sent. */
export async function importFiles(
  services: ChoosingServices,
  uris: readonly Uri[],
  { label = labelOf(uris), target, isUpdate = false, known = NONE_KNOWN }: ImportOptions = {},
): Promise<void> {
  if (uris.length + known.present.length === 0) return;
  assertFiles(uris);
  const more = known.present.map((path) => Uri.file(path));
  const collected = await withDelayedProgress(l10n.t('Looking for files'), (signal, report) =>
    collectFiles(uris, fileRules, signal, (count) => report(l10n.t('{0} found', formatCount(count))), more),
  );
  if (collected === undefined) return;
  assertNotEmpty(collected, uris);
  const [first] = collected.files;
  const files = first !== undefined && collected.files.length === 1 ? await confirmOne(first) : collected.files;
  const wanted = files.map(({ uri }) => uri);
  if (files.length === 0 || !(await confirmUnsaved(wanted, unsavedFiles()))) return;
  const found = new Set(collected.files.map(({ uri }) => uri));
  const given = new Set(uris);
  const asks = collected.files.some(({ uri }) => !given.has(uri));
  const onDisk = uris.filter((uri) => !found.has(uri) && uri.scheme === 'file');
  const folders = await Promise.all(onDisk.map(storedPath));
  const [only] = uris.length === 1 ? folders : [];
  const folder = known.present.every((path) => only !== undefined && isWithin(path, only)) ? only : undefined;
  const leftOut = leftOutOf(collected);
  const update = isUpdate ? { isUpdate, folders, gone: known.gone } : {};
  await importChosen(services, { ...nothing, files, leftOut, asks, label, folder, ...update }, target);
}

/** Imports the selected text of the active editor. @throws UserError where nothing is selected, or in a generated text */
export async function importSelection(services: ChoosingServices): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.selections.every(({ isEmpty }) => isEmpty)) {
    throw new UserError(l10n.t('Select the text to import in an editor first.'));
  }
  const { uri } = editor.document;
  if (isOwnDocument(uri) || uri.scheme === 'output') throw notAFile(uri);
  const relativePath = pathInWorkspace(uri);
  const isSensitive = new FileMatcher(fileRules().sensitive).isSensitive(uri.path);
  if (!(await confirmSensitive({ relativePath, isSensitive }))) return;
  await importChosen(services, { ...nothing, texts: [await checkSelection(editor, maxFileBytes())] });
}

const nothing: ChosenImport = {
  ...{ files: [], texts: [], sensitiveTexts: new Set<string>(), bad: [], leftOut: nothingLeftOut },
  ...{ folders: [], gone: [], asks: false, isUpdate: false, label: '', folder: undefined },
};

/** Asks about a single file what the list of several files says; none where the user cancels. */
async function confirmOne(file: CollectedFile): Promise<readonly CollectedFile[]> {
  if (!(await confirmSensitive(file)) || !(await confirmOutside(file))) return [];
  const { uri, stored, relativePath } = file;
  return [{ uri, stored, relativePath, isSensitive: false }];
}

/** The path of a folder with links resolved, as those of its files are. */
async function storedPath(folder: Uri): Promise<string> {
  return diskPath(folder.with({ path: await truePath(folder) }));
}

/** The name of a single chosen file or folder. */
function labelOf(uris: readonly Uri[]): string {
  const [first] = uris;
  return uris.length === 1 && first !== undefined ? path.posix.basename(first.path) : '';
}

function assertNotEmpty(collected: CollectedFiles, uris: readonly Uri[]): void {
  if (collected.files.length > 0) return;
  const name = labelOf(uris);
  const where =
    name === ''
      ? l10n.t('There are no files to import in these folders.')
      : l10n.t("There are no files to import in '{0}'.", name);
  const settings = { label: l10n.t('Open Settings'), run: () => openSettings('datasetImport.folders') };
  throw new UserError(formatSentences([where, ...formatLeftOut(collected)]), [settings]);
}

/**
 * Imports the sample files that come with the extension, in this folder, to the sandbox, which is started for it. One of them fails there,
 * to show how that looks.
 */
export async function importSamples(services: ChoosingServices, folder: Uri): Promise<void> {
  const dataset = await services.sandbox.start();
  const names = (await workspace.fs.readDirectory(folder)).map(([name]) => name).sort();
  const files = names.map((name) => Uri.joinPath(folder, name));
  await importFiles(services, files, { label: l10n.t('Sample files'), target: { dataset } });
}
