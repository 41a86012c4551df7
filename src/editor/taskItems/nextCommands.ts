import { l10n } from 'vscode';
import type { StateCount } from '../../tasks/history/batchSummary';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { hasEnded, type TaskState, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { type Action, commandAction } from '../platform/userError';
import { formatHelp, type HelpCommand, hasDataset, neededCommands, usefulCommands } from './taskNeeds';

/** A command that can be the next step for a task. */
export type NextCommand =
  | HelpCommand
  | 'cancelImport'
  | 'tryNow'
  | 'importAgain'
  | 'retryFailed'
  | 'retryUnconfirmed'
  | 'refreshTask'
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
  const again = canImportAgain(task) ? (['importAgain'] as const) : [];
  const open = task.source?.from === 'disk' ? (['openSourceFile'] as const) : [];
  switch (taskState(task)) {
    case 'queued':
    case 'sending':
      return why?.kind === 'paused' ? [...needed, 'tryNow', 'cancelImport'] : ['cancelImport'];
    case 'notSent':
      return [...again, ...open];
    case 'rejected':
      return [...again, ...needed];
    case 'unconfirmed':
      return [...again, ...attach];
    case 'withoutId':
      return [...new Set([...needed, ...attach])];
    case 'waiting':
    case 'noReport':
    case 'running':
    case 'unknown':
      return [...needed, ...(hasDataset(why) ? (['refreshTask'] as const) : [])];
    case 'succeeded':
      return [...needed, ...open, ...again];
    case 'failed':
      return [...again, ...needed, ...open];
  }
}

/** The states whose imports Retry Failed imports again. */
export const RETRIED: readonly TaskState[] = ['rejected', 'notSent', 'failed'];

/** What a person may want to do next with a batch. */
export function nextOfBatch(counts: readonly Pick<StateCount, 'state'>[]): readonly NextCommand[] {
  const has = (...states: readonly TaskState[]) => counts.some(({ state }) => states.includes(state));
  return [
    ...(has('queued', 'sending') ? (['cancelImport'] as const) : []),
    ...(has(...RETRIED) ? (['retryFailed'] as const) : []),
    ...(has('unconfirmed') ? (['retryUnconfirmed'] as const) : []),
  ];
}

/** Whether what a task was made of can be imported again: of a text that was accepted nothing is kept. */
export function canImportAgain({ source, phase }: TrackedTask): boolean {
  return source !== undefined && hasEnded(phase) && (source.from === 'disk' || phase.kind !== 'accepted');
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
    case 'importAgain':
      return l10n.t('Import Again');
    case 'retryFailed':
      return l10n.t('Retry Failed');
    case 'retryUnconfirmed':
      return l10n.t('Retry Unconfirmed Imports…');
    case 'refreshTask':
      return l10n.t('Check Task Status Now');
    case 'openSourceFile':
      return l10n.t('Open Source File');
    default:
      return formatHelp(command);
  }
}

/** The button that opens the details of a task, which have its responses. */
export function showDetailsAction(taskKey: number): Action {
  return commandAction(l10n.t('Show Details'), 'showDetails', { taskKey });
}
