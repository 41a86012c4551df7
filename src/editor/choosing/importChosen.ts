import { randomUUID } from 'node:crypto';
import { commands, l10n, type Memento } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { StoreError } from '../../tasks/database/storeError';
import type { Destination } from '../../tasks/destination';
import { folderBatch } from '../../tasks/folderBatch';
import type { KnownFile } from '../../tasks/history/filesAt';
import type { AcceptedContent } from '../../tasks/rows/acceptedContents';
import type { Skipped } from '../../tasks/rows/skipped';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import { PartlyQueuedError } from '../../tasks/serving/importRun';
import { moveRows } from '../../tasks/serving/movedFiles';
import type { SerialQueue } from '../../tasks/timing/serialQueue';
import { type Batch, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { checkFiles, goodAndBad } from '../collecting/checkFiles';
import type { LeftOut } from '../collecting/leftOut';
import { chooseDataset, pickDataset } from '../datasets/chooseDataset';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { errorText, formatStore } from '../platform/formatError';
import { formatCount } from '../platform/formatNumbers';
import { duplicates, maxFileBytes } from '../platform/settings';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import { confirmBadFiles, confirmRepeated } from './askBeforeImport';
import { chooseFiles, type FileChoice } from './chooseFiles';
import { type Chosen, type Compared, compareChosen } from './compareChosen';
import { type ChosenFile, type GroupKind, groupKindOf, groupsOf, leftOutGroups } from './fileGroups';

export interface ChoosingServices extends Services {
  /** What is remembered of the user, in all windows. */
  readonly memory: Memento;
  /** Runs one import's comparison at a time. */
  readonly queueing: SerialQueue;
}

/** What is to be imported, once it was looked for. */
export interface ChosenImport extends Chosen {
  /** Why others cannot be read, each in a sentence. */
  readonly bad: readonly string[];
  readonly leftOut: LeftOut;
  /** Whether to ask before the import starts, whatever the files are. */
  readonly asks: boolean;
  /** Whether only what is new or has changed is wanted. */
  readonly isUpdate: boolean;
  /** The name of their batch; empty for none. */
  readonly label: string;
  /** The path of the folder that was chosen, where it was a single one. */
  readonly folder: string | undefined;
}

/** Min files of an import that the user is asked to confirm. */
const MANY = 21;

/**
 * Imports what was chosen to the dataset of the clicked row, or the default, or the one that the user picks. Where there is
 * anything to decide, the user is asked once. @throws UserError where nothing can be imported
 */
export async function importChosen(services: ChoosingServices, chosen: ChosenImport, target?: unknown): Promise<void> {
  const title = formatTitle(chosen);
  let dataset = await chooseDataset(services, target, title);
  while (dataset !== undefined && (await ensureAccessKey(services, dataset)) !== undefined) {
    if ((await importTo(services, chosen, dataset)) !== 'otherDataset') return;
    dataset = (await pickDataset(services, title)) ?? dataset;
  }
}

/** An import to a destination, with what was found there. */
interface ComparedImport extends Compared {
  readonly chosen: ChosenImport;
  readonly destination: Destination & { readonly origin: string };
}

/** Asks what there is to ask, and queues what is to be sent. */
async function importTo(
  services: ChoosingServices,
  chosen: ChosenImport,
  dataset: Dataset,
): Promise<'otherDataset' | undefined> {
  const destination = { dataset: dataset.name, origin: dataset.baseUrl.origin };
  try {
    // The second of two imports of the same text must find the first one in the list.
    const found = await services.queueing.run(async () => {
      await services.list.sync();
      const compared = await compareChosen(services, chosen, destination);
      if (compared === undefined) return undefined;
      const whole = { ...compared, chosen, destination };
      if (asks(whole)) return whole;
      const wanted = await checkUnopened(services, wantedOf(whole));
      if (wanted !== undefined) await queueFiles(services, whole, wanted);
      return undefined;
    });
    if (found === undefined) return undefined;
    if (!isNothingNew(found)) return await askAndQueue(services, found);
    await moveRows(services.list, earlierOf(found.files), found.known, destination, batchOf(found, 0));
    const show = { label: l10n.t('Show Files…'), run: () => askAndQueue(services, found) };
    void services.messages.done(formatNothingNew(found), show);
    return undefined;
  } catch (error) {
    if (error instanceof PartlyQueuedError) throw new UserError(formatPartly(error), [], { cause: error });
    if (!(error instanceof StoreError)) throw error;
    const retry = { label: l10n.t('Retry'), run: () => importChosen(services, chosen, { dataset }) };
    throw new UserError(formatStore(error), [retry], { cause: error });
  }
}

/** Whether only what has changed is wanted, and nothing has, as far as all could be read. */
function isNothingNew(found: ComparedImport): boolean {
  const { chosen, files, bad } = found;
  const isAllRead = files.length > 0 && bad.length + chosen.bad.length === 0;
  return chosen.isUpdate && isAllRead && wantedOf(found).length === 0;
}

/** Whether there is anything to decide. */
function asks(found: ComparedImport): boolean {
  const { chosen, files, bad } = found;
  const isLarge = files.length >= MANY || chosen.leftOut.items.length + chosen.bad.length + bad.length > 0;
  const wanted = wantedOf(found);
  if (chosen.asks || chosen.isUpdate || isLarge || wanted.length === 0) return true;
  const kept = new Set(wanted);
  return files.some((file) => !kept.has(file) && !(duplicates() === 'skip' && isThere(groupKindOf(file))));
}

async function askAndQueue(services: ChoosingServices, found: ComparedImport): Promise<'otherDataset' | undefined> {
  const choice = await ask(services, found);
  if (choice === 'otherDataset') return choice;
  const checked = choice && (await checkUnopened(services, choice));
  if (checked !== undefined) await services.queueing.run(() => queueFiles(services, found, checked));
  return undefined;
}

/** A single file in a dialog, several in a list. */
async function ask({ clock, datasets, picks }: ChoosingServices, found: ComparedImport): Promise<FileChoice> {
  const { chosen, destination, files, gone } = found;
  const bad = [...chosen.bad, ...found.bad];
  const [only] = files;
  if (only === undefined) await confirmBadFiles(0, bad);
  else if (files.length + bad.length + chosen.leftOut.items.length === 1 && !chosen.asks && !chosen.isUpdate) {
    return (await confirmRepeated(only, destination.dataset, clock.now())) ? files : undefined;
  }
  return chooseFiles(picks, {
    dataset: destination.dataset,
    groups: groupsOf(files, ticksOf(chosen)),
    leftOut: leftOutGroups(files, bad, chosen.leftOut),
    gone,
    // The list that a message opens stands alone.
    hasOthers: datasets.all.length > 1 && !isNothingNew(found),
    nowMs: clock.now(),
  });
}

/** What is imported unless the user decides otherwise. What failed is meant where the user chose it. */
function ticksOf({ isUpdate }: ChosenImport): ReadonlySet<GroupKind> {
  if (isUpdate) return new Set(['new', 'changed']);
  const again = ['running', 'unconfirmed', 'copied', 'moved', 'unchanged'] as const;
  return new Set(['new', 'changed', 'failed', ...(duplicates() === 'import' ? again : [])]);
}

function wantedOf({ chosen, files }: ComparedImport): readonly ChosenFile[] {
  const ticks = ticksOf(chosen);
  return files.filter((file) => {
    const kind = groupKindOf(file);
    return kind !== undefined && ticks.has(kind);
  });
}

/** Whether a dataset has files of a group, or may have. */
function isThere(kind: GroupKind | undefined): boolean {
  return kind === 'copied' || kind === 'moved' || kind === 'unchanged';
}

/** That only some files were queued, and why. */
function formatPartly({ queued, total, cause }: PartlyQueuedError): string {
  return l10n.t(
    'Only {0} of {1} files were queued: {2} To import the others, import the same files or folders again.',
    formatCount(queued),
    formatCount(total),
    cause instanceof StoreError ? formatStore(cause) : errorText(cause),
  );
}

function formatNothingNew({ files, destination: { dataset } }: ComparedImport): string {
  const isAllThere = files.every((file) => groupKindOf(file) === 'unchanged');
  if (!isAllThere) return l10n.t('There is nothing new to import to {0}.', dataset);
  return files.length === 1
    ? l10n.t('There is nothing new to import: {0} has the file as it is.', dataset)
    : l10n.t('There is nothing new to import: {0} has all {1} files as they are.', dataset, formatCount(files.length));
}

async function queueFiles(services: ChoosingServices, found: ComparedImport, wanted: WantedFiles): Promise<void> {
  if (wanted.size === 0) return;
  const { chosen, destination, files, bad, known } = found;
  const batch = batchOf(found, wanted.size);
  const moved = await moveRows(services.list, earlierOf(files), known, destination, batch);
  const skipped = files.filter((file) => !wanted.has(file));
  const repeated = skipped.filter((file) => isThere(groupKindOf(file))).length;
  const others = chosen.leftOut.files + chosen.bad.length + bad.length + skipped.length - repeated;
  // Who wants what is new knows of the others.
  const counts = chosen.isUpdate ? undefined : { duplicates: repeated, files: others };
  const noteSkipped = async (alreadyImporting = 0) =>
    batch && (await services.list.history.noteSkipped(batch.id, skippedBy(found, skipped, alreadyImporting)));
  const reviewed = new Map([...wanted].map(([file, checked]) => [checked, asMoved(file.reviewed, checked, moved)]));
  let alreadyImporting: number;
  try {
    const all = [...wanted.values()];
    const run = await services.queue.add(all, destination.dataset, batch, destination.origin, counts, reviewed);
    alreadyImporting = run.alreadyImporting;
  } catch (error) {
    // What stopped the queuing is reported, whatever it does to this note.
    if (error instanceof PartlyQueuedError) await noteSkipped().catch(() => {});
    throw error;
  }
  await noteSkipped(alreadyImporting);
  await showFirstImport(services.memory);
}

const SHOWN = 'datasetImport.firstImportShown';

/** Opens the view Tasks with a user's first import, so that they know where imports are followed. The focus stays. */
async function showFirstImport(memory: Memento): Promise<void> {
  if (memory.get(SHOWN, false)) return;
  await memory.update(SHOWN, true);
  await commands.executeCommand('datasetImport.tasks.focus', { preserveFocus: true });
}

/** A file that was reviewed before its row was moved to it has that row. */
function asMoved(
  reviewed: KnownFile | undefined,
  { source: { path } }: CheckedSource,
  moved: ReadonlyMap<string, TrackedTask>,
): KnownFile | undefined {
  const row = moved.get(path);
  if (row === undefined) return reviewed;
  const { key, createdMs } = row;
  return { path, content: reviewed?.content, row: { key, createdMs, state: taskState(row) } };
}

/** How many files an import skips for which reason, in the words of the list. */
function skippedBy(
  { chosen, files, bad }: ComparedImport,
  skipped: readonly ChosenFile[],
  alreadyImporting: number,
): Skipped[] {
  const unticked = groupsOf(skipped, ticksOf(chosen)).map((group) => ({
    reason: group.label,
    count: group.files.length,
  }));
  const others = leftOutGroups(files, [...chosen.bad, ...bad], chosen.leftOut);
  return [
    ...unticked,
    ...others.map(({ label, count }) => ({ reason: label, count })),
    ...(alreadyImporting > 0 ? [{ reason: l10n.t('Already being imported'), count: alreadyImporting }] : []),
  ];
}

/** What is there already of files that were opened. */
function earlierOf(files: readonly ChosenFile[]): ReadonlyMap<CheckedSource, AcceptedContent> {
  return new Map(
    files.flatMap(({ checked, standing }) =>
      checked !== undefined && 'earlier' in standing && standing.earlier !== undefined
        ? [[checked, standing.earlier]]
        : [],
    ),
  );
}

/** Files that are to be sent, as they were checked. */
type WantedFiles = ReadonlyMap<ChosenFile, CheckedSource>;

/** The wanted files, of which those are checked now that were not opened before; undefined where the user cancels. */
async function checkUnopened(
  { sources }: ChoosingServices,
  wanted: readonly ChosenFile[],
): Promise<WantedFiles | undefined> {
  const unopened = wanted.flatMap(({ checked, file }) => (checked === undefined && file !== undefined ? [file] : []));
  const results = await withDelayedProgress(l10n.t('Checking files'), (signal) =>
    checkFiles(sources, unopened, maxFileBytes(), signal),
  );
  if (results === undefined) return undefined;
  const checked = wanted.flatMap((one): [ChosenFile, CheckedSource][] => {
    const result = one.checked ?? (one.file && results.get(one.file));
    return typeof result === 'object' ? [[one, result]] : [];
  });
  const { bad } = goodAndBad(results.values());
  return (await confirmBadFiles(checked.length, bad)) ? new Map(checked) : undefined;
}

/** The batch of so many files; undefined for a single one. */
function batchOf({ chosen: { folder, label }, destination }: ComparedImport, count: number): Batch | undefined {
  if (folder !== undefined) return folderBatch(destination, folder, label);
  return count < 2
    ? undefined
    : { id: randomUUID(), label: label === '' ? l10n.t('{0} files', formatCount(count)) : label };
}

function formatTitle({ files, texts }: Chosen): string {
  const count = files.length + texts.length;
  const name = files[0]?.relativePath ?? texts[0]?.source.name ?? '';
  return count === 1 ? l10n.t("Import '{0}'", name) : l10n.t('Import {0} Files', formatCount(count));
}
