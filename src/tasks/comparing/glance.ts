import path from 'node:path';
import { settledTime } from '../../service/content/fileBody';
import type { Destination } from '../destination';
import type { KnownFile } from '../history/filesAt';
import type { AcceptedContent } from '../rows/acceptedContents';
import type { CheckedSource } from '../sending/checkedSource';
import type { FileLook } from '../sending/fileOperations';
import type { TaskList } from '../store/taskList';
import { mapWithConcurrency } from '../timing/mapWithConcurrency';
import type { TaskState, TrackedTask } from '../trackedTask';
import { CONCURRENT_HASHES, type ComparingServices, isOther, sameAsBefore } from './compareFiles';
import { isCanceled, knownAs, sinceImport } from './sinceImport';

/** Max size of a file that is read for a glance. */
const MAX_HASHED_BYTES = 8 * 1024 * 1024;

/** What a glance at a file tells of it at a destination. */
export type Glance =
  /** It is still to be sent, or being sent. */
  | { readonly kind: 'open'; readonly state: TaskState }
  /** Its newest import failed, or is unconfirmed, and it has not changed since, as far as that is known. */
  | { readonly kind: 'failed'; readonly task: TrackedTask }
  | { readonly kind: 'changedSinceFailure' }
  /** The destination has it as it is, or may have; with the state of its task, the last one that was known. */
  | { readonly kind: 'unchanged'; readonly earlier: AcceptedContent; readonly state: TaskState }
  | { readonly kind: 'changed'; readonly earlier: AcceptedContent };

/** A file as it was looked at. */
interface Looked {
  readonly file: KnownFile;
  readonly look: FileLook;
  /** The same, as a file that can be read. */
  readonly checked: CheckedSource;
}

/**
 * Looks at files on disk, by their real paths and at most 500, as briefly as can be: one of the size and the time that were
 * imported is not opened, and of a large one that may have changed, or not, nothing is told. `onKnown` gets what is known of
 * them as soon as it is read. @throws StoreError
 */
export async function glanceAtFiles(
  services: ComparingServices,
  paths: readonly string[],
  destination: Destination,
  signal: AbortSignal,
  onKnown: (known: readonly KnownFile[]) => void = () => {},
): Promise<ReadonlyMap<string, Glance>> {
  const { list, sources } = services;
  const known = await list.history.filesAt(destination, paths);
  onKnown(known);
  const tasks = await failedTasks(list, known);
  // A file whose import was canceled is at the destination as it was before.
  const files = known.map((file) => (isCanceled(tasks.get(file.path)) ? { ...file, row: undefined } : file));
  const looked = await lookAt(sources, files);
  const glances = new Map<string, Glance>();
  for (const { path, row, content } of files)
    if (row !== undefined && knownAs({ path, row, content }) === 'open')
      glances.set(path, { kind: 'open', state: row.state });
  await mapWithConcurrency(looked, CONCURRENT_HASHES, async (one) => {
    const task = tasks.get(one.file.path);
    if (task !== undefined && knownAs(one.file) === 'failed')
      glances.set(one.file.path, await ofFailed(sources, one, task));
  });
  const received = looked.filter(({ file }) => knownAs(file) === 'received');
  for (const [path, glance] of await ofReceived(services, received, signal)) glances.set(path, glance);
  return glances;
}

async function failedTasks(list: TaskList, known: readonly KnownFile[]): Promise<ReadonlyMap<string, TrackedTask>> {
  const paths = new Map<number, string>();
  for (const file of known)
    if (file.row !== undefined && knownAs(file) === 'failed') paths.set(file.row.key, file.path);
  const tasks = await list.findAll([...paths.keys()]);
  return new Map(tasks.map((task) => [paths.get(task.key) ?? '', task]));
}

/** Those that are there, of what may have changed. */
async function lookAt(sources: ComparingServices['sources'], files: readonly KnownFile[]): Promise<readonly Looked[]> {
  const some = files.filter((file) => ['received', 'failed'].includes(knownAs(file)));
  const lookedMs = Date.now();
  const looks = await sources.look(some.map((file) => file.path));
  return some.flatMap((file, index) => {
    const look = looks[index];
    return look === undefined ? [] : [{ file, look, checked: checkedOf(file.path, look, lookedMs) }];
  });
}

/** As a check would give it. Its time is not to be remembered where it is so young that the next change may have the same. */
function checkedOf(filePath: string, { sizeBytes, modifiedMs }: FileLook, lookedMs: number): CheckedSource {
  const settledMs = settledTime(modifiedMs, lookedMs);
  const time = settledMs === undefined ? {} : { modifiedMs: settledMs };
  const name = path.basename(filePath);
  return { source: { from: 'disk', path: filePath, relativePath: name, name, sizeBytes, ...time } };
}

async function ofFailed(
  sources: ComparingServices['sources'],
  { look, checked }: Looked,
  task: TrackedTask,
): Promise<Glance> {
  const before = task.source;
  const isSure = before !== undefined && sinceImport(before, look) === 'other';
  const isRead = before !== undefined && look.sizeBytes <= MAX_HASHED_BYTES;
  const hasChanged = isSure || (isRead && (await isOther(sources, checked, before)));
  return hasChanged ? { kind: 'changedSinceFailure' } : { kind: 'failed', task };
}

/** What is told of files of which there is a content; only those that may be the same are read. */
async function ofReceived(
  { sources, contents }: ComparingServices,
  looked: readonly Looked[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Glance>> {
  const sinceOf = ({ file, look }: Looked) => file.content && sinceImport(file.content.source, look);
  const unsure = looked.filter((one) => sinceOf(one) === 'unsure' && isReadable(one));
  const files = new Map(unsure.map(({ file }) => [file.path, file]));
  const checked = unsure.map((one) => one.checked);
  const same = await sameAsBefore(sources, contents, checked, files, signal);
  return new Map(
    looked.flatMap((one): [string, Glance][] => {
      const { path, row, content } = one.file;
      const since = sinceOf(one);
      if (content === undefined || (since === 'unsure' && !isReadable(one))) return [];
      const isSame = since === 'same' || same.has(one.checked);
      const state = row?.state ?? content.state;
      return [[path, isSame ? { kind: 'unchanged', earlier: content, state } : { kind: 'changed', earlier: content }]];
    }),
  );
}

/** Whether its content can be compared, and soon. */
function isReadable({ file, look }: Looked): boolean {
  return file.content?.source.sha256 !== undefined && look.sizeBytes <= MAX_HASHED_BYTES;
}
