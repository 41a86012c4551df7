import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import { oncePerTurn } from '../../tasks/destination';
import { following } from '../../tasks/following/following';
import type { Refresher } from '../../tasks/following/refresher';
import { whyNotAsked } from '../../tasks/following/whyNotAsked';
import type { ImportQueue } from '../../tasks/queue/importQueue';
import { StoreError } from '../../tasks/store/storeError';
import type { TaskList } from '../../tasks/store/taskList';
import { Polling } from '../../tasks/timing/polling';
import type { AccessKeys } from '../accessKeys/accessKeys';
import type { Datasets } from '../datasets/datasets';
import type { FileDrops } from '../files/fileDrops';
import { formatStore } from '../platform/formatError';
import type { Messages } from '../platform/messages';
import { plainText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import type { SandboxHost } from '../sandbox/sandboxHost';
import { type TasksNode, TasksTree } from './tasksTree';

export const TASKS_VIEW = 'datasetImport.tasks';

/** How often other windows' changes are looked for, unfinished tasks are asked about, and ages are redrawn. */
const PAUSES_MS = { sync: 1000, refresh: 3000, ages: 60_000 } as const;

const REVEAL_TRIES = 5;
/** After so long VS Code has drawn a tree that it was drawing. */
const REVEAL_PAUSE_MS = 500;

/** What the view takes. */
export interface TasksViewDeps {
  readonly list: TaskList;
  readonly queue: ImportQueue;
  readonly refresher: Refresher;
  readonly datasets: Datasets;
  readonly keys: AccessKeys;
  readonly sandbox: SandboxHost;
  readonly messages: Messages;
  readonly now: () => number;
  readonly drops: FileDrops;
}

/** The view Tasks: alive while it is visible, at rest while it is not. */
export class TasksView implements vscode.Disposable {
  readonly #list: TaskList;
  readonly #tree: TasksTree;
  readonly #view: vscode.TreeView<TasksNode>;
  readonly #polls: readonly Polling[];
  readonly #following: vscode.Disposable;

  constructor(deps: TasksViewDeps) {
    const { list, queue, refresher, datasets, keys, messages, now, drops } = deps;
    this.#list = list;
    this.#tree = new TasksTree(list, now, {
      whyNotAsked: oncePerTurn((destination) => whyNotAsked(deps, destination)),
      waitReasonOf: (destination) => queue.waitReasonOf(destination),
    });
    this.#view = vscode.window.createTreeView(TASKS_VIEW, {
      treeDataProvider: this.#tree,
      dragAndDropController: drops,
      canSelectMany: true,
    });
    const say = (words: string) => {
      const message = plainText(words);
      if ((this.#view.message ?? '') !== message) this.#view.message = message;
    };
    const sync = () =>
      list.sync().then(
        () => say(''),
        (error) => say(error instanceof StoreError ? formatStore(error) : String(error)),
      );
    this.#polls = [
      new Polling(sync, PAUSES_MS.sync),
      following(refresher, PAUSES_MS.refresh, (error) => messages.note(`refresh: ${error}`)),
      new Polling(async () => this.#tree.redrawAll(), PAUSES_MS.ages),
    ];
    const redraw = () => this.#tree.redrawAll();
    this.#following = vscode.Disposable.from(datasets.onDidChange(redraw), keys.onDidLearn(redraw));
    this.#view.onDidChangeVisibility(({ visible }) => this.#setAlive(visible));
    this.#setAlive(this.#view.visible);
  }

  /** The rows that are selected. */
  get selection(): readonly TasksNode[] {
    return this.#view.selection;
  }

  /** Opens the view and selects a task in it. @throws UserError where it is no longer tracked */
  async reveal(key: number): Promise<void> {
    for (let tries = 1; ; tries++) {
      if (this.#list.get(key) === undefined) throw new UserError(vscode.l10n.t('The task is not tracked any more.'));
      try {
        return await this.#view.reveal(this.#tree.node(key), { select: true, focus: false });
      } catch (error) {
        // VS Code finds no row while it draws the tree as a whole.
        if (tries === REVEAL_TRIES) throw error;
        await setTimeout(REVEAL_PAUSE_MS);
      }
    }
  }

  dispose(): void {
    this.#setAlive(false);
    vscode.Disposable.from(this.#following, this.#view, this.#tree).dispose();
  }

  #setAlive(alive: boolean): void {
    for (const poll of this.#polls) alive ? poll.start() : poll.stop();
  }
}
