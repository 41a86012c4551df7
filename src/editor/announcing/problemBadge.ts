import * as vscode from 'vscode';
import type { Notices } from '../../tasks/store/notices';
import type { TaskList } from '../../tasks/store/taskList';
import { formatCount } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import { Delayed } from './delayed';

/** Time between two counts: a large import changes the list many times a second. */
const PAUSE_MS = 500;

export interface ProblemBadgeDeps {
  readonly list: TaskList;
  readonly notices: Pick<Notices, 'unseen' | 'markSeen'>;
  readonly view: vscode.TreeView<unknown>;
  /** Gets unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** The badge of the view Tasks: how many tasks need the user and were not seen yet. To see the view is to see them. */
export class ProblemBadge implements vscode.Disposable {
  readonly #deps: ProblemBadgeDeps;
  readonly #subscriptions: vscode.Disposable;

  constructor(deps: ProblemBadgeDeps) {
    this.#deps = deps;
    const update = new Delayed(() => this.#update(), deps.onError);
    const updateSoon = () => update.runIn(PAUSE_MS);
    this.#subscriptions = vscode.Disposable.from(
      update,
      listen(deps.list.events, 'change', updateSoon),
      deps.view.onDidChangeVisibility(updateSoon),
      // Another window may have shown them.
      vscode.window.onDidChangeWindowState(updateSoon),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #update(): Promise<void> {
    const { list, notices, view } = this.#deps;
    await list.loaded();
    if (view.visible && vscode.window.state.focused) await notices.markSeen();
    const value = await notices.unseen();
    view.badge = value === 0 ? undefined : { value, tooltip: formatUnseen(value) };
  }
}

function formatUnseen(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 task needs your attention')
    : vscode.l10n.t('{0} tasks need your attention', formatCount(count));
}
