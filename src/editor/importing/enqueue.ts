import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commands, l10n } from 'vscode';
import { isWithin } from '../../tasks/isWithin';
import type { Destination, NewImport, QueueRequest } from '../../tasks/store/model';
import { formatSentences } from '../platform/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Candidate, Chosen, ImportServices } from './candidate';
import { type ComparedFiles, check } from './compare';
import { formatGroup, groupOf } from './groups';
import { skippedNotes } from './notes';
import type { EndedRun } from './runResults';

/** A run that was queued. */
export interface StartedRun {
  readonly id: string;
  readonly destination: Destination;
  readonly files: number;
  /** How many files were skipped because they are already being imported. */
  readonly alreadyImporting: number;
  /** How the run ends. */
  readonly ended: Promise<EndedRun>;
}

type Queueing = Pick<ImportServices, 'store' | 'files' | 'serving' | 'runs' | 'textsFolder' | 'memory'>;

/** Queues the chosen files, and moves the rows of moved files. @throws UserError if none of them can be imported any more */
export async function enqueue(
  services: Queueing,
  chosen: Chosen,
  compared: ComparedFiles,
  choice: readonly Candidate[],
): Promise<StartedRun | undefined> {
  const { destination } = compared;
  const wanted = await checkUnopened(services, choice);
  if (wanted === undefined) return undefined;
  const moved = await moveRows(services, compared);
  const files = wanted.map((one) => newImport(one, moved));
  const skipped = skippedBy(compared, new Set(choice), choice.length - wanted.length);
  const batch = batchOf(chosen, compared, files.length);
  const started = await startRun(services, { destination, batch, skipped, files }, wanted);
  await showFirstImport(services.memory);
  return started;
}

/** Queues a run. Texts are written to files of ours first, and deleted if they can't be queued. */
export async function startRun(
  { serving, runs, textsFolder }: Pick<Queueing, 'serving' | 'runs' | 'textsFolder'>,
  request: Omit<QueueRequest, 'run' | 'claims'>,
  candidates: readonly Candidate[] = [],
): Promise<StartedRun> {
  const id = randomUUID();
  const ended = runs.of(id);
  const texts = candidates.flatMap(({ checked }) => (checked !== undefined && 'bytes' in checked ? [checked] : []));
  const fileOf = ({ source }: (typeof texts)[number]) => path.join(textsFolder, source.textFile ?? '');
  try {
    if (texts.length > 0) await mkdir(textsFolder, { recursive: true, mode: 0o700 });
    for (const one of texts) await writeFile(fileOf(one), one.bytes, { flag: 'wx', mode: 0o600, flush: true });
    const { imports } = await serving.queue({ ...request, run: id, claims: true });
    const files = imports.filter((one) => one !== null).length;
    return { id, destination: request.destination, files, alreadyImporting: imports.length - files, ended };
  } catch (error) {
    runs.forget(id);
    for (const one of texts) await rm(fileOf(one), { force: true });
    throw error;
  }
}

/** Checks files that weren't opened because they hadn't changed. Undefined if the user cancels. */
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

/** A moved file keeps its row, whether or not it is sent again. */
export async function moveRows(
  { store }: Pick<Queueing, 'store'>,
  { candidates, destination }: ComparedFiles,
): Promise<ReadonlyMap<string, number>> {
  const moved = candidates.flatMap(({ standing, path: at, elsewhere, name, relativePath }) =>
    standing === 'moved' && at !== undefined && elsewhere?.path
      ? [{ from: elsewhere.path, path: at, name, relativePath }]
      : [],
  );
  const seen = new Map<string, number>();
  for (let from = 0; from < moved.length; from += 1000) {
    const files = moved.slice(from, from + 1000);
    await store.move({ destination, files });
    const known = await store.known({ destination, paths: files.map((one) => one.path) });
    for (const { path: at, row } of known.files) if (row !== null) seen.set(at, row.import);
  }
  return seen;
}

function newImport(
  { uri, path: at, name, relativePath, known, checked, sizeBytes }: Candidate,
  moved: ReadonlyMap<string, number>,
): NewImport {
  const source = checked?.source;
  return {
    // The row of a file that isn't on disk is found by its URI; a text has a row of its own.
    path: at ?? uri?.toString() ?? null,
    name,
    relativePath,
    textFile: source?.textFile ?? null,
    sizeBytes,
    modifiedMs: source?.modifiedMs ?? null,
    sha256: null,
    seen: moved.get(at ?? '') ?? known?.row?.import ?? null,
  };
}

/** The batch of a folder, or of files chosen together; null for a single file. */
function batchOf(
  { label, uris = [] }: Chosen,
  { folders, candidates }: ComparedFiles,
  count: number,
): QueueRequest['batch'] {
  const [folder] = folders;
  const isWhole = uris.length === 1 && folder !== undefined;
  if (isWhole && candidates.every((one) => one.path === undefined || isWithin(one.path, folder)))
    return { label: label ?? path.basename(folder), folder };
  return count < 2 ? null : { label: label ?? l10n.t('{0} files', formatCount(count)), folder: null };
}

/** How many files are skipped, by reason, in the words of the list. The dataset has unchanged files: they aren't skipped. */
function skippedBy(
  compared: ComparedFiles,
  chosen: ReadonlySet<Candidate>,
  unreadable: number,
): Record<string, number> {
  const { candidates, unread, skipped } = compared;
  const left = candidates.filter((one) => !chosen.has(one));
  const counts: Record<string, number> = {};
  const add = (reason: string, count: number) => {
    if (count > 0) counts[reason] = (counts[reason] ?? 0) + count;
  };
  for (const one of left) {
    const group = groupOf(one);
    if (group === 'unchanged') continue;
    if (group !== undefined) add(formatGroup(group), 1);
    else add(one.fault === undefined ? l10n.t('Already being imported') : l10n.t('Cannot be imported'), 1);
  }
  add(l10n.t('Cannot be imported'), unread.length + unreadable);
  for (const { label, count } of skippedNotes(skipped)) add(label, count);
  return counts;
}

const SHOWN = 'datasetImport.firstImportShown';

/** Opens the view Tasks with a user's first import, so that they know where imports are followed. The focus stays. */
async function showFirstImport(memory: Queueing['memory']): Promise<void> {
  if (memory.get(SHOWN, false)) return;
  await memory.update(SHOWN, true);
  await commands.executeCommand('datasetImport.tasks.focus', { preserveFocus: true });
}
