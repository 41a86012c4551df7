import * as vscode from 'vscode';
import type { ListChange, TaskList } from '../../tasks/store/taskList';
import { isUnfinished, type TrackedTask } from '../../tasks/trackedTask';
import { listen } from '../platform/listen';
import { visibleItem } from '../platform/outsideText';
import { Redraws } from '../platform/redraws';
import { type TopLevel, type TrackedBatch, topLevel } from './batches';
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

export type TasksNode = TaskNode | BatchNode;

export function isTaskNode(value: unknown): value is TaskNode {
  return typeof (value as TaskNode | null)?.taskKey === 'number';
}

export function isBatchNode(value: unknown): value is BatchNode {
  return typeof (value as BatchNode | null)?.batchId === 'string';
}

/** Maps the tracked tasks to rows. A changed task redraws only its own row and that of its batch. */
export class TasksTree implements vscode.TreeDataProvider<TasksNode>, vscode.Disposable {
  readonly #list: TaskList;
  readonly #now: () => number;
  readonly #destinations: DestinationState;
  readonly #tasks = new Map<number, TaskNode>();
  readonly #batches = new Map<string, BatchNode>();
  readonly #redraws = new Redraws<TasksNode>();
  readonly onDidChangeTreeData = this.#redraws.event;
  readonly #subscription: vscode.Disposable;
  #top: readonly TopLevel[] | undefined;

  constructor(list: TaskList, now: () => number, destinations: DestinationState) {
    this.#list = list;
    this.#now = now;
    this.#destinations = destinations;
    this.#subscription = listen(list.events, 'change', (change) => this.#onChange(change));
  }

  async getChildren(node?: TasksNode): Promise<TasksNode[]> {
    if (isTaskNode(node)) return [];
    // The view shows why the task database cannot be read.
    await this.#list.loaded().catch(() => {});
    if (node !== undefined) return this.#batch(node)?.tasks.map(({ key }) => this.node(key)) ?? [];
    return this.#topLevel().map((row) => ('task' in row ? this.node(row.task.key) : this.#batchNode(row.batch.id)));
  }

  getParent(node: TasksNode): BatchNode | undefined {
    const batch = isTaskNode(node) ? this.#list.get(node.taskKey)?.batch : undefined;
    return batch === undefined ? undefined : this.#batchNode(batch.id);
  }

  getTreeItem(node: TasksNode): vscode.TreeItem {
    if (!isTaskNode(node)) {
      const batch = this.#batch(node);
      return batch === undefined
        ? new vscode.TreeItem('')
        : visibleItem(batchItem(batch, this.#now(), this.#destinations));
    }
    const task = this.#list.get(node.taskKey);
    if (task === undefined) return new vscode.TreeItem('');
    const why = this.#destinations.whyNotAsked(task);
    return visibleItem(
      taskItem(task, this.#list.progress(task.key), this.#now(), why, this.#destinations.followingOf(task)),
    );
  }

  resolveTreeItem(item: vscode.TreeItem, node: TasksNode): vscode.TreeItem {
    const task = isTaskNode(node) ? this.#list.get(node.taskKey) : undefined;
    if (task !== undefined)
      item.tooltip = taskTooltip(task, this.#destinations.whyNotAsked(task), this.#destinations.followingOf(task));
    return item;
  }

  /** The keys of a row's task, or of the unfinished ones of a batch. */
  keysOf(node: TasksNode): number[] {
    if (isTaskNode(node)) return [node.taskKey];
    return (this.#batch(node)?.tasks ?? []).filter(isUnfinished).map(({ key }) => key);
  }

  node(key: number): TaskNode {
    const node = this.#tasks.get(key) ?? { taskKey: key };
    this.#tasks.set(key, node);
    return node;
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

  #topLevel(): readonly TopLevel[] {
    this.#top ??= topLevel(this.#list);
    return this.#top;
  }

  #batch({ batchId }: BatchNode): TrackedBatch | undefined {
    return this.#topLevel().find((row) => 'tasks' in row && row.batch.id === batchId) as TrackedBatch | undefined;
  }

  #batchNode(id: string): BatchNode {
    const node = this.#batches.get(id) ?? { batchId: id };
    this.#batches.set(id, node);
    return node;
  }

  #onChange(change: ListChange): void {
    this.#top = undefined;
    if (change.kind === 'list') {
      for (const key of this.#tasks.keys()) if (this.#list.get(key) === undefined) this.#tasks.delete(key);
      this.#redraws.all();
    } else this.#redraws.rows(change.tasks.flatMap((task) => this.#rowsOf(task)));
  }

  #rowsOf({ key, batch }: TrackedTask): TasksNode[] {
    return [this.node(key), ...(batch === undefined ? [] : [this.#batchNode(batch.id)])];
  }
}
