import { type Destination, isSameDestination } from '../destination';
import { partsOfList } from '../history/walk';
import type { AcceptedContent } from '../rows/acceptedContents';
import type { Store } from '../store/store';
import { isOpen, isOpenState, type Source, type TrackedTask, taskState } from '../trackedTask';
import type { CheckedSource } from './checkedSource';
import type { Sources } from './sources';

type Hashing = Pick<Sources, 'sha256Of'>;

/**
 * The imports among these that were made before, each with the latest import to the same destination by which the service
 * received, or may have received, the same content; where the content of that one is not known, the same file or text
 * counts. A file is read only where an import has its size.
 */
export async function findDuplicates(
  sources: Hashing,
  checked: readonly CheckedSource[],
  earlier: readonly AcceptedContent[],
  destination: Destination,
  signal: AbortSignal,
): Promise<ReadonlyMap<CheckedSource, AcceptedContent>> {
  const there = earlier.filter((content) => isSameDestination(content, destination));
  const bySize = Map.groupBy(there, ({ source }) => source.sizeBytes);
  const ofUnknownContent = there.filter(({ state, source }) => isOpenState(state) || source.sha256 === undefined);
  const byPlace = Map.groupBy(ofUnknownContent, ({ source }) => placeOf(source));
  const found = new Map<CheckedSource, AcceptedContent>();
  for (const one of checked) {
    const [inPlace] = byPlace.get(placeOf(one.source)) ?? [];
    const known = inPlace ?? (await earlierOf(sources, one, bySize.get(one.source.sizeBytes) ?? [], signal));
    if (known !== undefined) found.set(one, known);
  }
  return found;
}

/** The imports that may be of the same as any of these, the newest first; those that have not ended before the others. */
export async function importsOfSame(
  unfinished: readonly TrackedTask[],
  contents: Store['contents'],
  checked: readonly CheckedSource[],
): Promise<readonly AcceptedContent[]> {
  const found = new Map<number, AcceptedContent>();
  for (const some of partsOfList(checked)) {
    const wanted = some.map(({ source: { sizeBytes, path } }) => ({ sizeBytes, path }));
    for (const content of await contents.ofSame(wanted)) found.set(content.key, content);
  }
  const newestFirst = [...found.values()].sort((a, b) => b.createdMs - a.createdMs || b.key - a.key);
  return [...unfinished.flatMap(asOpenContent), ...newestFirst];
}

/** An import that is still to be sent, or being sent, counts as one whose content will be accepted. */
function asOpenContent(task: TrackedTask): AcceptedContent[] {
  const { key, dataset, origin, source, createdMs, phase } = task;
  if (source === undefined || !isOpen(phase)) return [];
  return [{ key, dataset, origin, source, createdMs, taskId: undefined, taskCount: 0, state: taskState(task) }];
}

/** A file is read only when it is sent, so that its size says nothing; a text does not change. */
function placeOf({ from, path, sizeBytes }: Source): string {
  return JSON.stringify(from === 'disk' ? [path] : [path, sizeBytes]);
}

async function earlierOf(
  sources: Hashing,
  checked: CheckedSource,
  candidates: readonly AcceptedContent[],
  signal: AbortSignal,
): Promise<AcceptedContent | undefined> {
  if (candidates.every(({ source }) => source.sha256 === undefined)) return undefined;
  signal.throwIfAborted();
  const sha256 = await sources.sha256Of(checked);
  return sha256 === undefined ? undefined : candidates.find(({ source }) => source.sha256 === sha256);
}

/** Whether a file has still the content that was sent. */
export async function isUnchanged(sources: Hashing, source: Source): Promise<boolean> {
  if (source.from !== 'disk' || source.sha256 === undefined) return false;
  return (await sources.sha256Of({ source: { ...source, from: 'disk' } })) === source.sha256;
}
