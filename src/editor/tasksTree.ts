import * as vscode from 'vscode';
import type { ListChange, TaskList } from '../tasks/taskList';
import { taskItem, taskTooltip } from './taskItem';

/** A row of the view Tasks. The same object stands for a task as long as it is tracked. */
export interface TaskNode {
  readonly taskKey: number;
}

/** Tells a row of the view Tasks from whatever else a command may be given. */
export function isTaskNode(value: unknown): value is TaskNode {
  return typeof (value as TaskNode | null)?.taskKey === 'number';
}

/** Maps the tracked tasks to rows. A change of one task redraws its row alone. */
export class TasksTree implements vscode.TreeDataProvider<TaskNode>, vscode.Disposable {
  readonly #list: TaskList;
  readonly #now: () => number;
  readonly #nodes = new Map<number, TaskNode>();
  readonly #changed = new vscode.EventEmitter<TaskNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(list: TaskList, now: () => number) {
    this.#list = list;
    this.#now = now;
    list.events.on('change', this.#redraw);
  }

  async getChildren(node?: TaskNode): Promise<TaskNode[]> {
    if (node !== undefined) return [];
    // Where the store cannot be read, the view says so by itself.
    await this.#list.loaded().catch(() => {});
    return this.#list.tasks.map(({ key }) => this.node(key));
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(node: TaskNode): vscode.TreeItem {
    const task = this.#list.get(node.taskKey);
    return task === undefined ? new vscode.TreeItem('') : taskItem(task, this.#list.progress(task.key), this.#now());
  }

  resolveTreeItem(item: vscode.TreeItem, node: TaskNode): vscode.TreeItem {
    const task = this.#list.get(node.taskKey);
    if (task !== undefined) item.tooltip = taskTooltip(task);
    return item;
  }

  /** The row of a task. */
  node(key: number): TaskNode {
    const node = this.#nodes.get(key) ?? { taskKey: key };
    this.#nodes.set(key, node);
    return node;
  }

  /** Draws every row anew, for the ages in them. */
  redrawAll(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#list.events.off('change', this.#redraw);
    this.#changed.dispose();
  }

  readonly #redraw = (change: ListChange) =>
    this.#changed.fire(change.kind === 'list' ? undefined : change.tasks.map(({ key }) => this.node(key)));
}
