import { l10n, type QuickPickItem } from 'vscode';
import type { GroupBy } from '../../tasks/history/groups';
import type { Services } from '../services/services';
import type { TaskArrangement } from './taskArrangement';

/** Lets the user choose by what the view groups the tasks. */
export async function groupTasks({ picks }: Pick<Services, 'picks'>, arrangement: TaskArrangement): Promise<void> {
  const { groupBy } = arrangement.current;
  const items = choices().map((choice) =>
    choice.groupBy === groupBy ? { ...choice, description: l10n.t('current') } : choice,
  );
  const picked = await picks.one(items, { title: l10n.t('Group Tasks By'), placeHolder: l10n.t('Select a grouping') });
  if (picked !== undefined) await arrangement.groupTasksBy(picked.groupBy);
}

function choices(): readonly (QuickPickItem & { readonly groupBy: GroupBy })[] {
  return [
    { label: l10n.t('Batch'), groupBy: 'batch', detail: l10n.t('Files that were imported together') },
    { label: l10n.t('Dataset'), groupBy: 'dataset' },
    { label: l10n.t('State'), groupBy: 'state' },
    {
      label: l10n.t('Reason'),
      groupBy: 'reason',
      detail: l10n.t('Why files failed, were rejected or need your attention'),
    },
  ];
}
