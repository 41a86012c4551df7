import { l10n } from 'vscode';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatHelp, type HelpCommand, hasDataset, neededCommands, usefulCommands } from './taskNeeds';

/** A command that can be the next step for a task. */
export type NextCommand =
  | HelpCommand
  | 'cancelImport'
  | 'tryNow'
  | 'retryImport'
  | 'retryAnyway'
  | 'importAgain'
  | 'refreshTask'
  | 'showLastResponse'
  | 'openSourceFile';

/** Max icons on a row. */
const MAX_INLINE = 2;

/**
 * What a person may want to do next with a task, the likeliest first: as icons on its row, and as links in its details.
 * `why` is the reason why its service cannot be asked.
 */
export function nextCommands(task: TrackedTask, why: WhyWaits | undefined): readonly NextCommand[] {
  const needed = neededCommands(task, why);
  const useful = usefulCommands(task, why);
  const attach = useful.includes('attachTaskId') ? (['attachTaskId'] as const) : [];
  const response = task.hasLastResponse ? (['showLastResponse'] as const) : [];
  const isOnDisk = task.source?.from === 'disk';
  const open = isOnDisk ? (['openSourceFile'] as const) : [];
  switch (taskState(task)) {
    case 'queued':
    case 'sending':
      return why?.kind === 'paused' ? [...needed, 'tryNow', 'cancelImport'] : ['cancelImport'];
    case 'notSent':
      return ['retryImport', ...open];
    case 'rejected':
      return ['retryImport', ...needed, ...response];
    case 'unconfirmed':
      return ['retryAnyway', ...attach, ...response];
    case 'withoutId':
      return [...new Set([...needed, ...attach, ...response])];
    case 'waiting':
    case 'noReport':
    case 'running':
    case 'stalled':
    case 'unknown':
      return [...needed, ...(hasDataset(why) ? (['refreshTask'] as const) : []), ...response];
    case 'succeeded':
      return [...needed, ...open, ...response];
    case 'failed':
      return [...(isOnDisk ? (['importAgain'] as const) : []), ...needed, ...response, ...open];
    case 'unreadable':
      return [];
  }
}

/** The traits by which the menus in package.json know which icons a row has. */
export function inlineTraits(task: TrackedTask, why: WhyWaits | undefined): string[] {
  const shown = nextCommands(task, why).slice(0, MAX_INLINE);
  return shown.map((command) => `inline${command[0]?.toUpperCase()}${command.slice(1)}`);
}

/** The title of a command, as it is in menus. */
export function formatNext(command: NextCommand): string {
  switch (command) {
    case 'cancelImport':
      return l10n.t('Cancel Import');
    case 'tryNow':
      return l10n.t('Try Now');
    case 'retryImport':
      return l10n.t('Retry Import');
    case 'retryAnyway':
      return l10n.t('Retry Import Anyway…');
    case 'importAgain':
      return l10n.t('Import File Again');
    case 'refreshTask':
      return l10n.t('Check Task Status Now');
    case 'showLastResponse':
      return l10n.t('Show Last Response');
    case 'openSourceFile':
      return l10n.t('Open Source File');
    default:
      return formatHelp(command);
  }
}
