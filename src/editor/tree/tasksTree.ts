import * as vscode from 'vscode';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import { collidingFolders } from '../../tasks/history/collidingFolders';
import type { Group } from '../../tasks/history/groups';
import { type Arrangement, groupOf, groupValueOf, readFirstLevel, readPages } from '../../tasks/history/levels';
import type { ListChange, TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import { listen } from '../platform/listen';
import { visibleItem } from '../platform/outsideText';
import { Redraws } from '../platform/redraws';
import { batchItem, type DestinationState, groupItem } from './rows/batchItem';
import { taskItem } from './rows/taskItem';
import {
  type BatchNode,
  type GroupNode,
  groupId,
  groupNode,
  isBatchNode,
  isGroupNode,
  isMoreNode,
  isTaskNode,
  Level,
  type MoreNode,
  moreItem,
  rowId,
  type TaskNode,
  type TasksNode,
} from './rows/tasksNode';
import { taskTooltip } from './rows/taskTooltip';

/** Min time between two reads of what a filter lets through, or of groups that are counted. */
const COUNT_PAUSE_MS = 2000;

const byBatch: Arrangement = { groupBy: 'batch', filter: undefined };

/** Maps the tracked tasks to rows, a page at a time. A changed task redraws only its own row and that of its group. */
export class TasksTree implements vscode.TreeDataProvider<TasksNode>, vscode.Disposable {
  readonly #list: TaskList;
  readonly #now: () => number;
  readonly #destinations: DestinationState;
  #arrangement: Arrangement;
  #isVisible = true;
  /** The rows that were drawn. */
  readonly #tasks = new Map<number, TaskNode>();
  readonly #groups = new Map<string, BatchNode | GroupNode>();
  /** By the id of their group; undefined stands for the first level. */
  readonly #levels = new Map<string | undefined, Level>();
  /** The summaries of batches, and the counts of other groups, as they were read last. */
  readonly #summaries = new Map<string, BatchSummary>();
  readonly #counts = new Map<string, Group>();
  /** The folders of tasks of which another one in their level has the name. */
  readonly #folders = new Map<number, string | undefined>();
  /** Tasks that are shown although they may be on none of the pages that are. */
  readonly #revealed = new Map<number, TrackedTask>();
  readonly #redraws = new Redraws<TasksNode>();
  readonly #recounts = new Redraws<never>(COUNT_PAUSE_MS);
  readonly #firstLevelRead = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#redraws.event;
  readonly onDidReadFirstLevel = this.#firstLevelRead.event;
  readonly #subscription: vscode.Disposable;

  constructor(list: TaskList, now: () => number, destinations: DestinationState, arrangement = byBatch) {
    this.#list = list;
    this.#now = now;
    this.#destinations = destinations;
    this.#arrangement = arrangement;
    this.#subscription = vscode.Disposable.from(
      listen(list.events, 'change', (change) => this.#onChange(change)),
      this.#recounts.event(() => void this.#recount()),
    );
  }

  /** Whether there is a filter, and no task that it lets through. */
  get hasNoMatch(): boolean {
    return this.#arrangement.filter !== undefined && this.#levels.get(undefined)?.rows.length === 0;
  }

  /** Sets whether the rows are on screen: where they are not, nothing is read before they are again. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
  }

  /** Groups the tasks otherwise, or shows others of them. */
  arrange(arrangement: Arrangement): void {
    this.#arrangement = arrangement;
    for (const known of [this.#groups, this.#levels, this.#summaries, this.#counts, this.#revealed]) known.clear();
    this.#redraws.all();
  }

  async getChildren(node?: TasksNode): Promise<TasksNode[]> {
    if (node !== undefined && !isGroup(node)) return [];
    const level = this.#level(node && groupId(node));
    // The view shows why the task database cannot be read, beside the rows that are known.
    await (node === undefined ? this.#readFirst(level) : this.#readGroup(level, node)).catch(() => {});
    return [...level.rows];
  }

  getParent(node: TasksNode): BatchNode | GroupNode | undefined {
    if (isGroup(node)) return undefined;
    if (isMoreNode(node)) return node.moreOf === undefined ? undefined : this.#groups.get(node.moreOf);
    const task = this.#list.get(node.taskKey) ?? this.#revealed.get(node.taskKey);
    return task && this.#groupOf(task);
  }

  async getTreeItem(node: TasksNode): Promise<vscode.TreeItem> {
    if (isMoreNode(node)) return moreItem(node);
    if (isGroup(node)) return this.#groupItem(node);
    const task = await this.#list.find(node.taskKey);
    if (task === undefined) return new vscode.TreeItem('');
    const why = this.#destinations.whyNotAsked(task);
    const following = this.#destinations.followingOf(task);
    const context = { folder: this.#folders.get(task.key), namesDataset: this.#destinations.isNamed(task.dataset) };
    return visibleItem(taskItem(task, this.#list.progress(task.key), this.#now(), why, following, context));
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TasksNode): Promise<vscode.TreeItem> {
    const task = isTaskNode(node) ? await this.#list.find(node.taskKey) : undefined;
    if (task !== undefined)
      item.tooltip = taskTooltip(task, this.#destinations.whyNotAsked(task), this.#destinations.followingOf(task));
    return item;
  }

  /** The rows below which VS Code has asked for others: it shows a small group open at first, without an event. */
  get opened(): readonly TasksNode[] {
    return [...this.#groups].flatMap(([id, node]) => (this.#levels.has(id) ? [node] : []));
  }

  /** The keys of a row's task, or of the unfinished ones of a group. */
  keysOf(node: TasksNode): number[] {
    if (isTaskNode(node)) return [node.taskKey];
    if (!isGroup(node)) return [];
    return this.#list.unfinished.filter((task) => this.#groupOf(task) === node).map(({ key }) => key);
  }

  node(key: number): TaskNode {
    const node = this.#tasks.get(key) ?? { taskKey: key };
    this.#tasks.set(key, node);
    return node;
  }

  /** The row of a task, on whatever page it is: shown from now on. Undefined where the task is not tracked. */
  async revealable(key: number): Promise<TaskNode | undefined> {
    const task = await this.#list.find(key);
    if (task === undefined) return undefined;
    const node = this.node(key);
    const group = this.#groupOf(task);
    const isNew = !this.#revealed.has(key);
    this.#revealed.set(key, task);
    if (isNew && !this.#level(group && groupId(group)).rows.includes(node)) this.#redrawLevel(group);
    return node;
  }

  /** Shows another page. */
  showMore({ moreOf }: MoreNode): void {
    this.#level(moreOf).pages += 1;
    this.#redrawLevel(moreOf === undefined ? undefined : this.#groups.get(moreOf));
  }

  /**
   * Redraws every row, for its age and dataset. Passes the rows one by one: while VS Code redraws a whole tree, it runs
   * the command of a clicked row without passing the row.
   */
  redrawAll(): void {
    this.#redraws.rows([...this.#tasks.values(), ...this.#groups.values()]);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#redraws, this.#recounts, this.#firstLevelRead).dispose();
  }

  #level(id: string | undefined): Level {
    const level = this.#levels.get(id) ?? new Level(id);
    this.#levels.set(id, level);
    return level;
  }

  async #readFirst(level: Level): Promise<void> {
    const arrangement = this.#arrangement;
    const { rows, hasMore, groups } = await readFirstLevel(this.#list.history, arrangement, level.pages);
    if (arrangement !== this.#arrangement) return;
    this.#list.hold(rows.flatMap((row) => ('task' in row ? [row.task] : [])));
    for (const group of groups)
      if (group.value !== undefined) this.#counts.set(groupId(this.#groupNode(group.value)), group);
    const nodes = rows.map((row) => ('task' in row ? this.node(row.task.key) : this.#groupNode(row.group)));
    this.#setRows(level, undefined, nodes, hasMore);
    this.#firstLevelRead.fire();
  }

  async #readGroup(level: Level, node: BatchNode | GroupNode): Promise<void> {
    const group = isBatchNode(node) ? groupOf('batch', node.batchId) : groupOf(node.groupBy, node.value);
    const query = { group, ...(node.filter && { filter: node.filter }) };
    const { tasks, hasMore } = await readPages(this.#list.history, query, level.pages);
    const nodes = this.#list.hold(tasks).map(({ key }) => this.node(key));
    this.#setRows(level, node, nodes, hasMore);
  }

  #setRows(level: Level, group: TasksNode | undefined, rows: readonly TasksNode[], hasMore: boolean): void {
    const revealed = [...this.#revealed.values()].filter((task) => this.#groupOf(task) === group);
    const others = revealed.map(({ key }) => this.node(key)).filter((node) => !rows.includes(node));
    const shown = [...rows, ...others].flatMap((node) =>
      isTaskNode(node) ? (this.#list.get(node.taskKey) ?? []) : [],
    );
    const folders = collidingFolders(shown);
    for (const { key } of shown) this.#folders.set(key, folders.get(key));
    level.rows = [...rows, ...others, ...(hasMore ? [level.more] : [])];
  }

  async #groupItem(node: BatchNode | GroupNode): Promise<vscode.TreeItem> {
    const item = await this.#knownItem(node);
    if (item === undefined) return new vscode.TreeItem('');
    item.id = rowId(node);
    return visibleItem(item);
  }

  async #knownItem(node: BatchNode | GroupNode): Promise<vscode.TreeItem | undefined> {
    if (isGroupNode(node)) {
      const group = this.#counts.get(groupId(node));
      return group && groupItem(node, group, this.#now());
    }
    const batch = await this.#summary(node);
    return batch && batchItem(batch, this.#now(), this.#destinations);
  }

  /** Where the task database cannot be read, what was known last. */
  async #summary({ batchId, filter }: BatchNode): Promise<BatchSummary | undefined> {
    const known = this.#summaries.get(batchId);
    const summary = await this.#list.history.batch(batchId, filter).catch(() => known);
    if (summary === undefined) this.#summaries.delete(batchId);
    else this.#summaries.set(batchId, summary);
    return summary;
  }

  /** The row of the group of a task; undefined where it is in the first level. */
  #groupOf(task: TrackedTask): BatchNode | GroupNode | undefined {
    const value = groupValueOf(this.#arrangement.groupBy, task);
    return value === undefined ? undefined : this.#groupNode(value);
  }

  #groupNode(value: string): BatchNode | GroupNode {
    const made = groupNode(this.#arrangement.groupBy, value, this.#arrangement.filter);
    const id = groupId(made);
    const node = this.#groups.get(id) ?? made;
    this.#groups.set(id, node);
    return node;
  }

  #redrawLevel(group: TasksNode | undefined): void {
    if (group === undefined) this.#redraws.all();
    else this.#redraws.rows([group]);
  }

  #onChange(change: ListChange): void {
    if (change.kind === 'list') {
      for (const key of change.removed) {
        for (const known of [this.#tasks, this.#revealed, this.#folders]) known.delete(key);
      }
      if (this.#isCounted) this.#recounts.all();
      else this.#redraws.all();
      return;
    }
    const rows = change.tasks.flatMap(({ key }) => this.#tasks.get(key) ?? []);
    if (this.#isCounted) {
      this.#redraws.rows(rows);
      this.#recounts.all();
    } else this.#redraws.rows(change.tasks.flatMap((task) => this.#rowsOf(task)));
  }

  /** Whether a change of any task may change which rows there are. */
  get #isCounted(): boolean {
    return this.#arrangement.groupBy !== 'batch' || this.#arrangement.filter !== undefined;
  }

  /** Redraws the groups, or all where there are others now. */
  async #recount(): Promise<void> {
    if (!this.#isVisible) return this.#redraws.all();
    const level = this.#level(undefined);
    const before = level.rows;
    await this.#readFirst(level).catch(() => {});
    const isSame = before.length === level.rows.length && before.every((row, index) => row === level.rows[index]);
    if (isSame) this.#redraws.rows(level.rows.filter(isGroup));
    else this.#redraws.all();
  }

  /** Those of the rows that were drawn. */
  #rowsOf({ key, batch }: TrackedTask): TasksNode[] {
    const rows = [this.#tasks.get(key), batch && this.#groups.get(batch.id)];
    return rows.filter((row) => row !== undefined);
  }
}

function isGroup(node: TasksNode): node is BatchNode | GroupNode {
  return isBatchNode(node) || isGroupNode(node);
}
