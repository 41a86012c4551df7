import { l10n, ThemeIcon, TreeItem } from 'vscode';
import type { GroupBy } from '../../tasks/history/groups';
import type { TaskFilter } from '../../tasks/history/taskFilter';

/** The row of a task: always the same object while the task is tracked. */
export interface TaskNode {
  readonly taskKey: number;
}

/** A position in the file of a task as people name it: line and column counted from 1, an offset in bytes from 0. */
export type FilePosition = { readonly line: number; readonly column?: number } | { readonly offset: number };

/** The row of a batch, or of those of its tasks that fit a filter. */
export interface BatchNode {
  readonly batchId: string;
  readonly filter?: TaskFilter;
}

/** The row of another group, or of those of its tasks that fit a filter. */
export interface GroupNode {
  readonly groupBy: Exclude<GroupBy, 'batch'>;
  readonly value: string;
  readonly filter?: TaskFilter;
}

/** The row that shows another page of a group, by its id, or of the first level. */
export interface MoreNode {
  readonly moreOf: string | undefined;
}

/** The row of a group of any kind. */
export type AnyGroupNode = BatchNode | GroupNode;

export type TasksNode = TaskNode | AnyGroupNode | MoreNode;

/** The rows of one level as they were read last, and how many pages of it are shown. */
export class RowLevel {
  pages = 1;
  rows: readonly TasksNode[] = [];
  /** Whether something has changed since they were read. */
  isOutdated = true;
  /** The last reading, which may not be over. */
  reading: Promise<void> | undefined;
  /** Whether they are shown; undefined until VS Code has asked for them, which it does for a small group without an event. */
  isOpen: boolean | undefined;
  readonly more: MoreNode;

  constructor(id: string | undefined) {
    this.more = { moreOf: id };
  }
}

export function isTaskNode(value: unknown): value is TaskNode {
  return typeof (value as TaskNode | null)?.taskKey === 'number';
}

/** Whether a value, such as the row of a task, also has a position in its file. */
export function isFilePosition(value: unknown): value is FilePosition {
  const { line, offset } = (value ?? {}) as { readonly line?: unknown; readonly offset?: unknown };
  return typeof line === 'number' || typeof offset === 'number';
}

export function isBatchNode(value: unknown): value is BatchNode {
  return typeof (value as BatchNode | null)?.batchId === 'string';
}

export function isGroupNode(value: unknown): value is GroupNode {
  return typeof (value as GroupNode | null)?.groupBy === 'string';
}

export function isGroup(node: TasksNode): node is AnyGroupNode {
  return isBatchNode(node) || isGroupNode(node);
}

export function isMoreNode(value: unknown): value is MoreNode {
  return typeof value === 'object' && value !== null && 'moreOf' in value;
}

/** The row of a group by its value. */
export function groupNode(groupBy: GroupBy, value: string, filter: TaskFilter | undefined): AnyGroupNode {
  const shown = filter === undefined ? {} : { filter };
  return groupBy === 'batch' ? { batchId: value, ...shown } : { groupBy, value, ...shown };
}

/** What identifies a group among those of one level, and its row in the view. */
export function groupId(node: AnyGroupNode): string {
  return isBatchNode(node) ? node.batchId : `${node.groupBy} ${node.value}`;
}

/** What identifies the row of a group: with a filter it is another row, so that it is open at first where few tasks fit. */
export function rowId(node: AnyGroupNode): string {
  return node.filter === undefined ? groupId(node) : `${groupId(node)} ${JSON.stringify(node.filter)}`;
}

export function moreItem(node: MoreNode): TreeItem {
  const item = new TreeItem(l10n.t('Show More'));
  item.id = `more of ${node.moreOf ?? ''}`;
  item.iconPath = new ThemeIcon('ellipsis');
  item.command = { command: 'datasetImport.showMoreTasks', title: l10n.t('Show More'), arguments: [node] };
  return item;
}
