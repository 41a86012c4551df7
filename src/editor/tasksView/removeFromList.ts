import { l10n } from 'vscode';
import type { ImportStore } from '../../tasks/store/importStore';
import { among, type Filter, type StateCounts } from '../../tasks/store/model';
import { formatSentences } from '../platform/formatLists';
import { formatCount } from '../platform/formatNumbers';
import type { Messages } from '../platform/messages';
import { type Action, UserError } from '../platform/userError';
import { rowLabel } from '../wording/states';
import { APPLICABLE } from './chooseRows';

interface Removing {
  readonly store: Pick<ImportStore, 'groups' | 'page' | 'remove' | 'undo'>;
  readonly messages: Pick<Messages, 'done'>;
}

/** Removes rows from the list, with Undo. Queued imports are canceled; those that are being uploaded stay. */
export async function removeFromList({ store, messages }: Removing, filter: Filter): Promise<void> {
  const { rows } = await store.page({ filter, limit: 1 });
  const [first] = rows;
  if (first === undefined) throw new UserError(l10n.t('This task is no longer in the list.'));
  const groups = await store.groups({ by: 'state', filter });
  const counts: StateCounts = Object.assign({}, ...groups.map((group) => group.counts));
  const { removed, removedMs } = await store.remove(filter);
  const name = rowLabel(first);
  if (removed === 0)
    throw new UserError(l10n.t("'{0}' is still being uploaded. Cancel the import first, or wait until it ends.", name));
  const title =
    removed === 1 && first.state !== 'sending'
      ? l10n.t("Removed '{0}' from the list.", name)
      : l10n.t('Removed from the list: {0}.', formatCount(removed));
  await messages.done(formatSentences([title, ...consequences(counts)]), undoAction(store, removedMs));
}

/** Removes the succeeded tasks that the view shows, with Undo. @throws UserError if there are none */
export async function clearSucceeded(removing: Removing, shown: Filter = {}): Promise<void> {
  const filter = among(shown, APPLICABLE.clearSucceeded);
  const { rows } = await removing.store.page({ filter, limit: 1 });
  if (rows.length === 0) throw new UserError(l10n.t('No task in the list has succeeded.'));
  await removeFromList(removing, filter);
}

/** What it means that rows with these states were removed. */
function consequences({ sending = 0, queued = 0, unconfirmed = 0, ...others }: StateCounts): string[] {
  const unfinished = (others.running ?? 0) + (others.waiting ?? 0) + (others.unknown ?? 0);
  return [
    l10n.t('Nothing is deleted on the service.'),
    ...(queued > 0 ? [l10n.t('Canceled imports: {0}.', formatCount(queued))] : []),
    ...(unfinished > 0 ? [l10n.t('Tasks no longer tracked: {0}.', formatCount(unfinished))] : []),
    ...(unconfirmed > 0
      ? [l10n.t('Unconfirmed files, which the service may have received: {0}.', formatCount(unconfirmed))]
      : []),
    ...(sending > 0 ? [l10n.t('Still uploading, so not removed: {0}.', formatCount(sending))] : []),
  ];
}

function undoAction(store: Pick<ImportStore, 'undo'>, removedMs: number): Action {
  const run = async () => {
    // Removed rows are deleted after an hour.
    if ((await store.undo(removedMs)) === 0) throw new UserError(l10n.t('There is nothing left to restore.'));
  };
  return { label: l10n.t('Undo'), run };
}
