import { l10n, type QuickPickItem } from 'vscode';
import type { ImportStore } from '../../tasks/importStore/importStore';
import type { FileRow, Filter } from '../../tasks/importStore/model';
import { formatAge } from '../platform/formatNumbers';
import type { picks } from '../platform/window';
import { formatRow, rowLabel } from '../wording/states';

/** Max rows to pick from: of each state the newest. */
const MAX_OFFERED = 1000;

interface PickPorts {
  readonly store: Pick<ImportStore, 'page'>;
  readonly picks: Pick<typeof picks, 'one'>;
  now(): number;
}

/** The row that the user picks among those that match, for a command without a row. */
export async function pickRow({ store, picks, now }: PickPorts, filter: Filter): Promise<FileRow | undefined> {
  const { rows } = await store.page({ filter, limit: MAX_OFFERED, newestFirst: true });
  const nowMs = now();
  const items = rows.map((row): QuickPickItem & { row: FileRow } => ({
    label: rowLabel(row),
    description: [formatRow(row, { nowMs }), row.dataset, formatAge(row.import.queuedMs, nowMs)].join(' · '),
    row,
  }));
  const placeHolder = items.length > 0 ? l10n.t('Select a task') : l10n.t('No matching tasks');
  return (await picks.one(items, { placeHolder, matchOnDescription: true }))?.row;
}
