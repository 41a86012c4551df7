import * as vscode from 'vscode';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import type { ListChange, TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import { listen } from '../platform/listen';
import { visibleItem } from '../platform/outsideText';
import { Redraws } from '../platform/redraws';
import { batchItem, type DestinationState } from './batchItem';
import { taskItem } from './taskItem';
import { taskTooltip } from './taskTooltip';

/** The row of a task: always the same object while the task is tracked. */
export interface TaskNode {
  readonly taskKey: number;
}

/** The row of a batch. */
export interface BatchNode {
  readonly batchId: string;
}

/** The row that shows another page of a batch, or of the first level. */
export interface MoreNode {
  readonly moreOf: string | undefined;
}

export type TasksNode = TaskNode | BatchNode | MoreNode;

export function isTaskNode(value: unknown): value is TaskNode {
  return typeof (value as TaskNode | null)?.taskKey === 'number';
}

export function isBatchNode(value: unknown): value is BatchNode {
  return typeof (value as BatchNode | null)?.batchId === 'string';
}

export function isMoreNode(value: unknown): value is MoreNode {
  return typeof value === 'object' && value !== null && 'moreOf' in value;
}

/** Rows of a page. */
const PAGE_ROWS = 200;

/** The rows of one level as they were read last, and how many pages of it are shown. */
class Level {
  pages = 1;
  rows: readonly TasksNode[] = [];
  readonly more: MoreNode;

  constructor(batchId: string | undefined) {
    this.more = { moreOf: batchId };
  }
}

/** Maps the tracked tasks to rows, a page at a time. A changed task redraws only its own row and that of its batch. */
export class TasksTree implements vscode.TreeDataProvider<TasksNode>, vscode.Disposable {
  readonly #list: TaskList;
  readonly #now: () => number;
  readonly #destinations: DestinationState;
  /** The rows that were drawn. */
  readonly #tasks = new Map<number, TaskNode>();
  readonly #batches = new Map<string, BatchNode>();
  /** By batch; undefined stands for the first level. */
  readonly #levels = new Map<string | undefined, Level>();
  /** The summaries of batches as they were read last. */
  readonly #summaries = new Map<string, BatchSummary>();
  /** Tasks that are shown although they may be on none of the pages that are. */
  readonly #revealed = new Map<number, TrackedTask>();
  readonly #redraws = new Redraws<TasksNode>();
  readonly onDidChangeTreeData = this.#redraws.event;
  readonly #subscription: vscode.Disposable;

  constructor(list: TaskList, now: () => number, destinations: DestinationState) {
    this.#list = list;
    this.#now = now;
    this.#destinations = destinations;
    this.#subscription = listen(list.events, 'change', (change) => this.#onChange(change));
  }

  async getChildren(node?: TasksNode): Promise<TasksNode[]> {
    if (node !== undefined && !isBatchNode(node)) return [];
    const level = this.#level(node?.batchId);
    // The view shows why the task database cannot be read, beside the rows that are known.
    await this.#read(level, node?.batchId).catch(() => {});
    return [...level.rows];
  }

  getParent(node: TasksNode): BatchNode | undefined {
    const id = isMoreNode(node) ? node.moreOf : isTaskNode(node) ? this.#batchIdOf(node.taskKey) : undefined;
    return id === undefined ? undefined : this.#batchNode(id);
  }

  async getTreeItem(node: TasksNode): Promise<vscode.TreeItem> {
    if (isMoreNode(node)) return moreItem(node);
    if (isBatchNode(node)) {
      const batch = await this.#summary(node.batchId);
      return batch === undefined
        ? new vscode.TreeItem('')
        : visibleItem(batchItem(batch, this.#now(), this.#destinations));
    }
    const task = await this.#list.find(node.taskKey);
    if (task === undefined) return new vscode.TreeItem('');
    const why = this.#destinations.whyNotAsked(task);
    return visibleItem(
      taskItem(task, this.#list.progress(task.key), this.#now(), why, this.#destinations.followingOf(task)),
    );
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TasksNode): Promise<vscode.TreeItem> {
    const task = isTaskNode(node) ? await this.#list.find(node.taskKey) : undefined;
    if (task !== undefined)
      item.tooltip = taskTooltip(task, this.#destinations.whyNotAsked(task), this.#destinations.followingOf(task));
    return item;
  }

  /** The rows below which VS Code has asked for others: it shows a small batch open at first, without an event. */
  get opened(): readonly BatchNode[] {
    return [...this.#levels.keys()].flatMap((id) => (id === undefined ? [] : this.#batchNode(id)));
  }

  /** The keys of a row's task, or of the unfinished ones of a batch. */
  keysOf(node: TasksNode): number[] {
    if (isTaskNode(node)) return [node.taskKey];
    if (!isBatchNode(node)) return [];
    return this.#list.unfinished.filter(({ batch }) => batch?.id === node.batchId).map(({ key }) => key);
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
    const batchId = task.batch?.id;
    const isNew = !this.#revealed.has(key);
    this.#revealed.set(key, task);
    if (isNew && !this.#level(batchId).rows.includes(node)) this.#redrawLevel(batchId);
    return node;
  }

  /** Shows another page. */
  showMore({ moreOf }: MoreNode): void {
    this.#level(moreOf).pages += 1;
    this.#redrawLevel(moreOf);
  }

  /**
   * Redraws every row, for its age and dataset. Passes the rows one by one: while VS Code redraws a whole tree, it runs
   * the command of a clicked row without passing the row.
   */
  redrawAll(): void {
    this.#redraws.rows([...this.#tasks.values(), ...this.#batches.values()]);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#redraws).dispose();
  }

  #level(batchId: string | undefined): Level {
    const level = this.#levels.get(batchId) ?? new Level(batchId);
    this.#levels.set(batchId, level);
    return level;
  }

  async #read(level: Level, batchId: string | undefined): Promise<void> {
    const { rows, hasMore } = await (batchId === undefined
      ? this.#readTop(level.pages)
      : this.#readBatch(batchId, level.pages));
    const revealed = [...this.#revealed.values()].filter(({ batch }) => batch?.id === batchId);
    const others = revealed.map(({ key }) => this.node(key)).filter((node) => !rows.includes(node));
    level.rows = [...rows, ...others, ...(hasMore ? [level.more] : [])];
  }

  async #readTop(pages: number): Promise<{ rows: readonly TasksNode[]; hasMore: boolean }> {
    const rows: TasksNode[] = [];
    let page = await this.#list.history.topLevel(PAGE_ROWS);
    for (let read = 1; ; read++) {
      this.#list.hold(page.rows.flatMap((row) => ('task' in row ? [row.task] : [])));
      rows.push(...page.rows.map((row) => ('task' in row ? this.node(row.task.key) : this.#batchNode(row.batchId))));
      if (read === pages || page.end === undefined) return { rows, hasMore: page.end !== undefined };
      page = await this.#list.history.topLevel(PAGE_ROWS, page.end);
    }
  }

  async #readBatch(batchId: string, pages: number): Promise<{ rows: readonly TasksNode[]; hasMore: boolean }> {
    const rows: TasksNode[] = [];
    const query = { group: { by: 'batch', batchId }, limit: PAGE_ROWS } as const;
    let page = await this.#list.history.page(query);
    for (let read = 1; ; read++) {
      rows.push(...this.#list.hold(page.tasks).map(({ key }) => this.node(key)));
      if (read === pages || page.end === undefined) return { rows, hasMore: page.end !== undefined };
      page = await this.#list.history.page({ ...query, after: page.end });
    }
  }

  /** Where the task database cannot be read, what was known last. */
  async #summary(id: string): Promise<BatchSummary | undefined> {
    const known = this.#summaries.get(id);
    const summary = await this.#list.history.batch(id).catch(() => known);
    if (summary === undefined) this.#summaries.delete(id);
    else this.#summaries.set(id, summary);
    return summary;
  }

  #batchIdOf(key: number): string | undefined {
    return (this.#list.get(key) ?? this.#revealed.get(key))?.batch?.id;
  }

  #batchNode(id: string): BatchNode {
    const node = this.#batches.get(id) ?? { batchId: id };
    this.#batches.set(id, node);
    return node;
  }

  #redrawLevel(batchId: string | undefined): void {
    if (batchId === undefined) this.#redraws.all();
    else this.#redraws.rows([this.#batchNode(batchId)]);
  }

  #onChange(change: ListChange): void {
    if (change.kind === 'list') {
      for (const key of change.removed) {
        this.#tasks.delete(key);
        this.#revealed.delete(key);
      }
      this.#redraws.all();
    } else this.#redraws.rows(change.tasks.flatMap((task) => this.#rowsOf(task)));
  }

  /** Those of the rows that were drawn. */
  #rowsOf({ key, batch }: TrackedTask): TasksNode[] {
    const rows = [this.#tasks.get(key), batch && this.#batches.get(batch.id)];
    return rows.filter((row) => row !== undefined);
  }
}

function moreItem(node: MoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Show More'));
  item.id = `more of ${node.moreOf ?? ''}`;
  item.iconPath = new vscode.ThemeIcon('ellipsis');
  item.command = { command: 'datasetImport.showMoreTasks', title: vscode.l10n.t('Show More'), arguments: [node] };
  return item;
}
