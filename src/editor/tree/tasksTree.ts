import * as vscode from 'vscode';
import type { ListChange, TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import { Redraws } from '../platform/redraws';
import { visibleItem } from '../platform/visibleItem';
import { type TopLevel, type TrackedBatch, topLevel } from './batches';
import { batchItem, type DestinationState } from './batchItem';
import { taskItem, taskTooltip } from './taskItem';

/** A row of the view Tasks that stands for a task. The same object stands for it as long as it is tracked. */
export interface TaskNode {
  readonly taskKey: number;
}

/** A row of the view Tasks that stands for imports which were begun together. */
export interface BatchNode {
  readonly batchId: string;
}

/** A row of the view Tasks. */
export type TasksNode = TaskNode | BatchNode;

/** Tells a task's row from whatever else a command may be given. */
export function isTaskNode(value: unknown): value is TaskNode {
  return typeof (value as TaskNode | null)?.taskKey === 'number';
}

/** Tells a batch's row from whatever else a command may be given. */
export function isBatchNode(value: unknown): value is BatchNode {
  return typeof (value as BatchNode | null)?.batchId === 'string';
}

/** Maps the tracked tasks to rows. A change of one task redraws its row alone, and that of its batch. */
export class TasksTree implements vscode.TreeDataProvider<TasksNode>, vscode.Disposable {
  readonly #list: TaskList;
  readonly #now: () => number;
  readonly #destinations: DestinationState;
  readonly #tasks = new Map<number, TaskNode>();
  readonly #batches = new Map<string, BatchNode>();
  readonly #redraws = new Redraws<TasksNode>();
  readonly onDidChangeTreeData = this.#redraws.event;
  #top: readonly TopLevel[] | undefined;

  constructor(list: TaskList, now: () => number, destinations: DestinationState) {
    this.#list = list;
    this.#now = now;
    this.#destinations = destinations;
    list.events.on('change', this.#onChange);
  }

  async getChildren(node?: TasksNode): Promise<TasksNode[]> {
    if (isTaskNode(node)) return [];
    // Where the store cannot be read, the view says so by itself.
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
    return visibleItem(taskItem(task, this.#list.progress(task.key), this.#now(), why));
  }

  resolveTreeItem(item: vscode.TreeItem, node: TasksNode): vscode.TreeItem {
    const task = isTaskNode(node) ? this.#list.get(node.taskKey) : undefined;
    if (task !== undefined) item.tooltip = taskTooltip(task);
    return item;
  }

  /** The row of a task. */
  node(key: number): TaskNode {
    const node = this.#tasks.get(key) ?? { taskKey: key };
    this.#tasks.set(key, node);
    return node;
  }

  /**
   * Draws every row anew, for the ages and datasets in them. Each by itself: while VS Code draws a tree as a whole, a
   * click on a row reaches its command without the row.
   */
  redrawAll(): void {
    this.#redraws.rows([...this.#tasks.values(), ...this.#batches.values()]);
  }

  dispose(): void {
    this.#list.events.off('change', this.#onChange);
    this.#redraws.dispose();
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

  readonly #onChange = (change: ListChange) => {
    this.#top = undefined;
    if (change.kind === 'list') {
      for (const key of this.#tasks.keys()) if (this.#list.get(key) === undefined) this.#tasks.delete(key);
      this.#redraws.all();
    } else this.#redraws.rows(change.tasks.flatMap((task) => this.#rowsOf(task)));
  };

  /** The rows that tell of a task. */
  #rowsOf({ key, batch }: TrackedTask): TasksNode[] {
    return [this.node(key), ...(batch === undefined ? [] : [this.#batchNode(batch.id)])];
  }
}
