import * as vscode from 'vscode';
import { StoreError } from '../../tasks/database/storeError';
import { oncePerTurn } from '../../tasks/destination';
import { destinationStates } from '../../tasks/serving/whyNotAsked';
import { Polling } from '../../tasks/timing/polling';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { TaskArrangement } from '../arranging/taskArrangement';
import type { FileDrops } from '../collecting/fileDrops';
import { formatStore } from '../platform/formatError';
import { listen } from '../platform/listen';
import { plainText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import type { Services } from '../services/services';
import type { LazyTree } from '../start/lazyTree';
import type { MoreNode, TasksNode } from '../taskItems/tasksNode';
import { TasksTree } from './tasksTree';

/** Time between two updates of the displayed ages. */
const AGES_PAUSE_MS = 60_000;

const REVEAL_TRIES = 5;
/** By then VS Code has usually finished drawing the tree. */
const REVEAL_PAUSE_MS = 500;

/** What the view shows its rows by. */
interface TasksViewParts {
  readonly tree: LazyTree<TasksNode>;
  readonly view: vscode.TreeView<TasksNode>;
  readonly drops: FileDrops<TasksNode>;
  readonly arrangement: TaskArrangement;
}

/** The view Tasks. */
export class TasksView implements vscode.Disposable {
  readonly #tree: TasksTree;
  readonly #view: vscode.TreeView<TasksNode>;
  readonly #arrangement: TaskArrangement;
  readonly #ages: Polling;
  readonly #subscriptions: vscode.Disposable;
  /** Why the task database cannot be read; empty where it can. */
  #storeMessage = '';

  constructor(services: Services, { tree, view, drops, arrangement }: TasksViewParts) {
    const { list, follower, serving, datasets, keys, clock } = services;
    this.#arrangement = arrangement;
    const states = destinationStates(services);
    const destinations = {
      ...states,
      whyNotAsked: oncePerTurn(states.whyNotAsked),
      followingOf: (task: TrackedTask) => follower.followingOf(task),
      isNamed: (name: string) => datasets.all.length !== 1 || datasets.find(name) === undefined,
    };
    this.#tree = new TasksTree(list, clock.now, destinations, arrangement.current);
    this.#view = view;
    tree.provide(this.#tree, drops);
    const redraw = () => this.#tree.redrawAll();
    this.#ages = new Polling(async () => redraw(), AGES_PAUSE_MS);
    this.#subscriptions = vscode.Disposable.from(
      arrangement.onDidChange((changed) => this.#tree.arrange(changed)),
      listen(this.#tree.events, 'readFirstLevel', () => this.#showMessage()),
      listen(services.queue.events, 'pausesChanged', redraw),
      listen(serving.events, 'synced', (error) => this.#onSynced(error)),
      datasets.onDidChange(redraw),
      keys.onDidLearn(redraw),
      this.#view.onDidChangeVisibility(({ visible }) => this.#setPolling(visible)),
      this.#view.onDidExpandElement(({ element }) => this.#tree.setOpen(element, true)),
      this.#view.onDidCollapseElement(({ element }) => this.#tree.setOpen(element, false)),
    );
    this.#setPolling(this.#view.visible);
  }

  get selection(): readonly TasksNode[] {
    return this.#view.selection;
  }

  /** Shows another page of the tasks. */
  showMore(node: MoreNode): void {
    this.#tree.showMore(node);
  }

  /** Opens the view and selects a task; a filter, which may hide it, ends. @throws UserError where it is no longer tracked */
  async reveal(key: number): Promise<void> {
    if (this.#arrangement.current.filter !== undefined) this.#arrangement.filterBy(undefined);
    // While VS Code draws the whole tree, it does not find a row, or does not select it.
    for (let tries = 1; tries <= REVEAL_TRIES; tries++) {
      const node = await this.#tree.revealable(key);
      if (node === undefined) throw new UserError(vscode.l10n.t('This task is no longer in the list.'));
      const selecting = this.#isSelected(node);
      await this.#view.reveal(node, { select: true, focus: false }).then(undefined, (error) => {
        if (tries === REVEAL_TRIES) throw error;
      });
      if (await selecting) return;
    }
  }

  dispose(): void {
    this.#setPolling(false);
    vscode.Disposable.from(this.#subscriptions, this.#tree).dispose();
  }

  /** Resolves to whether a row is selected within `REVEAL_PAUSE_MS`. */
  #isSelected(node: TasksNode): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (this.#view.selection.includes(node)) resolve(true);
    const watching = this.#view.onDidChangeSelection(({ selection }) => selection.includes(node) && resolve(true));
    const timer = setTimeout(() => resolve(false), REVEAL_PAUSE_MS);
    return promise.finally(() => {
      clearTimeout(timer);
      watching.dispose();
    });
  }

  #setPolling(enabled: boolean): void {
    enabled ? this.#ages.start() : this.#ages.stop();
    this.#tree.setVisible(enabled);
  }

  /** Shows in the view why the task database cannot be read. */
  #onSynced(error: unknown): void {
    const why = error instanceof StoreError ? formatStore(error) : String(error);
    this.#storeMessage = error === undefined ? '' : plainText(why);
    this.#showMessage();
  }

  #showMessage(): void {
    const noMatch = this.#tree.hasNoMatch ? vscode.l10n.t('No tasks match the filter.') : '';
    const message = this.#storeMessage || noMatch;
    if ((this.#view.message ?? '') !== message) this.#view.message = message;
  }
}
