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

function failure(name: 'WindowClosed' | 'TextGone'): Failure {
  return { name, detail: '' };
}
