import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { KnownMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { statusMeaning } from '../../service/response/statusMeaning';
import { formatMeaning } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import type { MapDeps } from './mapResponses';
import { seenStatuses } from './seenStatuses';

type Row = QuickPickItem & {
  readonly status?: string;
  readonly does?: 'save' | 'elsewhere' | 'rules';
};

const meanings = ['running', 'succeeded', 'failed'] as const;
const icons = { running: 'sync', succeeded: 'pass', failed: 'error' } as const;
const cycle: readonly (KnownMeaning | undefined)[] = [undefined, ...meanings];

/** What the user did with the table. */
export type TableEnd = 'saved' | 'left' | 'elsewhere' | 'rules';

/**
 * Shows every status of a dataset with its meaning, to be set in one go: Enter goes on to the next meaning, a button sets
 * one. `status` has the focus first.
 */
export async function showStatusTable(
  { mapping, picks }: MapDeps,
  dataset: Dataset,
  status?: string,
): Promise<TableEnd> {
  const before = mapping.meanings(dataset);
  const chosen = new Map<string, KnownMeaning>(Object.entries(before));
  const count = await mapping.meaningCounter(dataset);
  const seen = seenStatuses(await mapping.tasksSeen(dataset));
  const statuses = [...new Set([...seen, ...chosen.keys()])];
  let active = status ?? statuses[0] ?? '';
  const ends: TableEnd[] = [];
  await picks.table<Row>({
    title: l10n.t('What Do These Statuses Mean?'),
    placeHolder: l10n.t("The statuses of dataset '{0}'. Enter or a button changes what one means.", dataset.name),
    rows: () => [...statuses.map((each) => statusRow(each, chosen)), ...otherRows(count(Object.fromEntries(chosen)))],
    isActive: (row) => row.status === active && row.status !== undefined,
    choose: (row, button) => {
      if (row.does !== undefined) {
        ends.push(row.does === 'save' ? 'saved' : row.does);
        return true;
      }
      if (row.status === undefined) return false;
      active = row.status;
      const next =
        button === undefined ? cycle[(cycle.indexOf(chosen.get(active)) + 1) % cycle.length] : meanings[button];
      if (next === undefined) chosen.delete(active);
      else chosen.set(active, next);
      return false;
    },
  });
  const [end = 'left'] = ends;
  if (end === 'saved' && !isSame(chosen, before)) await mapping.setMeanings(dataset, Object.fromEntries(chosen));
  return end;
}

function statusRow(status: string, chosen: ReadonlyMap<string, KnownMeaning>): Row {
  const own = chosen.get(status);
  const usual = statusMeaning(status, {});
  const description =
    own !== undefined
      ? l10n.t('{0} (chosen)', formatMeaning(own))
      : usual === 'unknown'
        ? l10n.t('not known')
        : l10n.t('{0} (usual word)', formatMeaning(usual));
  const buttons = meanings.map((meaning) => ({
    iconPath: new ThemeIcon(icons[meaning]),
    tooltip: formatMeaning(meaning),
  }));
  return { label: shortText(status), description, buttons, status };
}

/** `count` is the number of tasks that saving changes. */
function otherRows(count: number): Row[] {
  return [
    { label: '', kind: QuickPickItemKind.Separator },
    {
      label: l10n.t('Save'),
      description: count === 1 ? l10n.t('changes 1 task') : l10n.t('changes {0} tasks', count),
      iconPath: new ThemeIcon('check'),
      alwaysShow: true,
      does: 'save',
    },
    { label: l10n.t('if these are no statuses'), kind: QuickPickItemKind.Separator },
    { label: l10n.t('Choose the Status…'), iconPath: new ThemeIcon('list-selection'), does: 'elsewhere' },
    { label: l10n.t('What Tells the State?…'), iconPath: new ThemeIcon('list-tree'), does: 'rules' },
  ];
}

function isSame(chosen: ReadonlyMap<string, KnownMeaning>, before: Readonly<Record<string, KnownMeaning>>): boolean {
  const names = Object.keys(before);
  return names.length === chosen.size && names.every((name) => chosen.get(name) === before[name]);
}
