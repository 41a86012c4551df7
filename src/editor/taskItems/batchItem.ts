import { l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { destinationKey } from '../../tasks/destination';
import type { Following } from '../../tasks/following/follower';
import type { BatchSummary, StateCount } from '../../tasks/history/batchSummary';
import type { Group } from '../../tasks/history/groups';
import { STATE_ORDER } from '../../tasks/history/levels';
import { isCheckRefused } from '../../tasks/rows/listedFacts';
import type { DestinationStates } from '../../tasks/serving/whyNotAsked';
import {
  isOpenState,
  isRunningState,
  isUndecidedState,
  type TaskState,
  type TrackedTask,
  taskState,
} from '../../tasks/trackedTask';
import { formatList, formatSentences } from '../language/formatLists';
import { formatAge, formatCount, formatPercent, formatSize, formatTimeLeft } from '../platform/formatNumbers';
import { formatCause, formatFailedCheck } from './formatCause';
import { capitalized, formatState, formatStateCount, formatStateName } from './formatState';
import { formatNotChecked, formatWaits } from './formatWaits';
import { nextOfBatch } from './nextCommands';
import { ERROR_COLOR, stateIcon, WARNING_COLOR } from './taskItem';
import type { GroupNode } from './tasksNode';

/** Why the tasks and imports of destinations wait, and for how long. */
export interface DestinationState extends DestinationStates {
  /** Who checks a task, and when next; undefined where nobody does. */
  followingOf(task: TrackedTask): Following | undefined;
  /** Whether rows name this dataset, as there are others besides it. */
  isNamed(dataset: string): boolean;
}

export const notWaiting: DestinationState = {
  whyNotAsked: () => undefined,
  pauseOf: () => undefined,
  followingOf: () => undefined,
  isNamed: () => true,
};

type Count = Pick<StateCount, 'state' | 'count'>;

/** Max tasks of a group whose row is expanded at first. How far a larger one is, its row says in percent. */
const MAX_EXPANDED = 10;

/** How many of a batch's files are done: uploaded while some are still to be, then ended at the service. */
export interface BatchProgress {
  readonly step: 'uploading' | 'processing';
  readonly done: number;
  readonly total: number;
}

/** The row of a batch: why it waits, how far it is, and how many of its tasks are in which state. */
export function batchItem(
  { batch, first, counts, sizeBytes }: BatchSummary,
  nowMs: number,
  { whyNotAsked, pauseOf, isNamed }: Omit<DestinationState, 'followingOf'> = notWaiting,
  timeLeftMs?: number,
): TreeItem {
  const undecided = counts.filter(({ state }) => isUndecidedState(state));
  const notChecked = [...Map.groupBy(undecided, destinationKey).values()].flatMap((its) => {
    const [destination] = its;
    const reason = destination && whyNotAsked(destination);
    return reason === undefined ? [] : [{ reason, its }];
  });
  const isNotChecked = new Set<StateCount>(notChecked.flatMap(({ its }) => its));
  const checked = counts.filter((count) => !isNotChecked.has(count));
  const total = sumOf(counts);
  const open = countOf(counts, isOpenState);
  const pause = open === 0 ? undefined : pauseOf(first);
  const progress = notChecked.length > 0 ? undefined : progressOf(counts);
  const far = [
    ...(progress === undefined ? [] : [formatPercent(progress.done / total)]),
    ...(progress === undefined || pause !== undefined || timeLeftMs === undefined ? [] : [formatTimeLeft(timeLeftMs)]),
  ];
  const details = [
    ...(pause === undefined ? [] : [formatWaits({ kind: 'paused', pause })]),
    ...(open > 0 ? [l10n.t('importing {0} of {1}', formatCount(total - open + 1), formatCount(total))] : []),
    ...far,
    ...stateCounts(checked.filter(({ state }) => !isOpenState(state))),
    ...notChecked.map(({ reason, its }) => l10n.t('{0} ({1})', formatNotChecked(reason), formatCount(sumOf(its)))),
    formatAge(first.createdMs, nowMs),
  ];
  const shown = isNamed(first.dataset) ? [...details, first.dataset] : details;
  const size =
    total === 1
      ? l10n.t('1 file, {0}', formatSize(sizeBytes))
      : l10n.t('{0} files, {1}', formatCount(total), formatSize(sizeBytes));
  const item = new TreeItem(batch.label, openIfFew(total));
  item.description = shown.join(' · ');
  item.iconPath = iconOf(checked, open, isNotChecked.size > 0);
  item.contextValue = contextValue('batch', counts, open, pause !== undefined);
  item.tooltip = [batch.label, size, ...shown].join('\n');
  item.accessibilityInformation = {
    label: formatList([batch.label, size, ...details, l10n.t('dataset {0}', first.dataset)]),
  };
  return item;
}

/** How far a batch of many files is; undefined for one of few, and where nothing is left to do. */
export function progressOf(counts: readonly Count[]): BatchProgress | undefined {
  const total = sumOf(counts);
  const [open, running] = [countOf(counts, isOpenState), countOf(counts, isRunningState)];
  if (total <= MAX_EXPANDED || open + running === 0) return undefined;
  return open > 0
    ? { step: 'uploading', done: total - open, total }
    : { step: 'processing', done: total - running, total };
}

/** The row of a dataset, a state or a reason: how many of its tasks are in which state. */
export function groupItem(node: GroupNode, group: Group): TreeItem {
  const { groupBy, value } = node;
  const counts = [...group.counts].map(([state, count]) => ({ state, count }));
  const total = sumOf(counts);
  const open = countOf(counts, isOpenState);
  const details = groupBy === 'state' ? [formatCount(total)] : stateCounts(counts);
  const size = total === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', formatCount(total));
  const label = groupBy === 'reason' ? formatReason(group.examples ?? []) : groupLabel(groupBy, value);
  const item = new TreeItem(label, node.filter === undefined ? TreeItemCollapsibleState.Collapsed : openIfFew(total));
  item.description = details.join(' · ');
  item.iconPath = groupIcon(groupBy, value, counts);
  item.contextValue = contextValue('group', counts, open);
  item.tooltip = [label, ...details].join('\n');
  item.accessibilityInformation = { label: formatList([label, size, ...(groupBy === 'state' ? [] : details)]) };
  return item;
}

function openIfFew(tasks: number): TreeItemCollapsibleState {
  return tasks <= MAX_EXPANDED ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
}

function groupLabel(groupBy: Exclude<GroupNode['groupBy'], 'reason'>, value: string): string {
  switch (groupBy) {
    case 'dataset':
      return value;
    case 'state':
      return formatStateName(value as TaskState);
  }
}

function groupIcon(groupBy: GroupNode['groupBy'], value: string, [first]: readonly Count[]): ThemeIcon {
  switch (groupBy) {
    case 'dataset':
      return new ThemeIcon('database');
    case 'state':
      return stateIcon(value as TaskState);
    case 'reason':
      return value === '' || first === undefined ? new ThemeIcon('list-flat') : stateIcon(first.state);
  }
}

/** How many tasks are in a state that is meant. */
export function countOf(counts: readonly Count[], isMeant: (state: TaskState) => boolean): number {
  return sumOf(counts.filter(({ state }) => isMeant(state)));
}

/** How many tasks there are in these states. */
export function sumOf(counts: readonly Count[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The number of tasks in each state, problems first. All that the service is working on is one number, as in the status bar. */
export function stateCounts(counts: readonly Count[]): string[] {
  return statesOf(counts).map(({ state, count }) => formatStateCount(state, count));
}

/** The same as numbers. */
export function statesOf(counts: readonly Count[]): Count[] {
  const byState = Map.groupBy(counts, ({ state }) => (isRunningState(state) ? 'running' : state));
  return STATE_ORDER.flatMap((state) => {
    const its = byState.get(state);
    return its === undefined ? [] : [{ state, count: sumOf(its) }];
  });
}

/** `hasUnchecked` is true where the batch has other tasks, which are not checked. */
function iconOf(counts: readonly StateCount[], open: number, hasUnchecked: boolean): ThemeIcon {
  if (open > 0) return coloredIcon('cloud-upload', 'charts.blue');
  const has = (...states: readonly TaskState[]) => counts.some(({ state }) => states.includes(state));
  if (has('failed', 'rejected')) return coloredIcon('error', ERROR_COLOR);
  if (has('notSent', 'unconfirmed', 'withoutId')) return coloredIcon('warning', WARNING_COLOR);
  if (counts.some(({ state }) => isRunningState(state))) return coloredIcon('sync', 'charts.blue');
  if (hasUnchecked) return coloredIcon('eye-closed', 'disabledForeground');
  return has('unknown') ? coloredIcon('question', 'charts.blue') : coloredIcon('pass', 'testing.iconPassed');
}

function coloredIcon(id: string, color: string): ThemeIcon {
  return new ThemeIcon(id, new ThemeColor(color));
}

/** For the `when` clauses of package.json. */
function contextValue(kind: 'batch' | 'group', counts: readonly Count[], open: number, isPaused = false): string {
  const next = nextOfBatch(counts);
  const [canRetry, isUnconfirmed] = [next.includes('retryFailed'), next.includes('retryUnconfirmed')];
  const traits = [open > 0 && 'open', isPaused && 'paused', canRetry && 'retry', isUnconfirmed && 'unconfirmed'];
  return ['batch', kind === 'batch' && 'details', ...traits, ''].filter((trait) => trait !== false).join(';');
}

/** What tasks with the same reason share of its words: where those of the examples differ, there is an ellipsis. */
export function formatReason(examples: readonly TrackedTask[]): string {
  const [first, ...others] = examples.map(reasonText);
  if (first === undefined) return l10n.t('No problems');
  return others.reduce(commonWords, first);
}

function reasonText(task: TrackedTask): string {
  const { lastQueryError } = task;
  const cause = formatCause(task);
  if (cause.length > 0) return capitalized(formatSentences(cause));
  if (lastQueryError !== undefined && isCheckRefused(lastQueryError)) return formatFailedCheck(lastQueryError);
  return capitalized(formatState(taskState(task), task));
}

function commonWords(one: string, other: string): string {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  if (words.length !== others.length) return one;
  return words
    .map((word, at) => (word === others[at] ? word : '…'))
    .join('')
    .replaceAll(/…+/g, '…');
}

/** Words and spaces; Chinese has no spaces, so each of its characters and marks is one. */
function wordsOf(text: string): string[] {
  return text.match(/ |[\p{Script=Han}，。：；“”、]|[^ \p{Script=Han}，。：；“”、]+/gu) ?? [];
}
