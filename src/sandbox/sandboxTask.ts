import type { TextReading } from './http/readText';
import type { L10n } from './l10n';

/** One import as the sandbox keeps it. */
export interface SandboxTask {
  readonly id: string;
  readonly fileName: string;
  readonly text: TextReading;
  /** In milliseconds, by the sandbox's clock. */
  readonly createdAt: number;
}

/** How far a task is. The words are the sandbox's own: states are not shown. */
export type TaskStage =
  | { readonly status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED'; readonly progress: number; readonly message: null }
  | { readonly status: 'FAILED'; readonly progress: number; readonly message: string };

/** How many stages a task takes: one of waiting, two of work. */
const stagesInAll = 3;

/** The time from a task's creation to its end, in milliseconds. */
export function taskDuration(stageMs: number): number {
  return stagesInAll * stageMs;
}

/** The stage of a task at a time, computed from its age, so that nothing has to run meanwhile. */
export function stageAt(task: SandboxTask, now: number, stageMs: number, l10n: L10n): TaskStage {
  const elapsedMs = now - task.createdAt;
  const reachable = reachableProgress(task.text);
  if (elapsedMs >= taskDuration(stageMs)) return lastStage(task.text, reachable, l10n);
  if (elapsedMs < stageMs) return { status: 'QUEUED', progress: 0, message: null };
  const worked = (elapsedMs - stageMs) / (taskDuration(stageMs) - stageMs);
  return { status: 'RUNNING', progress: Math.min(reachable, Math.floor(worked * 100)), message: null };
}

/** Whether a task has come to its end, good or bad. */
export function isFinished(stage: TaskStage): boolean {
  switch (stage.status) {
    case 'QUEUED':
    case 'RUNNING':
      return false;
    case 'SUCCEEDED':
    case 'FAILED':
      return true;
  }
}

function lastStage({ invalid }: TextReading, progress: number, l10n: L10n): TaskStage {
  if (!invalid) return { status: 'SUCCEEDED', progress, message: null };
  const value = invalid.value.toString(16).toUpperCase().padStart(2, '0');
  const message = l10n.t('The text is not UTF-8: see byte {0}, counted from 0, which is 0x{1}.', invalid.offset, value);
  return { status: 'FAILED', progress, message };
}

/** A text that is not UTF-8 is processed up to its first invalid byte. */
function reachableProgress({ invalid, bytes }: TextReading): number {
  return invalid ? Math.floor((invalid.offset / bytes) * 100) : 100;
}
