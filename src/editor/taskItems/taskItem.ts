import * as vscode from 'vscode';
import { taskIdText } from '../../service/json/taskId';
import type { Following } from '../../tasks/following/follower';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import type { SendingProgress } from '../../tasks/store/sendingProgress';
import {
  isOpen,
  isUndecided,
  noProgressMs,
  type TaskState,
  type TrackedTask,
  taskState,
} from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatAge, formatPercent, formatQuiet } from '../platform/formatNumbers';
import { shortText } from '../platform/outsideText';
import { formatCause, queryErrorDetail } from './formatCause';
import { formatParts, formatState } from './formatState';
import { formatNotChecked, formatWaits } from './formatWaits';
import { canImportAgain, inlineTraits } from './nextCommands';
import { usefulCommands } from './taskNeeds';

/** The colors of problems. Those of lists are not set in high contrast. */
export const ERROR_COLOR = 'problemsErrorIcon.foreground';
export const WARNING_COLOR = 'problemsWarningIcon.foreground';

const icons: Readonly<Record<TaskState, readonly [icon: string, color?: string]>> = {
  queued: ['circle-outline', 'charts.blue'],
  sending: ['cloud-upload', 'charts.blue'],
  notSent: ['debug-disconnect', WARNING_COLOR],
  rejected: ['circle-slash', ERROR_COLOR],
  unconfirmed: ['warning', WARNING_COLOR],
  withoutId: ['tag', WARNING_COLOR],
  waiting: ['sync', 'charts.blue'],
  noReport: ['sync', 'charts.blue'],
  running: ['sync', 'charts.blue'],
  succeeded: ['pass', 'testing.iconPassed'],
  failed: ['error', ERROR_COLOR],
  unknown: ['question', 'charts.blue'],
};

/** States that need no word beside their icon: no other state has it. */
const SHOWN_BY_ICON: readonly TaskState[] = ['notSent', 'rejected', 'succeeded', 'failed'];

/** A shorter wait for the next status check is not worth a word in a row, which is drawn anew once a minute. */
const LONG_MS = 120_000;

const canceledIcon = ['stop-circle', 'disabledForeground'] as const;
const notCheckedIcon = ['eye-closed', 'disabledForeground'] as const;

/** What a row says besides, as others in the view are like it. */
interface RowContext {
  /** The folder of its file, where another row of its level has the same name. */
  readonly folder?: string | undefined;
  readonly namesDataset: boolean;
  /** Whether it is below the row of its batch, which shows the time and the dataset of all of them. */
  readonly isInBatch: boolean;
}

/**
 * The row of a task: beside its name what its icon does not show, the reason first, since the end of a row may be cut off.
 * `why` is the reason why the task is not checked, if any; `following` says when it is.
 */
export function taskItem(
  task: TrackedTask,
  progress: SendingProgress | undefined,
  nowMs: number,
  why?: WhyWaits,
  following?: Following,
  { folder, namesDataset, isInBatch }: RowContext = { namesDataset: true, isInBatch: false },
): vscode.TreeItem {
  const notChecked = why !== undefined && isUndecided(task) ? formatNotChecked(why) : undefined;
  // The row of its batch says why all of them are paused.
  const isSaidAbove = isInBatch && why?.kind === 'paused';
  const waits = why === undefined || isSaidAbove || task.phase.kind !== 'queued' ? undefined : formatWaits(why);
  const label = taskLabel(task);
  const stateWords = waits ?? stateWithProgress(taskState(task), task, progress);
  const reasons = [...formatQueryError(task), ...formatCause(task)];
  const more = [
    ...(notChecked === undefined ? [...formatNoProgress(task, nowMs), ...formatParts(task)] : []),
    ...formatEarlier(task, nowMs),
    ...(folder === undefined ? [] : [folder]),
    ...(notChecked === undefined ? formatLongWait(following) : []),
    ...(isInBatch ? [] : [formatAge(task.createdMs, nowMs)]),
  ];
  // The state of a task that is not checked may be outdated, so it is shown only in the tooltip.
  const words = notChecked === undefined ? [...reasons, ...(isShownByIcon(task) ? [] : [stateWords])] : [notChecked];
  const spoken = notChecked === undefined ? [stateWords, ...reasons] : [notChecked];
  const item = new vscode.TreeItem(label);
  item.id = String(task.key);
  item.command = {
    command: 'datasetImport.showDetails',
    title: vscode.l10n.t('Show Details'),
    arguments: [{ taskKey: task.key }],
  };
  item.description = [...words, ...more, ...(namesDataset && !isInBatch ? [task.dataset] : [])].join(' · ');
  item.iconPath = iconIn(notChecked === undefined ? iconOf(task) : notCheckedIcon);
  item.contextValue = contextValue(task, why);
  const ofDataset = isInBatch ? [] : [vscode.l10n.t('dataset {0}', task.dataset)];
  item.accessibilityInformation = { label: formatList([label, ...spoken, ...more, ...ofDataset]) };
  return item;
}

export function stateIcon(state: TaskState): vscode.ThemeIcon {
  return iconIn(icons[state]);
}

function iconIn([icon, color]: readonly [icon: string, color?: string]): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

function iconOf(task: TrackedTask): readonly [icon: string, color?: string] {
  const { phase, lastQueryError } = task;
  if (lastQueryError !== undefined) return icons.unconfirmed;
  return phase.kind === 'notSent' && phase.failure.name === 'CanceledError' ? canceledIcon : icons[taskState(task)];
}

/** A failed status check has an icon of its own, beside which the state is in words. */
function isShownByIcon(task: TrackedTask): boolean {
  return task.lastQueryError === undefined && SHOWN_BY_ICON.includes(taskState(task));
}

/** A task's file name, or its ID where it was created elsewhere. */
export function taskLabel({ source, taskId }: TrackedTask): string {
  return source?.name ?? (taskId === undefined ? vscode.l10n.t('Task') : shortText(taskIdText(taskId)));
}

function stateWithProgress(state: TaskState, task: TrackedTask, sending: SendingProgress | undefined): string {
  const text = formatState(state, task);
  if (state === 'sending' && sending !== undefined) {
    return sending.sentBytes < sending.totalBytes
      ? vscode.l10n.t('importing {0}', formatPercent(sending.sentBytes / sending.totalBytes))
      : vscode.l10n.t('uploaded, waiting for the response');
  }
  if (state === 'queued' && task.attempts.length > 0) return vscode.l10n.t('queued, will be retried');
  const progress = task.phase.kind === 'accepted' ? task.phase.report?.progress : undefined;
  if (progress === undefined) return text;
  if (state === 'running') return vscode.l10n.t('running {0}', formatPercent(progress));
  return state === 'unknown' ? [text, formatPercent(progress)].join(' · ') : text;
}

/** When a task is checked next, where that is long from now. */
function formatLongWait(following: Following | undefined): string[] {
  if (following?.by !== 'thisWindow' || following.inMs < LONG_MS) return [];
  const minutes = following.inMs / 60_000;
  return following.isLatest
    ? [vscode.l10n.t('next check within {0} min', Math.ceil(minutes))]
    : [vscode.l10n.t('next check in {0} min', Math.round(minutes))];
}

/** When an earlier import of the file got in, where the newest one did not. */
function formatEarlier(task: TrackedTask, nowMs: number): string[] {
  const { earlier, phase } = task;
  const isIn = phase.kind === 'accepted' && taskState(task) !== 'failed';
  return earlier === undefined || isOpen(phase) || isIn
    ? []
    : [vscode.l10n.t('an earlier import got in: {0}', formatAge(earlier.atMs, nowMs))];
}

function formatNoProgress(task: TrackedTask, nowMs: number): string[] {
  const ms = noProgressMs(task, nowMs);
  return ms === undefined ? [] : [formatQuiet(nowMs - ms, nowMs)];
}

/** Why the last status check failed. The state beside it may be outdated. */
function formatQueryError({ lastQueryError }: TrackedTask): string[] {
  if (lastQueryError === undefined) return [];
  const what =
    lastQueryError.kind === 'rejected' ? vscode.l10n.t('status check rejected') : vscode.l10n.t('status check failed');
  return [queryErrorDetail(lastQueryError), what];
}

/** For the `when` clauses of package.json: which commands apply to the task. */
function contextValue(task: TrackedTask, why: WhyWaits | undefined): string {
  const { source, taskId, phase } = task;
  const traits = [
    source?.from === 'disk' && 'file',
    canImportAgain(task) && 'again',
    isOpen(phase) && 'open',
    why?.kind === 'paused' && 'paused',
    taskId && 'id',
    ...usefulCommands(task, why),
    ...inlineTraits(task, why),
  ].filter(Boolean);
  return ['task', ...traits, ''].join(';');
}
