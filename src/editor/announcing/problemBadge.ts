import * as vscode from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { formatCount } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import { Delayed } from './delayed';

/** Time between two counts: a large import changes the list many times a second. */
const PAUSE_MS = 500;

/** The badge of the view Tasks: how many tasks need the user, until each is dealt with. */
export class ProblemBadge implements vscode.Disposable {
  readonly #list: TaskList;
  readonly #view: vscode.TreeView<unknown>;
  readonly #subscriptions: vscode.Disposable;

  /** `onError` gets unexpected errors. */
  constructor(list: TaskList, view: vscode.TreeView<unknown>, onError: (error: unknown) => void) {
    this.#list = list;
    this.#view = view;
    const update = new Delayed(() => this.#update(), onError);
    const updateSoon = () => update.runIn(PAUSE_MS);
    this.#subscriptions = vscode.Disposable.from(update, listen(list.events, 'change', updateSoon));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #update(): Promise<void> {
    await this.#list.loaded();
    const value = await this.#list.history.problems();
    if (value !== (this.#view.badge?.value ?? 0))
      this.#view.badge = value === 0 ? undefined : { value, tooltip: formatProblems(value) };
  }
}

function formatProblems(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 task needs your attention')
    : vscode.l10n.t('{0} tasks need your attention', formatCount(count));
}
