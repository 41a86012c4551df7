import { sha256Of } from '../../service/content/hashing';
import { SourceError } from '../../service/errors';
import { type Destination, isSameDestination } from '../destination';
import { isOpen, type Source, type TrackedTask } from '../trackedTask';
import { type CheckedSource, openChecked } from './sources';

/**
 * The imports among these that have been made before: to each the latest task of the same destination that has taken
 * the same content or may have taken it, or of which the content is not known and the place is the same. Only what has
 * the size of such a task is read.
 */
export async function findDuplicates(
  checked: readonly CheckedSource[],
  tasks: readonly TrackedTask[],
  destination: Destination,
  signal: AbortSignal,
): Promise<ReadonlyMap<CheckedSource, TrackedTask>> {
  const mayBeThere = tasks.filter((task) => isSameDestination(task, destination) && mayHaveTaken(task));
  const bySize = Map.groupBy(mayBeThere, ({ source }) => source?.sizeBytes);
  const unknown = mayBeThere.filter(({ phase, source }) => isOpen(phase) || source?.sha256 === undefined);
  const byPlace = Map.groupBy(unknown, ({ source }) => source && placeOf(source));
  const found = new Map<CheckedSource, TrackedTask>();
  for (const one of checked) {
    const [there] = byPlace.get(placeOf(one.source)) ?? [];
    const earlier = there ?? (await earlierOf(one, bySize.get(one.source.sizeBytes) ?? [], signal));
    if (earlier !== undefined) found.set(one, earlier);
  }
  return found;
}

/** Whatever is in a file by then, one that waits to be sent is read when its turn comes. A text in memory stays. */
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

/** Or is about to take. What the service itself has given up is not there. */
function mayHaveTaken({ phase }: TrackedTask): boolean {
  if (phase.kind === 'accepted') return phase.report?.meaning !== 'failed';
  return phase.kind === 'unconfirmed' || isOpen(phase);
}

/** Undefined where it cannot be read any more: its import will say so. */
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
