import type { Attempt, Failure, TrackedTask } from '../trackedTask';

/**
 * An import after its window is gone: unconfirmed where it was being sent, not sent where its text was in that window's
 * memory, and still queued where it is a file.
 */
export function abandoned(task: TrackedTask, now: number): TrackedTask {
  switch (task.phase.kind) {
    case 'sending': {
      // Only the window that is gone knew how much of it had been sent.
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
