import { hash, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commands, l10n, type Uri } from 'vscode';
import type { NewImport, Queued, QueueRequest } from '../../tasks/store/model';
import { inSlices } from '../../tasks/timing/inSlices';
import { UserError } from '../platform/actions';
import { formatCount, formatSentences } from '../platform/format';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Candidate, Chosen, ImportServices } from './candidate';
import { type ComparedFiles, check } from './compare';
import { isIn } from './filePaths';
import { groupOf } from './groups';
import { skippedNotes } from './notes';

type Queueing = Pick<ImportServices, 'store' | 'files' | 'serving' | 'textsFolder' | 'memory'>;

/**
 * Queues the selected files, and updates the rows of moved files.
 * @throws UserError if none of the selected files can be imported anymore
 */
export async function enqueue(
  services: Queueing,
  chosen: Chosen,
  compared: ComparedFiles,
  choice: readonly Candidate[],
): Promise<Queued | undefined> {
  const { destination } = compared;
  const wanted = await checkUnopened(services, choice);
  if (wanted === undefined) return undefined;
  const moved = await moveRows(services, compared);
  const skipped = skippedBy(chosen, compared, new Set(choice), choice.length - wanted.length);
  // The first run, which is that of a folder if there is one, reports the skipped files of all folders.
  const runs = byBatch(chosen, compared, wanted).map(([batch, some], index) => {
    const files = some.map((one) => newImport(one, moved));
    return { destination, batch, skipped: index === 0 ? skipped : {}, files };
  });
  const queued = await startRuns(services, runs, wanted);
  await showFirstImport(services.memory);
  return queued;
}

/**
 * Queues runs. First writes any text to files in the extension's storage. If queueing fails, these files stay until
 * housekeeping deletes them, because some imports may have been queued.
 */
export async function startRuns(
  { serving, textsFolder }: Pick<Queueing, 'serving' | 'textsFolder'>,
  runs: readonly Omit<QueueRequest, 'run'>[],
  candidates: readonly Candidate[] = [],
): Promise<Queued> {
  const texts = candidates.flatMap(({ checked }) => (checked !== undefined && 'bytes' in checked ? [checked] : []));
  const fileOf = ({ source }: (typeof texts)[number]) => path.join(textsFolder, source.textFile ?? '');
  if (texts.length > 0) await mkdir(textsFolder, { recursive: true, mode: 0o700 });
  for (const one of texts) await writeFile(fileOf(one), one.bytes, { flag: 'wx', mode: 0o600, flush: true });
  const importingReason = l10n.t('Already being imported');
  return serving.queue(...runs.map((run) => ({ ...run, run: randomUUID(), importingReason })));
}

/** Checks files that compare() didn't open because they hadn't changed. Returns undefined if the user cancels. */
async function checkUnopened(services: Queueing, choice: readonly Candidate[]): Promise<Candidate[] | undefined> {
  const unopened = choice.filter((one) => one.checked === undefined);
  const checked = await withDelayedProgress(l10n.t('Checking files'), (signal) => check(services, unopened, signal));
  if (checked === undefined) return undefined;
  const all = choice.map((one) => checked.get(one) ?? one);
  const faults = all.flatMap(({ fault }) => fault ?? []);
  if (faults.length === all.length)
    throw new UserError(formatSentences([l10n.t('Nothing was imported.'), ...faults.slice(0, 10)]));
  return all.filter((one) => one.checked !== undefined);
}

/**
 * Updates the rows of moved files, whether or not the files are sent again. Returns the latest import of each moved
 * file, by path.
 */
export async function moveRows(
  { store }: Pick<Queueing, 'store'>,
  { candidates, destination }: ComparedFiles,
): Promise<ReadonlyMap<string, number>> {
  const moved = candidates.flatMap(({ comparison, path: at, elsewhere, name, relativePath }) =>
    comparison === 'moved' && at !== undefined && elsewhere?.path
      ? [{ from: elsewhere.path, path: at, name, relativePath }]
      : [],
  );
  const seen = new Map<string, number>();
  for await (const files of inSlices(moved, 1000)) {
    const known = await store.known({ destination, paths: await store.move({ destination, files }) });
    for (const { path: at, row } of known.files) if (row !== null) seen.set(at, row.import);
  }
  return seen;
}

function newImport(one: Candidate, moved: ReadonlyMap<string, number>): NewImport {
  const { uri, path: at, name, relativePath, known, checked, sizeBytes } = one;
  const source = checked?.source;
  return {
    // A file that isn't on disk is identified by its URI. Text has no path, so it always gets a new row.
    path: at ?? uri?.toString() ?? null,
    name,
    relativePath,
    textFile: source?.textFile ?? null,
    sizeBytes,
    modifiedMs: source?.modifiedMs ?? null,
    // The hash shows whether the same text was queued before. A file is recognized by its path.
    sha256: checked !== undefined && 'bytes' in checked ? hash('sha256', checked.bytes, 'hex') : null,
    seen: moved.get(at ?? '') ?? known?.row?.import ?? null,
  };
}

/**
 * The files of each batch. Each chosen folder has a batch of its own. The other files share one, unless there is only a
 * single file.
 */
function byBatch(
  { batch, dataset, known, label, folders: given }: Chosen,
  { folders, destination }: ComparedFiles,
  wanted: readonly Candidate[],
): (readonly [QueueRequest['batch'], readonly Candidate[]])[] {
  // The user may have switched to another dataset.
  const isSame = destination.dataset === dataset?.name;
  if (batch !== undefined && isSame) return [[batch, wanted]];
  const own = isSame ? given : undefined;
  const outermost = folders.toSorted((one, other) => one.path.length - other.path.length);
  const folderOf = (uri: Uri) => own?.get(uri.toString()) ?? outermost.find((folder) => isIn(folder.uri, uri));
  const byFolder = Map.groupBy(wanted, ({ uri }) => uri && folderOf(uri));
  // The changes of a whole dataset are one run. The batches of their folders exist already.
  const isWholeDataset = known !== undefined && batch === undefined && byFolder.size > 1;
  const groups = isWholeDataset ? [[undefined, wanted] as const] : [...byFolder];
  const foldersFirst = groups.sort(([one], [other]) => Number(one === undefined) - Number(other === undefined));
  return foldersFirst.map(([folder, some]) => {
    if (folder !== undefined)
      return [{ label: label ?? path.posix.basename(folder.uri.path), folder: folder.path }, some];
    const ofFiles = { label: label ?? l10n.t('{0} files', formatCount(some.length)), folder: null };
    return [some.length < 2 ? null : ofFiles, some];
  });
}

/**
 * Counts skipped files by reason. Leaves out unchanged files, because there is nothing to upload. For Import Changes…,
 * also leaves out files that the rules skip, because skipping them is expected.
 */
function skippedBy(
  { onlyChanges = false }: Chosen,
  compared: ComparedFiles,
  chosen: ReadonlySet<Candidate>,
  unreadable: number,
): Record<string, number> {
  const { candidates, unread } = compared;
  const left = candidates.filter((one) => !chosen.has(one));
  const faults = left.filter(({ fault }) => fault !== undefined).length;
  const importing = left.filter((one) => one.comparison === 'importing' && one.fault === undefined).length;
  const unchanged = left.filter((one) => groupOf(one) === 'unchanged').length;
  const counts: [string, number][] = [
    [l10n.t('Not selected'), left.length - faults - importing - unchanged],
    [l10n.t('Already being imported'), importing],
    [l10n.t('Cannot be imported'), faults + unread.length + unreadable],
    ...(onlyChanges ? [] : skippedNotes(compared).map(({ label, count }): [string, number] => [label, count])),
  ];
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const SHOWN = 'datasetImport.firstImportShown';

/** Opens the Tasks view for the user's first import, to show where imports are tracked. Doesn't move the focus. */
async function showFirstImport(memory: Queueing['memory']): Promise<void> {
  if (memory.get(SHOWN, false)) return;
  await memory.update(SHOWN, true);
  await commands.executeCommand('datasetImport.tasks.focus', { preserveFocus: true });
}
