import type { Attempt, Failure, TrackedTask } from '../trackedTask';

/**
 * An import that a window has left behind. What it was sending may have arrived; a text that it held in memory is
 * gone; a queued file can go on as it is.
 */
export function abandoned(task: TrackedTask, now: number): TrackedTask {
  switch (task.phase.kind) {
    case 'sending': {
      // How much had left is not known: the window that knew it is gone.
      const end = { kind: 'unconfirmed', failure: failure('WindowClosed'), sentBytes: 0, totalBytes: 0 } as const;
      const attempt: Attempt = { beganMs: task.createdMs, endedMs: now, sentBytes: 0, totalBytes: 0, end };
      return { ...task, phase: end, attempts: [...task.attempts, attempt] };
    }
    case 'queued':
      return task.source?.from === 'memory'
        ? { ...task, phase: { kind: 'notSent', failure: failure('TextGone') } }
        : task;
    default:
      return task;
  }
}

/**
 * An import as it goes into a store that was begun anew, where another window is to send it, or this one was and may
 * have lost it since: what is queued as far as this window knows may have been sent. Anything else is as it is known.
 */
export function remembered(task: TrackedTask, owner: 'here' | 'elsewhere'): TrackedTask {
  if (task.phase.kind !== 'queued') return task;
  if (owner === 'elsewhere') return { ...task, phase: { kind: 'sending' } };
  const phase = { kind: 'unconfirmed', failure: failure('StoreSetAside'), sentBytes: 0, totalBytes: 0 } as const;
  return { ...task, phase, owner: undefined };
}

function failure(name: 'WindowClosed' | 'StoreSetAside' | 'TextGone'): Failure {
  return { name, detail: '' };
}
