import { type Disposable, l10n, type TreeView } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { formatCount } from '../platform/formatNumbers';
import { afterChanges } from './afterChanges';

/** Time between two counts. */
const PAUSE_MS = 500;

/** Shows in the badge of the view Tasks how many tasks need the user, until each is dealt with. */
export function showProblems(list: TaskList, view: TreeView<unknown>, onError: (error: unknown) => void): Disposable {
  const update = async () => {
    await list.loaded();
    const value = await list.history.problems();
    if (value !== (view.badge?.value ?? 0))
      view.badge = value === 0 ? undefined : { value, tooltip: formatProblems(value) };
  };
  return afterChanges(list, () => PAUSE_MS, update, onError);
}

function formatProblems(count: number): string {
  return count === 1
    ? l10n.t('1 task needs your attention')
    : l10n.t('{0} tasks need your attention', formatCount(count));
}
