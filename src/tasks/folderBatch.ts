import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Destination, destinationKey } from './destination';
import type { Batch } from './trackedTask';

/** The batch of a folder at a destination: whenever it is imported, it is the same. */
export function folderBatch(destination: Destination, folder: string, label: string): Batch {
  return { id: folderBatchId(destination, folder), label, folder };
}

/** The ids that batches of a folder and of those around it have, whether or not there are any. */
export function batchIdsAround(destination: Destination, folder: string): string[] {
  const outer = path.dirname(folder);
  const id = folderBatchId(destination, folder);
  return outer === folder ? [id] : [id, ...batchIdsAround(destination, outer)];
}

/**
 * The batch that a file belongs to, of the one that it is in and the one that is begun: that of the outermost folder, else
 * the one that it first came with.
 */
export function batchOfRow(present: Batch | undefined, begun: Batch | undefined): Batch | undefined {
  if (present === undefined || begun?.folder === undefined) return present ?? begun;
  return present.folder !== undefined && isWithin(begun.folder, present.folder) ? present : begun;
}

/** The one of these batches whose folder is around all others. */
export function outermost(batches: readonly Batch[]): Batch | undefined {
  const [first] = batches.toSorted((one, other) => (one.folder?.length ?? 0) - (other.folder?.length ?? 0));
  return first;
}

/** Whether a path is a folder or inside it. */
export function isWithin(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return !isOutside;
}

function folderBatchId(destination: Destination, folder: string): string {
  return createHash('sha256').update(destinationKey(destination)).update(folder).digest('hex').slice(0, 32);
}
