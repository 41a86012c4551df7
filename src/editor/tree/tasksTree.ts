import * as vscode from 'vscode';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import type { Arrangement } from '../../tasks/history/levels';
import { whyWaits } from '../../tasks/serving/whyNotAsked';
import type { ListChange, TaskList } from '../../tasks/store/taskList';
import { Pace } from '../../tasks/timing/pace';
import { listen } from '../platform/listen';
import { visibleItem } from '../platform/outsideText';
import { Redraws } from '../platform/redraws';
import { type BatchProgress, batchItem, type DestinationState, groupItem, progressOf } from '../taskItems/batchItem';
import { taskTooltip } from '../taskItems/formatHeader';
import { taskItem } from '../taskItems/taskItem';
import {
  type AnyGroupNode,
  isBatchNode,
  isGroup,
  isGroupNode,
  isMoreNode,
  isTaskNode,
  type MoreNode,
  moreItem,
  rowId,
  type TaskNode,
  type TasksNode,
} from '../taskItems/tasksNode';
import { TaskRows } from './taskRows';

/**
 * Min time between two redraws of open groups for changes of their tasks, and between two readings of what a filter lets
 * through: a single change shows at once, as a person who sees it may click next.
 */
const GROUPS_PAUSE_MS = 1000;

const byBatch: Arrangement = { groupBy: 'batch', filter: undefined };

/**
 * Draws the rows. While VS Code redraws a group, it does not know the rows below it, and passes none of them to a command.
 * So what a redraw needs is read before it begins, a group is redrawn only where it looks different or has other rows, and
 * an open one less often.
 */
export class TasksTree implements vscode.TreeDataProvider<TasksNode>, vscode.Disposable {
  readonly #list: TaskList;
  readonly #now: () => number;
  readonly #destinations: DestinationState;
  readonly #rows: TaskRows;
  readonly #paces = new BatchPaces();
  #isVisible = true;
  /** What each row looked like when it was drawn last. */
  readonly #drawn = new WeakMap<TasksNode, string>();
  readonly #redraws = new Redraws<TasksNode>(undefined, (rows) => this.#prepare(rows));
  readonly #groups = new Redraws<AnyGroupNode>(GROUPS_PAUSE_MS);
  readonly onDidChangeTreeData = this.#redraws.event;
  readonly #subscription: vscode.Disposable;

  constructor(list: TaskList, now: () => number, destinations: DestinationState, arrangement = byBatch) {
    this.#list = list;
    this.#now = now;
    this.#destinations = destinations;
    this.#rows = new TaskRows(list, arrangement);
    this.#subscription = vscode.Disposable.from(
      this.#groups.event((groups) => this.#redrawGroups(groups)),
      listen(list.events, 'change', (change) => this.#onChange(change)),
    );
  }

  /** What is read of the rows. */
  get events(): TaskRows['events'] {
    return this.#rows.events;
  }

  /** Whether there is a filter, and no task that it lets through. */
  get hasNoMatch(): boolean {
    return this.#rows.hasNoMatch;
  }

  /** Sets whether the rows are on screen: where they are not, nothing is read before they are again. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
  }

  /** Sets whether a group is open. */
  setOpen(node: TasksNode, isOpen: boolean): void {
    this.#rows.setOpen(node, isOpen);
  }

  /** Groups the tasks otherwise, or shows others of them. */
  arrange(arrangement: Arrangement): void {
    this.#rows.arrange(arrangement);
    this.#redraws.all();
  }

  async getChildren(node?: TasksNode): Promise<TasksNode[]> {
    return node !== undefined && !isGroup(node) ? [] : [...(await this.#rows.children(node))];
  }

  getParent(node: TasksNode): AnyGroupNode | undefined {
    return this.#rows.parentOf(node);
  }

  async getTreeItem(node: TasksNode): Promise<vscode.TreeItem> {
    if (isTaskNode(node)) await this.#list.find(node.taskKey);
    else if (isGroup(node)) await this.#rows.readSummary(node);
    const item = this.#item(node);
    this.#drawn.set(node, this.#look(node, item));
    return item;
  }

  async resolveTreeItem(item: vscode.TreeItem, node: TasksNode): Promise<vscode.TreeItem> {
    const task = isTaskNode(node) ? await this.#list.find(node.taskKey) : undefined;
    if (task !== undefined) item.tooltip = taskTooltip(task, this.#now(), whyWaits(this.#destinations, task));
    return item;
  }

  node(key: number): TaskNode {
    return this.#rows.node(key);
  }

  /** The row of a task, on whatever page it is: shown from now on. Undefined where the task is not tracked. */
  async revealable(key: number): Promise<TaskNode | undefined> {
    const task = await this.#list.find(key);
    if (task === undefined) return undefined;
    if (this.#rows.reveal(task)) {
      this.#redrawLevel(this.#rows.groupOf(task));
      await this.#redraws.drawn();
    }
    return this.#rows.node(key);
  }

  /** Shows another page. */
  showMore(node: MoreNode): void {
    this.#rows.showMore(node);
    this.#redrawLevel(this.#rows.groupOfMore(node));
  }

  /** Redraws the rows that look different now, such as for their age and dataset. */
  redrawAll(): void {
    this.#redraws.rows(this.#rows.shown);
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#redraws, this.#groups).dispose();
  }

  /** The row as it is to look, as far as what it shows was read. */
  #item(node: TasksNode): vscode.TreeItem {
    if (isMoreNode(node)) return moreItem(node);
    if (isGroup(node)) return this.#groupItem(node);
    const task = this.#list.get(node.taskKey);
    if (task === undefined) return new vscode.TreeItem('');
    const why = whyWaits(this.#destinations, task);
    const following = this.#destinations.followingOf(task);
    const context = {
      folder: this.#rows.folderOf(task.key),
      namesDataset: this.#destinations.isNamed(task.dataset),
      isInBatch: isBatchNode(this.#rows.groupOf(task)),
    };
    return visibleItem(taskItem(task, this.#list.progress(task.key), this.#now(), why, following, context));
  }

  #groupItem(node: AnyGroupNode): vscode.TreeItem {
    const item = this.#summaryItem(node);
    if (item === undefined) return new vscode.TreeItem('');
    item.id = rowId(node);
    return visibleItem(item);
  }

  #summaryItem(node: AnyGroupNode): vscode.TreeItem | undefined {
    const summary = this.#rows.summaryOf(node);
    if (summary === undefined) return undefined;
    if ('batch' in summary)
      return batchItem(summary.batch, this.#now(), this.#destinations, this.#paces.timeLeftMs(summary.batch));
    return isGroupNode(node) ? groupItem(node, summary.group) : undefined;
  }

  #redrawLevel(group: AnyGroupNode | undefined): void {
    if (group === undefined) this.#redraws.all();
    else this.#redraws.rows([group]);
  }

  /** Reads what the rows show; gives those that have to be redrawn. */
  async #prepare(rows: readonly TasksNode[] | undefined): Promise<TasksNode[] | undefined> {
    if (!this.#isVisible || !this.#rows.areShown) return rows && [...rows];
    const moved = await this.#rows.readOutdated();
    if (moved === undefined) return undefined;
    const others = (rows ?? this.#rows.shown).filter((node) => this.#drawn.get(node) !== this.#look(node));
    return [...new Set([...others, ...moved])];
  }

  #look(node: TasksNode, item = this.#item(node)): string {
    const task = isTaskNode(node) ? this.#list.get(node.taskKey) : undefined;
    return JSON.stringify([item, task]);
  }

  #onChange(change: ListChange): void {
    if (change.kind === 'list') this.#rows.forget(change.removed);
    else this.#redraws.rows(this.#rows.drawn(change.tasks));
    if (this.#rows.isCounted) this.#groups.all();
    else if (change.kind === 'list') this.#redrawGroups(undefined);
    else {
      const groups = this.#rows.drawnGroups(change.tasks);
      this.#groups.rows(groups.filter((group) => this.#rows.isOpen(group)));
      this.#redrawGroups(groups.filter((group) => !this.#rows.isOpen(group)));
    }
  }

  /** Redraws these groups, or all rows, as far as they are other than those that are shown. */
  #redrawGroups(groups: readonly AnyGroupNode[] | undefined): void {
    this.#rows.outdate(groups);
    if (groups === undefined) this.#redraws.all();
    else this.#redraws.rows(groups);
  }
}

/** How long the batches that are shown still take, by the pace at which this window saw each of them get on. */
class BatchPaces {
  readonly #paces = new Map<string, { readonly step: BatchProgress['step']; readonly pace: Pace }>();

  /** The time left for what a batch is at, in milliseconds; undefined where it is done, or too little is known. */
  timeLeftMs({ batch, counts }: BatchSummary): number | undefined {
    const progress = progressOf(counts);
    if (progress === undefined) {
      this.#paces.delete(batch.id);
      return undefined;
    }
    const { step, done, total } = progress;
    const known = this.#paces.get(batch.id);
    const pace = known?.step === step ? known.pace : new Pace();
    if (known?.pace !== pace) this.#paces.set(batch.id, { step, pace });
    const nowMs = performance.now();
    pace.note(done, nowMs);
    return pace.timeLeftMs(total - done, nowMs);
  }
}
