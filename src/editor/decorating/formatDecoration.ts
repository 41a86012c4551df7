import { FileDecoration, l10n, ThemeColor } from 'vscode';
import type { Badge } from '../../tasks/comparing/taskListMemory';
import type { TaskState, TrackedTask } from '../../tasks/trackedTask';
import { formatSentences } from '../language/formatLists';
import { formatDateTime } from '../platform/formatNumbers';
import { oneLine } from '../platform/outsideText';
import { formatCause } from '../taskItems/formatCause';
import { formatKnownState } from '../taskItems/formatState';

/** The colors of names with problems. Those of icons are too light for text on white; in high contrast the badge tells. */
const ERROR_COLOR = 'list.errorForeground';
const WARNING_COLOR = 'list.warningForeground';

/**
 * The badge and tooltip of a file at a dataset. VS Code keeps them for as long as the file does not change, so that they name
 * no age. A name has a color only where there is a problem: others have theirs from Git.
 */
export function formatDecoration(badge: Badge, dataset: string): FileDecoration {
  switch (badge.kind) {
    case 'open':
      return decoration('↑', formatOpen(badge.state, dataset));
    case 'failed':
      return formatFailed(badge.task, dataset);
    case 'changedSinceFailure':
      return decoration('≠', l10n.t('Changed since its import to {0} failed', dataset));
    case 'changed': {
      const time = formatDateTime(badge.earlier.createdMs);
      return decoration('≠', l10n.t('Changed since it was uploaded to {0} on {1}', dataset, time));
    }
    case 'unchanged': {
      const time = formatDateTime(badge.earlier.createdMs);
      if (badge.state === 'unconfirmed') {
        return decoration('?', l10n.t('The upload to {0} on {1} is unconfirmed', dataset, time), WARNING_COLOR);
      }
      return decoration('✓', l10n.t('Uploaded to {0} on {1}: {2}', dataset, time, formatReported(badge.state)));
    }
  }
}

function formatOpen(state: TaskState, dataset: string): string {
  return state === 'sending'
    ? l10n.t('Being uploaded to {0}', dataset)
    : l10n.t('Waiting to be uploaded to {0}', dataset);
}

function formatFailed(task: TrackedTask, dataset: string): FileDecoration {
  const reason = formatSentences(formatCause(task));
  switch (task.phase.kind) {
    case 'notSent':
      return decoration('!', l10n.t('Not uploaded to {0}: {1}', dataset, reason), WARNING_COLOR);
    case 'unconfirmed':
      return decoration('?', l10n.t('The upload to {0} is unconfirmed: {1}', dataset, reason), WARNING_COLOR);
    case 'rejected':
      return decoration('!', l10n.t('Rejected by {0}: {1}', dataset, reason), ERROR_COLOR);
    default:
      return decoration('!', l10n.t('Failed at {0}: {1}', dataset, reason), ERROR_COLOR);
  }
}

/** Without the service's own word for an unknown status, which the task's row has. */
function formatReported(state: TaskState): string {
  return state === 'unknown' ? l10n.t('status not recognized') : formatKnownState(state);
}

function decoration(badge: string, tooltip: string, color?: string): FileDecoration {
  const made = new FileDecoration(badge, oneLine(tooltip), color === undefined ? undefined : new ThemeColor(color));
  made.propagate = false;
  return made;
}
