import { l10n } from 'vscode';
import { endedCount, partsOf } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';

/** How many of the several tasks of a file have ended; nothing where there is only one. */
export function formatParts(task: TrackedTask): string[] {
  const parts = partsOf(task);
  if (parts === undefined) return [];
  const leftOut = task.phase.kind === 'accepted' ? task.phase.leftOut : undefined;
  const ended = endedCount(parts);
  return leftOut === undefined
    ? [l10n.t('{0} of {1} tasks ended', ended, parts.length)]
    : [l10n.t('{0} of {1} tasks ended, {2} more are not checked', ended, parts.length, leftOut)];
}
