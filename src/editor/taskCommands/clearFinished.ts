import { l10n } from 'vscode';
import { formatCount } from '../platform/formatNumbers';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import { shownTasks } from '../tree/pickTasks';
import { removeAll } from './removeTask';

/** Removes the succeeded tasks that the view shows, after a question. @throws UserError if there are none */
export async function clearFinished({ list, arrangement }: Pick<Services, 'list' | 'arrangement'>): Promise<void> {
  const keys =
    arrangement.current.filter === undefined
      ? await list.history.keysInState('succeeded')
      : (await shownTasks({ list, arrangement }, ['succeeded'])).map(({ key }) => key);
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
