import { sha256Of } from '../../service/content/hashing';
import { SourceError } from '../../service/errors';
import { type Destination, isSameDestination } from '../destination';
import { tasksOfSame } from '../history/walk';
import type { TaskList } from '../store/taskList';
import { isOpen, type Source, type TrackedTask } from '../trackedTask';
import { type CheckedSource, openChecked } from './sources';

/**
 * The imports among these that were made before, each with the latest task of the same destination by which the service
 * received, or may have received, the same content; where the content of such a task is not known, the same file or text
 * counts. A file is read only where a task has its size.
 */
export async function findDuplicates(
  checked: readonly CheckedSource[],
  tasks: readonly TrackedTask[],
  destination: Destination,
  signal: AbortSignal,
): Promise<ReadonlyMap<CheckedSource, TrackedTask>> {
  const received = tasks.filter((task) => isSameDestination(task, destination) && mayBeReceived(task));
  const bySize = Map.groupBy(received, ({ source }) => source?.sizeBytes);
  const ofUnknownContent = received.filter(({ phase, source }) => isOpen(phase) || source?.sha256 === undefined);
  const byPlace = Map.groupBy(ofUnknownContent, ({ source }) => source && placeOf(source));
  const found = new Map<CheckedSource, TrackedTask>();
  for (const one of checked) {
    const [inPlace] = byPlace.get(placeOf(one.source)) ?? [];
    const earlier = inPlace ?? (await earlierOf(one, bySize.get(one.source.sizeBytes) ?? [], signal));
    if (earlier !== undefined) found.set(one, earlier);
  }
  return found;
}

/** The imports that may be of the same as any of these, the newest first; those that have not ended before the others. */
export async function importsOfSame(
  { unfinished, history }: Pick<TaskList, 'unfinished' | 'history'>,
  checked: readonly CheckedSource[],
): Promise<readonly TrackedTask[]> {
  const open = unfinished.filter(({ phase }) => isOpen(phase));
  const ended = await tasksOfSame(
    history,
    checked.map(({ source }) => source),
  );
  return [...open, ...ended.filter(({ phase }) => !isOpen(phase))];
}

/** A file is read only when it is sent, so that its size says nothing; a text in memory does not change. */
function placeOf({ from, path, sizeBytes }: Source): string {
  return JSON.stringify(from === 'disk' ? [path] : [path, sizeBytes]);
}

async function earlierOf(
  checked: CheckedSource,
  candidates: readonly TrackedTask[],
  signal: AbortSignal,
): Promise<TrackedTask | undefined> {
  if (candidates.every(({ source }) => source?.sha256 === undefined)) return undefined;
  signal.throwIfAborted();
  const sha256 = await hashOf(checked);
  return sha256 === undefined ? undefined : candidates.find(({ source }) => source?.sha256 === sha256);
}

/** A task that failed at the service left nothing there; of several tasks each that did not fail may have. */
function mayBeReceived({ phase }: TrackedTask): boolean {
  if (phase.kind === 'accepted') return (phase.parts ?? [phase]).some(({ report }) => report?.meaning !== 'failed');
  return phase.kind === 'unconfirmed' || isOpen(phase);
}

/** Undefined where it cannot be read any more, which its import will report. */
async function hashOf(checked: CheckedSource): Promise<string | undefined> {
  try {
    const body = await openChecked(checked);
    try {
      return await sha256Of(body);
    } finally {
      await body.close();
    }
  } catch (error) {
    if (error instanceof SourceError) return undefined;
    throw error;
  }
}
