import type { KnownFile } from '../history/filesAt';
import { isOpenState, type Source, type TaskState, type TrackedTask } from '../trackedTask';

/** The states of an import that left nothing at the service, or may have left nothing. */
const FAILED: ReadonlySet<TaskState> = new Set(['failed', 'rejected', 'notSent', 'unconfirmed']);

/** What a destination has of a file by what is known of it, whatever the file is now. */
export type KnownAs =
  /** It is still to be sent, or being sent. */
  | 'open'
  /** Its newest import failed, or is unconfirmed. */
  | 'failed'
  /** There is a content with which it can be compared. */
  | 'received'
  /** Nothing is known any more. */
  | 'nothing';

export function knownAs({ row, content }: KnownFile): KnownAs {
  if (row !== undefined && isOpenState(row.state)) return 'open';
  if (row !== undefined && FAILED.has(row.state)) return 'failed';
  return content === undefined ? 'nothing' : 'received';
}

/** Whether the newest import of a file was canceled: the destination has what it had before. */
export function isCanceled(task: Pick<TrackedTask, 'phase'> | undefined): boolean {
  return task?.phase.kind === 'notSent' && task.phase.failure.name === 'CanceledError';
}

/**
 * Whether a file is the same as the one that was imported, by size and time alone: a time is only remembered where a later
 * change has another one. Only the content can tell where it is unsure.
 */
export function sinceImport(
  before: Pick<Source, 'sizeBytes' | 'modifiedMs' | 'sha256'>,
  now: Pick<Source, 'sizeBytes' | 'modifiedMs'>,
): 'same' | 'other' | 'unsure' {
  if (now.sizeBytes !== before.sizeBytes) return 'other';
  const isSame = before.sha256 !== undefined && before.modifiedMs !== undefined && now.modifiedMs === before.modifiedMs;
  return isSame ? 'same' : 'unsure';
}
