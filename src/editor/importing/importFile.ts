import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { l10n, type Uri, window } from 'vscode';
import { StoreError } from '../../tasks/database/storeError';
import type { Destination } from '../../tasks/destination';
import { folderBatch } from '../../tasks/folderBatch';
import type { AcceptedContent } from '../../tasks/rows/acceptedContents';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import { findDuplicates, importsOfSame } from '../../tasks/sending/duplicates';
import { rowsOfFiles } from '../../tasks/serving/fileRows';
import { moveRows } from '../../tasks/serving/movedFiles';
import type { SerialQueue } from '../../tasks/timing/serialQueue';
import { type Batch, isUndecided, type TrackedTask } from '../../tasks/trackedTask';
import { chooseDataset } from '../datasets/chooseDataset';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { checkFiles, checkSelection, checkTexts, type FileCheck, MAX_READ_BYTES } from '../files/checkFiles';
import { type ChosenBy, type CollectedFiles, collectFiles, sensitiveAmong } from '../files/collectFiles';
import { type Dropped, FileDrops } from '../files/fileDrops';
import { pathInWorkspace, truePath } from '../files/filePaths';
import { assertFiles, chosenFiles, confirmUnsaved, notAFile, pickFiles, pickFolders } from '../files/filesToImport';
import { formatLeftOut, type LeftOut, leftOutOf, nothingLeftOut, withBadFiles, withSkipped } from '../files/leftOut';
import { formatStore } from '../platform/formatError';
import { formatCount } from '../platform/formatNumbers';
import { isOwnDocument } from '../platform/ownDocuments';
import { asksForDuplicates, fileRules, maxFileBytes, openSettings, unsavedFiles } from '../platform/settings';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import { confirmBadFiles, confirmImport, confirmOutside, confirmRepeated, confirmSensitive } from './askBeforeImport';
import type { FirstImport } from './firstImport';

export interface ImportServices extends Services {
  readonly firstImport: FirstImport;
  /** Runs one import's check for duplicates at a time. */
  readonly queueing: SerialQueue;
}

/** Min files of an import that the user is asked to confirm. */
const MANY = 21;

/** Imports the files and folders of a menu's selection, of the active editor or of a dialog. */
export async function importFile(services: ImportServices, target: unknown, selected: unknown): Promise<void> {
  await importFiles(services, await chosenFiles(target, selected));
}

/** Imports the files that the user picks in a dialog. */
export async function importPicked(services: ImportServices): Promise<void> {
  await importFiles(services, await pickFiles());
}

/** Imports the folders that the user picks in a dialog. */
export async function importFolder(services: ImportServices): Promise<void> {
  await importFiles(services, await pickFolders());
}

/** Imports what was dropped on the view: files and folders, or texts without a path. */
export async function importDropped(services: ImportServices, { uris, texts, bad }: Dropped): Promise<void> {
  await importFiles(services, uris);
  const names = texts.map(({ name }) => name);
  const sensitive = await sensitiveAmong(names, fileRules().sensitive);
  const confirmed = await confirmSensitive(
    texts.map((text) => ({ ...text, relativePath: text.name, isSensitive: sensitive.has(text.name) })),
  );
  if (confirmed.length === 0 && (texts.length > 0 || bad.length === 0)) return;
  const checked = await checkTexts(confirmed, maxFileBytes());
  await importGood(services, { good: checked.good, bad: [...bad, ...checked.bad] });
}

/** The drop controller that imports what is dropped. */
export function dropsOf(services: ImportServices): FileDrops {
  const limits = () => ({ maxBytes: maxFileBytes(), roomBytes: MAX_READ_BYTES });
  return new FileDrops((dropped) => importDropped(services, dropped), limits, services.messages);
}

/** Imports files and folders, as a batch of this name. All questions are asked before the first file is sent. */
export async function importFiles(
  services: ImportServices,
  uris: readonly Uri[],
  label = labelOf(uris),
  chosenBy: ChosenBy = 'user',
): Promise<void> {
  if (uris.length === 0) return;
  assertFiles(uris);
  const collected = await withDelayedProgress(l10n.t('Looking for files'), (signal, report) =>
    collectFiles(uris, fileRules, signal, chosenBy, (count) => report(l10n.t('{0} found', formatCount(count)))),
  );
  if (collected === undefined) return;
  assertNotEmpty(collected, uris);
  const files = await confirmOutside(await confirmSensitive(collected.files));
  const wanted = files.map(({ uri }) => uri);
  if (files.length === 0 || !(await confirmUnsaved(wanted, unsavedFiles()))) return;
  const checked = await withDelayedProgress(l10n.t('Checking files'), (signal, report) => {
    const onChecked = (count: number) => report(l10n.t('{0} of {1}', formatCount(count), formatCount(files.length)));
    return checkFiles(services.sources, files, maxFileBytes(), signal, { onChecked });
  });
  if (checked === undefined) return;
  const isFolder = collected.files.some(({ uri }) => !uris.includes(uri));
  const [first] = uris;
  const folder = isFolder && uris.length === 1 && first !== undefined ? await storedPath(first) : undefined;
  await importGood(services, checked, { isFolder, leftOut: leftOutOf(collected, files), label, folder });
}

/** Imports the selected text of the active editor. @throws UserError where nothing is selected, or in a generated text */
export async function importSelection(services: ImportServices): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined || editor.selections.every(({ isEmpty }) => isEmpty)) {
    throw new UserError(l10n.t('Select the text to import in an editor first.'));
  }
  const { uri } = editor.document;
  if (isOwnDocument(uri) || uri.scheme === 'output') throw notAFile(uri);
  const relativePath = pathInWorkspace(uri);
  const isSensitive = (await sensitiveAmong([uri.path], fileRules().sensitive)).has(uri.path);
  if ((await confirmSensitive([{ relativePath, isSensitive }])).length === 0) return;
  await importChosen(services, { checked: [await checkSelection(editor, maxFileBytes())] });
}

/** Files that can be imported, once the user has answered what there is to ask about them. */
interface ChosenFiles {
  readonly checked: readonly CheckedSource[];
  readonly leftOut?: LeftOut;
  /** Whether to ask before the import starts. */
  readonly asks?: boolean;
  /** The name of their batch; empty for none. */
  readonly label?: string;
  /** The path of the folder that was chosen, where it was a single one. */
  readonly folder?: string | undefined;
}

/** Imports the good files, after a confirmation for a folder, for many files, or where files are left out. */
async function importGood(
  services: ImportServices,
  { good, bad }: FileCheck,
  {
    isFolder = false,
    leftOut = nothingLeftOut,
    label = '',
    folder,
  }: Partial<ChosenFiles> & { readonly isFolder?: boolean } = {},
): Promise<void> {
  const asks = good.length > 0 && (isFolder || leftOut.sentences.length > 0 || good.length >= MANY);
  if (!asks && !(await confirmBadFiles(good.length, bad))) return;
  await importChosen(services, { checked: good, leftOut: withBadFiles(leftOut, bad), asks, label, folder });
}

async function importChosen(services: ImportServices, chosen: ChosenFiles): Promise<void> {
  const dataset = await chooseDataset(services, undefined, formatTitle(chosen.checked));
  if (dataset === undefined || (await ensureAccessKey(services, dataset)) === undefined) return;
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  try {
    await services.queueing.run(() => queueImports(services, chosen, destination));
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const retry = { label: l10n.t('Retry'), run: () => importChosen(services, chosen) };
    throw new UserError(formatStore(error), [retry], { cause: error });
  }
}

/**
 * Asks about duplicates and for the confirmation, and queues the imports. Runs once at a time: the second of two imports
 * of the same content must find the first one in the list.
 */
async function queueImports(
  { list, contents, sources, queue, clock, picks, firstImport }: ImportServices,
  { checked, leftOut = nothingLeftOut, asks = false, label = '', folder }: ChosenFiles,
  destination: Destination,
): Promise<void> {
  const { dataset, origin } = destination;
  await list.sync();
  const isAsked = asksForDuplicates();
  const known = isAsked ? await importsOfSame(list.unfinished, contents, checked) : [];
  const earlier = isAsked
    ? await withDelayedProgress(l10n.t('Checking for duplicates'), (signal) =>
        findDuplicates(sources, checked, known, destination, signal),
      )
    : new Map<CheckedSource, AcceptedContent>();
  if (earlier === undefined) return;
  const others = checked.filter((one) => !earlier.has(one));
  const running = isAsked ? await runningAmong(list, others, destination) : new Map();
  const wanted = await confirmRepeated(checked, { earlier, running }, dataset, clock.now());
  if (wanted.length === 0) return;
  const skipped = withSkipped(leftOut, checked, wanted, running);
  if (asks && !(await confirmImport(picks, wanted, dataset, skipped))) return;
  const files = skipped.files;
  const counts = { duplicates: checked.length - wanted.length - (files - leftOut.files), files };
  const batch = folder === undefined ? batchOf(wanted, label) : folderBatch(destination, folder, label);
  await moveRows(list, earlier, known, destination, batch);
  await queue.add(wanted, dataset, batch, origin, counts);
  await firstImport.show();
}

/** Those of these files whose tasks of an earlier import have not ended, with these. */
async function runningAmong(
  list: ImportServices['list'],
  checked: readonly CheckedSource[],
  destination: Destination,
): Promise<ReadonlyMap<CheckedSource, TrackedTask>> {
  const rows = await rowsOfFiles(list, checked, destination);
  return new Map(
    checked.flatMap((one) => {
      const row = rows.get(one.source.path);
      return row?.phase.kind === 'accepted' && isUndecided(row) ? [[one, row]] : [];
    }),
  );
}

function batchOf({ length }: readonly CheckedSource[], label: string): Batch | undefined {
  return length < 2
    ? undefined
    : { id: randomUUID(), label: label === '' ? l10n.t('{0} files', formatCount(length)) : label };
}

/** The path of a folder with links resolved, as those of its files are. */
async function storedPath(folder: Uri): Promise<string> {
  return folder.with({ path: await truePath(folder) }).fsPath;
}

/** The name of a single chosen file or folder. */
function labelOf(uris: readonly Uri[]): string {
  const [first] = uris;
  return uris.length === 1 && first !== undefined ? path.posix.basename(first.path) : '';
}

function formatTitle(checked: readonly CheckedSource[]): string {
  const [first] = checked;
  return checked.length === 1 && first !== undefined
    ? l10n.t("Import '{0}'", first.source.name)
    : l10n.t('Import {0} Files', formatCount(checked.length));
}

function assertNotEmpty(collected: CollectedFiles, uris: readonly Uri[]): void {
  if (collected.files.length > 0) return;
  const name = labelOf(uris);
  const where =
    name === ''
      ? l10n.t('There are no files to import in these folders.')
      : l10n.t("There are no files to import in '{0}'.", name);
  const settings = { label: l10n.t('Open Settings'), run: () => openSettings('datasetImport.folders') };
  throw new UserError([where, ...formatLeftOut(collected)].join(' '), [settings]);
}
