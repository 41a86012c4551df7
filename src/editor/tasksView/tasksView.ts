import * as vscode from 'vscode';
import { StoreFault } from '../../tasks/store/storeFault';
import { Polling } from '../../tasks/timing/polling';
import { setContextKey } from '../platform/contextKeys';
import { errorText, formatFault } from '../platform/formatError';
import { plainText } from '../platform/outsideText';
import type { TaskArrangement } from './arrangement';
import type { MoreNode, TasksNode } from './shownRows';
import { TasksTree, type TasksTreePorts } from './tasksTree';

/** Time between two updates of the displayed ages. */
const AGES_PAUSE_MS = 60_000;

export interface TasksViewPorts extends Omit<TasksTreePorts, 'onRead'> {
  readonly view: vscode.TreeView<TasksNode>;
  readonly arrangement: TaskArrangement;
}

/** The Tasks view. Its owner gives `tree` to VS Code, and calls `refresh` whenever something may have changed. */
export class TasksView implements vscode.Disposable {
  readonly tree: TasksTree;
  readonly #ports: TasksViewPorts;
  readonly #ages: Polling;
  readonly #subscriptions: vscode.Disposable;
  /** Why the store cannot be read; empty if it can. */
  #fault = '';

  constructor(ports: TasksViewPorts) {
    const { view, arrangement } = ports;
    this.#ports = ports;
    this.tree = new TasksTree({ ...ports, onRead: (error) => this.#onRead(error) }, arrangement.current);
    this.#ages = new Polling(async () => this.refresh(), AGES_PAUSE_MS, ports.clock);
    this.#subscriptions = vscode.Disposable.from(
      this.tree,
      arrangement.onDidChange(() => this.#arrange()),
      view.onDidChangeVisibility(({ visible }) => this.#setVisible(visible)),
      view.onDidExpandElement(({ element }) => this.tree.setOpen(element, true)),
      view.onDidCollapseElement(({ element }) => this.tree.setOpen(element, false)),
    );
    this.#setVisible(view.visible);
  }

  get selection(): readonly TasksNode[] {
    return this.#ports.view.selection;
  }

  refresh(): void {
    this.tree.refresh();
  }

  showMore(node: MoreNode): void {
    this.tree.showMore(node);
  }

  dispose(): void {
    this.#ages.stop();
    this.#subscriptions.dispose();
  }

  #arrange(): void {
    const { arrangement, view } = this.#ports;
    this.tree.arrange(arrangement.current);
    view.description = plainText(arrangement.filterLabel);
    void setContextKey('tasksFiltered', arrangement.current.filter !== undefined);
  }

  #setVisible(isVisible: boolean): void {
    this.tree.setVisible(isVisible);
    isVisible ? this.#ages.start() : this.#ages.stop();
  }

  #onRead(error: unknown): void {
    const { view } = this.#ports;
    if (error === undefined) this.#fault = '';
    else this.#fault = plainText(error instanceof StoreFault ? formatFault(error) : errorText(error));
    const message = this.#fault || (this.tree.hasNoMatch ? vscode.l10n.t('No tasks match the filter.') : '');
    if ((view.message ?? '') !== message) view.message = message;
  }
}
