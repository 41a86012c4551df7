import type { Attempt, Failure, TrackedTask } from '../trackedTask';

/** An import after its window is gone: unconfirmed where it was being sent, otherwise as it was. */
export function abandoned(task: TrackedTask, now: number): TrackedTask {
  if (task.phase.kind !== 'sending') return task;
  // Only the window that is gone knew how much of it had been sent.
  const end = { kind: 'unconfirmed', failure: failure('WindowClosed'), sentBytes: 0, totalBytes: 0 } as const;
  const attempt: Attempt = { beganMs: task.createdMs, endedMs: now, sentBytes: 0, totalBytes: 0, end };
  return { ...task, phase: end, attempts: [...task.attempts, attempt] };
}

/**
 * A task as it is restored from memory where another window owns it, or this one did and may have lost it since: what was
 * queued when this window looked may have been sent by now.
 */
export function remembered(task: TrackedTask, owner: 'here' | 'elsewhere'): TrackedTask {
  if (task.phase.kind !== 'queued') return task;
  if (owner === 'elsewhere') return { ...task, phase: { kind: 'sending' } };
  const phase = { kind: 'unconfirmed', failure: failure('StoreSetAside'), sentBytes: 0, totalBytes: 0 } as const;
  return { ...task, phase, owner: undefined };
}

function failure(name: 'WindowClosed' | 'StoreSetAside'): Failure {
  return { name, detail: '' };
}
