import assert from 'node:assert/strict';
import { type Attempt, type EndedPhase, hasEnded, type TrackedTask } from '../../../src/tasks/trackedTask';
import { toldRefusal } from '../service/operations';
import { asStored } from '../tasks/temporaryStore';
import { type ImportWindow, theOnly } from './importWindow';

/** How much of a body had left. */
export type PartLeft = 'nothing' | 'some' | 'all';

/** More than the system takes from us before the other side reads it. */
export const LARGE = Buffer.alloc(24 * 1024 * 1024, 'so many words ');

/** An end in a line. */
export function toldEnd(end: EndedPhase): string {
  switch (end.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return toldRefusal(end.refusal);
    case 'notSent':
    case 'unconfirmed': {
      const { failure } = end;
      return `${end.kind}: ${failure.name}${'reason' in failure ? ` ${failure.reason}` : ''}`;
    }
  }
}

/** How a task ended, in a line; what it is where it has not. */
export function toldPhase({ phase }: TrackedTask): string {
  return hasEnded(phase) ? toldEnd(phase) : phase.kind;
}

/** How much of the body had left. */
export function partLeft({ sentBytes, totalBytes }: Pick<Attempt, 'sentBytes' | 'totalBytes'>): PartLeft {
  assert.ok(sentBytes >= 0 && sentBytes <= totalBytes, `${sentBytes} of ${totalBytes}`);
  if (sentBytes === 0) return 'nothing';
  return sentBytes === totalBytes ? 'all' : 'some';
}

/** How the only import ended, in a line, or why it waits. */
export function toldEndOf({ task, queue }: ImportWindow): string {
  const { reason } = queue.progress?.pause ?? {};
  return reason !== undefined && 'end' in reason ? `${reason.kind}: ${toldEnd(reason.end)}` : toldPhase(task);
}

/** What is in the store says the same as what the window shows: each try and how it ended, and the end of the last. */
export function theEnded(window: ImportWindow): TrackedTask {
  const stored = theOnly(window.stored);
  assert.deepEqual(asStored(stored), asStored(window.task));
  const last = stored.attempts.at(-1);
  if (last !== undefined && hasEnded(stored.phase) && stored.phase.kind !== 'accepted')
    assert.deepEqual(stored.phase, last.end);
  for (const { beganMs, endedMs } of stored.attempts) assert.ok(beganMs <= endedMs);
  return stored;
}

/** How often a file of this name arrived. */
export function postsOf({ faulty }: ImportWindow, name: string): number {
  return faulty.server.peers.filter(({ received }) => received.includes(`filename="${name}"`)).length;
}
