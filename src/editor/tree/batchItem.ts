import { l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { type Destination, destinationKey } from '../../tasks/destination';
import type { Following } from '../../tasks/following/follower';
import type { WhyNotAsked } from '../../tasks/following/whyNotAsked';
import type { WaitReason } from '../../tasks/queue/circuitBreaker';
import { hasFailed, isOpen, isUndecided, type TaskState, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatAge, formatSize } from '../platform/formatNumbers';
import type { TrackedBatch } from './batches';
import { formatNotChecked } from './formatNotChecked';
import { formatState } from './formatState';
import { formatWaitReason } from './formatWaitReason';

/** Why the tasks and imports of destinations wait, and for how long. */
export interface DestinationState {
  /** Why its tasks are not checked; undefined where they are. */
  whyNotAsked(destination: Destination): WhyNotAsked | undefined;
  /** Why its imports wait; undefined where they do not. */
  waitReasonOf(destination: Destination): WaitReason | undefined;
  /** Who checks a task, and when next; undefined where nobody does. */
  followingOf(task: TrackedTask): Following | undefined;
}

export const notWaiting: DestinationState = {
  whyNotAsked: () => undefined,
  waitReasonOf: () => undefined,
  followingOf: () => undefined,
};

/** The row of a batch: why it waits, and how many of its tasks are in which state. */
export function batchItem(
  { batch, tasks }: TrackedBatch,
  nowMs: number,
  { whyNotAsked, waitReasonOf }: Pick<DestinationState, 'whyNotAsked' | 'waitReasonOf'> = notWaiting,
): TreeItem {
  const [first] = tasks;
  const byDestination = Map.groupBy(tasks.filter(isUndecided), destinationKey);
  const notChecked = [...byDestination.values()].flatMap(([task, ...others]) => {
    const reason = task && whyNotAsked(task);
    return task === undefined || reason === undefined ? [] : [{ task, reason, tasks: [task, ...others] }];
  });
  const isNotChecked = new Set<TrackedTask>(notChecked.flatMap(({ tasks }) => tasks));
  const checked = tasks.filter((task) => !isNotChecked.has(task));
  const open = tasks.filter(({ phase }) => isOpen(phase)).length;
  const waitReason = first === undefined || open === 0 ? undefined : waitReasonOf(first);
  const details = [
    ...(waitReason === undefined ? [] : [l10n.t('{0}, retrying', formatWaitReason(waitReason))]),
    ...(open > 0 ? [l10n.t('{0} of {1}', tasks.length - open, tasks.length)] : []),
    ...stateCounts(checked),
    ...notChecked.map(({ task, reason, tasks }) => `${tasks.length} ${formatNotChecked(reason, task.dataset)}`),
    ...(first === undefined ? [] : [formatAge(first.createdMs, nowMs), first.dataset]),
  ];
  const item = new TreeItem(batch.label, TreeItemCollapsibleState.Collapsed);
  item.id = batch.id;
  item.description = details.join(' · ');
  item.iconPath = iconOf(checked, open, isNotChecked.size > 0);
  item.contextValue = contextValue(tasks, open);
  item.tooltip = [batch.label, formatTotal(tasks), ...details].join('\n');
  item.accessibilityInformation = { label: [batch.label, ...details].join(', ') };
  return item;
}

/** The number of tasks in each state, those with problems first. */
function stateCounts(tasks: readonly TrackedTask[]): string[] {
  const byState = Map.groupBy(tasks, taskState);
  return order.flatMap((state) => {
    const [first] = byState.get(state) ?? [];
    if (first === undefined) return [];
    const label = state === 'unknown' ? l10n.t('with a status of their own') : formatState(state, first);
    return [`${byState.get(state)?.length} ${label}`];
  });
}

const order: readonly TaskState[] = [
  'unconfirmed',
  'rejected',
  'notSent',
  'failed',
  'withoutId',
  'unknown',
  'sending',
  'queued',
  'waiting',
  'noReport',
  'running',
  'succeeded',
];

/** `hasUnchecked` is true where the batch has other tasks, which are not checked. */
function iconOf(tasks: readonly TrackedTask[], open: number, hasUnchecked: boolean): ThemeIcon {
  if (open > 0) return coloredIcon('cloud-upload', 'charts.blue');
  const states = new Set(tasks.map(taskState));
  if (states.has('failed') || states.has('rejected')) return coloredIcon('error', 'testing.iconFailed');
  if (tasks.some(({ phase }) => hasFailed(phase)) || states.has('withoutId'))
    return coloredIcon('warning', 'list.warningForeground');
  if (states.has('waiting') || states.has('noReport') || states.has('running'))
    return coloredIcon('loading~spin', 'charts.blue');
  if (hasUnchecked) return coloredIcon('circle-slash', 'disabledForeground');
  return states.has('unknown') ? coloredIcon('question', 'charts.blue') : coloredIcon('pass', 'testing.iconPassed');
}

function coloredIcon(id: string, color: string): ThemeIcon {
  return new ThemeIcon(id, new ThemeColor(color));
}

function formatTotal(tasks: readonly TrackedTask[]): string {
  const bytes = tasks.reduce((sum, { source }) => sum + (source?.sizeBytes ?? 0), 0);
  return l10n.t('{0} files, {1}', tasks.length, formatSize(bytes));
}

/** For the `when` clauses of package.json. */
function contextValue(tasks: readonly TrackedTask[], open: number): string {
  const canRetry = tasks.some(({ phase }) => phase.kind === 'notSent' || phase.kind === 'rejected');
  return ['batch', open > 0 && 'open', canRetry && 'retry', ''].filter((trait) => trait !== false).join(';');
}
