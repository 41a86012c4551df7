import { l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { type Destination, destinationKey } from '../../tasks/destination';
import type { WhyNotAsked } from '../../tasks/following/whyNotAsked';
import type { WaitReason } from '../../tasks/queue/circuitBreaker';
import { hasFailed, isOpen, isUnfinished, type TaskState, type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatAge, formatSize } from '../platform/formatNumbers';
import type { TrackedBatch } from './batches';
import { formatNotChecked } from './formatNotChecked';
import { formatState } from './formatState';
import { formatWaitReason } from './formatWaitReason';

/** What a destination meets at present. */
export interface DestinationState {
  /** Why it cannot be asked; undefined where it can. */
  whyNotAsked(destination: Destination): WhyNotAsked | undefined;
  /** Why its imports do not go as they should; undefined where they do, or there are none. */
  waitReasonOf(destination: Destination): WaitReason | undefined;
}

/** Of which nothing hinders any. */
export const unhindered: DestinationState = { whyNotAsked: () => undefined, waitReasonOf: () => undefined };

/** How imports that were begun together read in the tree: what hinders them, and how many are in which state. */
export function batchItem(
  { batch, tasks }: TrackedBatch,
  nowMs: number,
  { whyNotAsked, waitReasonOf }: DestinationState = unhindered,
): TreeItem {
  const [first] = tasks;
  const byDestination = Map.groupBy(tasks.filter(isUnfinished), destinationKey);
  const notChecked = [...byDestination.values()].flatMap(([task, ...others]) => {
    const reason = task && whyNotAsked(task);
    return task === undefined || reason === undefined ? [] : [{ task, reason, tasks: [task, ...others] }];
  });
  const isNotChecked = new Set<TrackedTask>(notChecked.flatMap(({ tasks }) => tasks));
  const checked = tasks.filter((task) => !isNotChecked.has(task));
  const open = tasks.filter(({ phase }) => isOpen(phase)).length;
  const waitReason = first === undefined || open === 0 ? undefined : waitReasonOf(first);
  const words = [
    ...(waitReason === undefined ? [] : [l10n.t('{0}, retrying', formatWaitReason(waitReason))]),
    ...(open > 0 ? [l10n.t('{0} of {1}', tasks.length - open, tasks.length)] : []),
    ...stateCounts(checked),
    ...notChecked.map(({ task, reason, tasks }) => `${tasks.length} ${formatNotChecked(reason, task.dataset)}`),
    ...(first === undefined ? [] : [formatAge(first.createdMs, nowMs), first.dataset]),
  ];
  const item = new TreeItem(batch.label, TreeItemCollapsibleState.Collapsed);
  item.id = batch.id;
  item.description = words.join(' · ');
  item.iconPath = iconOf(checked, open, isNotChecked.size > 0);
  item.contextValue = contextValue(tasks, open);
  item.tooltip = [batch.label, formatTotal(tasks), ...words].join('\n');
  item.accessibilityInformation = { label: [batch.label, ...words].join(', ') };
  return item;
}

/** The states of imports, those that need a look first, each with its count. */
function stateCounts(tasks: readonly TrackedTask[]): string[] {
  const byState = Map.groupBy(tasks, taskState);
  return order.flatMap((state) => {
    const [first] = byState.get(state) ?? [];
    if (first === undefined) return [];
    const words = state === 'unknown' ? l10n.t('with a status of their own') : formatState(state, first);
    return [`${byState.get(state)?.length} ${words}`];
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
  'running',
  'succeeded',
];

/** `hasUnchecked` says that there are others besides, of which nobody knows how they end. */
function iconOf(tasks: readonly TrackedTask[], open: number, hasUnchecked: boolean): ThemeIcon {
  if (open > 0) return new ThemeIcon('cloud-upload', new ThemeColor('charts.blue'));
  const states = new Set(tasks.map(taskState));
  if (states.has('failed') || states.has('rejected'))
    return new ThemeIcon('error', new ThemeColor('testing.iconFailed'));
  if (tasks.some(({ phase }) => hasFailed(phase)) || states.has('withoutId')) {
    return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  }
  if (states.has('waiting') || states.has('running')) {
    return new ThemeIcon('loading~spin', new ThemeColor('charts.blue'));
  }
  if (hasUnchecked) return new ThemeIcon('circle-slash', new ThemeColor('disabledForeground'));
  return states.has('unknown')
    ? new ThemeIcon('question', new ThemeColor('charts.blue'))
    : new ThemeIcon('pass', new ThemeColor('testing.iconPassed'));
}

function formatTotal(tasks: readonly TrackedTask[]): string {
  const bytes = tasks.reduce((sum, { source }) => sum + (source?.sizeBytes ?? 0), 0);
  return l10n.t('{0} files, {1}', tasks.length, formatSize(bytes));
}

/** What the menus of package.json ask for. */
function contextValue(tasks: readonly TrackedTask[], open: number): string {
  const canRetry = tasks.some(({ phase }) => phase.kind === 'notSent' || phase.kind === 'rejected');
  return ['batch', open > 0 && 'open', canRetry && 'retry', ''].filter((trait) => trait !== false).join(';');
}
