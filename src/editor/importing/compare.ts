import path from 'node:path';
import { FileSystemError, l10n, workspace } from 'vscode';
import { asSourceError, SourceError } from '../../service/errors';
import { compareFiles, compareKnown, type Memory, memoryOf } from '../../tasks/comparing/compareFiles';
import { type CheckedSource, checkText } from '../../tasks/sending/checkedSource';
import type { Destination } from '../../tasks/store/model';
import { inSlices } from '../../tasks/timing/inSlices';
import { mapWithConcurrency } from '../../tasks/timing/mapWithConcurrency';
import { formatCount, formatSize } from '../platform/format';
import { formatFailure } from '../platform/formatFailures';
import { maxFileBytes } from '../platform/settings';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Candidate, ImportServices } from './candidate';
import type { Collected } from './collect';

/** Max files on disk to look up or check in one call. */
const GROUP_SIZE = 500;

/** Max groups to process at the same time. With two, the worker threads don't have to wait for the extension host. */
const CONCURRENT_GROUPS = 2;

/** Max total size of the files in one import that aren't on disk. These files stay in memory until they are queued. */
export const MAX_READ_BYTES = 256 * 1024 * 1024;

/** Max concurrent reads of files that aren't on disk. */
const CONCURRENT_READS = 16;

/** The collected files, compared with the files that a destination has already received. */
export interface ComparedFiles extends Collected {
  readonly destination: Destination;
}

type Comparing = Pick<ImportServices, 'store' | 'files' | 'textsFolder'>;

/**
 * Compares files with those that a destination has received. Files with unchanged size and modification time aren't
 * opened; all others are compared by content. A file that was chosen through more than one path is included only once.
 * Returns undefined if the user cancels.
 */
export function compare(
  services: Comparing,
  collected: Collected,
  destination: Destination,
): Promise<ComparedFiles | undefined> {
  return withDelayedProgress(l10n.t('Checking files'), async (signal, report) => {
    const all = onePerPath(collected.candidates);
    const memory = memoryOf(services.store, destination);
    let done = 0;
    const onDone = (count: number) => {
      done += count;
      report(l10n.t('{0} of {1}', formatCount(done), formatCount(all.length)));
    };
    const unchanged = await unchangedFiles(services.files, memory, all, signal, onDone);
    const others = all.filter((one) => !unchanged.has(one));
    const checked = await check(services, others, signal, onDone);
    const sources = [...checked.values()].flatMap((one) => one.checked ?? []);
    const comparisons = await compareFiles({ files: services.files, memory }, sources, signal);
    const candidates: Candidate[] = [];
    for await (const slice of inSlices(all))
      for (const one of slice) {
        const now = unchanged.get(one) ?? checked.get(one) ?? one;
        candidates.push(now.checked === undefined ? now : { ...now, ...comparisons.get(now.checked) });
      }
    const missing = await stillMissing(memory, collected.missing, candidates);
    return { ...collected, candidates, missing, destination };
  });
}

function onePerPath(candidates: readonly Candidate[]): readonly Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ path: at }) => at === undefined || (!seen.has(at) && seen.add(at)));
}

async function unchangedFiles(
  files: Comparing['files'],
  memory: Memory,
  candidates: readonly Candidate[],
  signal: AbortSignal,
  onDone: (count: number) => void,
): Promise<ReadonlyMap<Candidate, Candidate>> {
  const unchanged = new Map<Candidate, Candidate>();
  await mapWithConcurrency(groupsOnDisk(candidates), CONCURRENT_GROUPS, async (some) => {
    const { files: known } = await memory.known({ paths: some.map(({ path: at = '' }) => at) });
    const compared = await compareKnown({ files, memory }, known, 0, signal);
    const before = unchanged.size;
    for (const one of some) {
      const same = compared.get(one.path ?? '');
      if (same?.comparison === 'unchanged') unchanged.set(one, { ...one, ...same });
    }
    onDone(unchanged.size - before);
  });
  return unchanged;
}

/** Opens files to check whether they can be imported. Returns each file with either its source or a fault. */
export async function check(
  { files, textsFolder }: Pick<Comparing, 'files' | 'textsFolder'>,
  candidates: readonly Candidate[],
  signal: AbortSignal,
  onDone: (count: number) => void = () => {},
): Promise<ReadonlyMap<Candidate, Candidate>> {
  const results = new Map<Candidate, Candidate>();
  const budget = { leftBytes: MAX_READ_BYTES };
  await mapWithConcurrency(groupsOnDisk(candidates), CONCURRENT_GROUPS, async (some) => {
    signal.throwIfAborted();
    const toCheck = some.map(({ uri, path: realPath = '', relativePath }) => {
      return { path: uri?.fsPath ?? '', relativePath, realPath };
    });
    const checked = await files.check(toCheck, path.dirname(textsFolder));
    for (const [index, one] of some.entries())
      results.set(one, withResult(one, checked[index] as CheckedSource | SourceError));
    onDone(some.length);
  });
  const others = candidates.filter((one) => one.path === undefined);
  await mapWithConcurrency(others, CONCURRENT_READS, async (one) => {
    signal.throwIfAborted();
    results.set(one, await checkContent(one, budget));
    onDone(1);
  });
  return results;
}

function withResult(one: Candidate, result: CheckedSource | SourceError): Candidate {
  if (result instanceof SourceError) return { ...one, fault: formatFailure(result) };
  const { sizeBytes } = result.source;
  if (sizeBytes > maxFileBytes())
    return { ...one, sizeBytes, fault: formatTooLarge(one.name, sizeBytes, maxFileBytes()) };
  const care = result.isBinary ? [...one.care, l10n.t("doesn't look like text")] : one.care;
  return { ...one, sizeBytes, checked: result, care };
}

/** Checks text or a file that isn't on disk. Reads the file into memory first. */
async function checkContent(one: Candidate, budget: { leftBytes: number }): Promise<Candidate> {
  const read = one.bytes ?? (await readFile(one, budget).catch(asSourceError));
  if (typeof read === 'string') return { ...one, fault: read };
  if (read instanceof SourceError) return withResult(one, read);
  const { name, relativePath } = one;
  const named = { name, relativePath, path: one.uri?.toString() ?? name };
  return withResult(one, await checkText(named, read).catch(asSourceError));
}

/** Maps a FileSystemError's code to a reason. */
const REASONS: Readonly<Record<string, SourceError['reason']>> = {
  FileNotFound: 'missing',
  FileIsADirectory: 'notFile',
  Unavailable: 'busy',
};

/** Returns the content, or a sentence that explains why the file is too large to be read. @throws SourceError */
async function readFile({ uri, name }: Candidate, budget: { leftBytes: number }): Promise<Uint8Array | string> {
  try {
    if (uri === undefined) throw new SourceError('missing', name);
    const { size } = await workspace.fs.stat(uri);
    if (size > maxFileBytes()) return formatTooLarge(name, size, maxFileBytes());
    if (size > budget.leftBytes) return formatNoMemory(name);
    budget.leftBytes -= size;
    return await workspace.fs.readFile(uri);
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    const code = cause instanceof FileSystemError ? cause.code : '';
    throw new SourceError(REASONS[code] ?? 'unreadable', name, { cause });
  }
}

export function formatTooLarge(name: string, sizeBytes: number, maxBytes: number): string {
  const [size, max] = [formatSize(sizeBytes), formatSize(maxBytes)];
  return l10n.t("'{0}' is too large ({1}). The setting 'datasetImport.maxFileSizeMB' allows {2}.", name, size, max);
}

export function formatNoMemory(name: string): string {
  return l10n.t(
    "'{0}' was skipped. Files that are not on disk are read into memory, {1} at a time. Import it after the others.",
    name,
    formatSize(MAX_READ_BYTES),
  );
}

/** The missing files that the destination has received, except moved files. */
async function stillMissing(
  memory: Memory,
  missing: readonly string[],
  candidates: readonly Candidate[],
): Promise<readonly string[]> {
  const all = new Set<string>();
  // The user may have switched to a dataset that never received these files.
  for await (const paths of inSlices(missing, GROUP_SIZE))
    for (const { path: at, uploaded } of (await memory.known({ paths })).files) if (uploaded !== null) all.add(at);
  for (const { comparison, elsewhere } of candidates) if (comparison === 'moved') all.delete(elsewhere?.path ?? '');
  return [...all];
}

/** The files on disk, in groups. */
function groupsOnDisk(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const onDisk = candidates.filter((one) => one.path !== undefined);
  const starts = Array.from({ length: Math.ceil(onDisk.length / GROUP_SIZE) }, (_, index) => index * GROUP_SIZE);
  return starts.map((from) => onDisk.slice(from, from + GROUP_SIZE));
}
