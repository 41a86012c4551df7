import { type Disposable, l10n } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { Polling } from '../../tasks/timing/polling';
import { formatCount } from '../platform/formatNumbers';
import { historyKept } from '../platform/settings';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { removeAll } from './removeTask';

/** Removes all tasks that have succeeded, after asking. @throws UserError where there are none */
export async function clearFinished({ list }: { readonly list: TaskList }): Promise<void> {
  const keys = await list.history.keysInState('succeeded');
  if (keys.length === 0) throw new UserError(l10n.t('No task in the list has succeeded.'));
  const question =
    keys.length === 1
      ? l10n.t('Remove 1 task that has succeeded from the list?')
      : l10n.t('Remove {0} tasks that have succeeded from the list?', formatCount(keys.length));
  const detail = l10n.t('All other tasks stay. Nothing is deleted on the service.');
  if (!(await window.confirm(question, detail, l10n.t('Clear Finished')))) return;
  // Some may no longer count as succeeded, where the meaning of their status was changed meanwhile.
  await removeAll(list, keys, 'succeeded');
}

/** How often a window asks whether it is its turn to clear, which is one window's an hour. */
const PAUSE_MS = 600_000;

/** Removes tasks that have ended from the task database once they are older, or more, than the settings keep. */
export function clearHistory(list: TaskList): Disposable {
  // A store that cannot be written now may be writable the next time.
  const polling = new Polling(() => list.clearEnded(historyKept()).catch(() => {}), PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
