import { SourceError } from '../service/errors';
import { sha256Of } from '../service/hashing';
import { type CheckedSource, openChecked } from './sources';
import { isOpen, type TrackedTask } from './trackedTask';

/**
 * The imports among these that have been made before: to each the latest task of the same dataset that has taken the
 * same content, may have taken it, or is about to send the same file. Only what has the size of such a task is read.
 */
export async function findDuplicates(
  checked: readonly CheckedSource[],
  tasks: readonly TrackedTask[],
  dataset: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<CheckedSource, TrackedTask>> {
  const bySize = Map.groupBy(
    tasks.filter((task) => task.dataset === dataset && mayBeThere(task)),
    ({ source }) => source?.sizeBytes,
  );
  const found = new Map<CheckedSource, TrackedTask>();
  for (const one of checked) {
    const candidates = bySize.get(one.source.sizeBytes) ?? [];
    const earlier = candidates.length === 0 ? undefined : await earlierOf(one, candidates, signal);
    if (earlier !== undefined) found.set(one, earlier);
  }
  return found;
}

async function earlierOf(
  checked: CheckedSource,
  candidates: readonly TrackedTask[],
  signal: AbortSignal,
): Promise<TrackedTask | undefined> {
  const { from, path } = checked.source;
  const isSameFile = ({ source }: TrackedTask) => from === 'disk' && source?.from === from && source.path === path;
  const underWay = candidates.find((task) => isOpen(task.phase) && isSameFile(task));
  if (underWay !== undefined || candidates.every(({ source }) => source?.sha256 === undefined)) return underWay;
  signal.throwIfAborted();
  const sha256 = await hashOf(checked);
  return sha256 === undefined ? undefined : candidates.find(({ source }) => source?.sha256 === sha256);
}

function mayBeThere({ phase }: TrackedTask): boolean {
  return phase.kind === 'accepted' || phase.kind === 'unconfirmed' || isOpen(phase);
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
