import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { KnownMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { statusMeaning } from '../../service/response/statusMeaning';
import { eachTaskOf, isChangedBy, type ReadStatus, readStatuses } from '../../tasks/following/rereadResponses';
import { reportsOf, singlesOf } from '../../tasks/severalTasks';
import type { TaskList } from '../../tasks/store/taskList';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { formatMeaning } from '../platform/formatField';
import { formatCount } from '../platform/formatNumbers';
import { shortText } from '../platform/outsideText';
import { unclearError } from '../rows/formatState';
import { statusOf } from '../rows/taskNeeds';
import type { MappingServices } from './mapResponses';

type Row = QuickPickItem & {
  readonly status?: string;
  readonly does?: 'save' | 'elsewhere' | 'rules';
};

const meanings = ['running', 'succeeded', 'failed'] as const;
const icons = { running: 'sync', succeeded: 'pass', failed: 'error' } as const;
const cycle: readonly (KnownMeaning | undefined)[] = [undefined, ...meanings];

/** What the user did with the table. */
type TableEnd = 'saved' | 'left' | 'elsewhere' | 'rules';

/** The number of a dataset's tasks that these meanings of statuses would change. */
type Count = (meanings: ReadonlyMap<string, KnownMeaning>) => number;

/**
 * Shows every status of a dataset with its meaning, to be set in one go: Enter goes on to the next meaning, a button sets
 * one. `status` has the focus first. Saves only what was changed.
 */
export async function showStatusTable(
  { list, mapping, picks }: MappingServices,
  dataset: Dataset,
  status?: string,
): Promise<TableEnd> {
  const before = new Map<string, KnownMeaning>(Object.entries(mapping.meanings(dataset)));
  const chosen = new Map(before);
  await list.loaded();
  const { seen, count } = await readTasks(list, dataset);
  const statuses = [...new Set([...seen, ...chosen.keys()])];
  let active = status ?? statuses[0] ?? '';
  const ends: TableEnd[] = [];
  const changed = () => statuses.filter((each) => chosen.get(each) !== before.get(each));
  await picks.table<Row>({
    title: l10n.t('Map Statuses'),
    placeHolder: l10n.t("Statuses of dataset '{0}'. Press Enter or a button to change a meaning.", dataset.name),
    rows: () => [
      ...statuses.map((each) => statusRow(each, chosen)),
      ...otherRows(changed().length > 0 ? count(chosen) : undefined),
    ],
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
  if (end === 'saved' && changed().length > 0)
    await mapping.setMeanings(dataset, new Map(changed().map((each) => [each, chosen.get(each)])), count(chosen));
  return end;
}

/** Reads the tasks of a dataset once, in steps; tasks that have the same statuses are counted together. */
async function readTasks(list: TaskList, dataset: Dataset): Promise<{ seen: readonly string[]; count: Count }> {
  const unknown = new Set<string>();
  const seen = new Set<string>();
  const alike = new Map<string, { readonly statuses: readonly ReadStatus[]; tasks: number }>();
  await eachTaskOf(list, dataset, (task: TrackedTask) => {
    for (const each of unknownStatuses([task])) {
      unknown.delete(each);
      unknown.add(each);
    }
    for (const each of seenOfEach([task]).flat()) seen.add(each);
    const statuses = readStatuses(task, dataset.contract);
    const known = alike.get(JSON.stringify(statuses)) ?? { statuses, tasks: 0 };
    alike.set(JSON.stringify(statuses), { statuses, tasks: known.tasks + 1 });
  });
  const count: Count = (chosen) => {
    const meanings = Object.fromEntries(chosen);
    return [...alike.values()].reduce(
      (sum, { statuses, tasks }) => sum + (isChangedBy(statuses, meanings) ? tasks : 0),
      0,
    );
  };
  // Those of the oldest task come first; the list begins with the newest one.
  return { seen: [...new Set([...[...unknown].toReversed(), ...seen])], count };
}

function statusRow(status: string, chosen: ReadonlyMap<string, KnownMeaning>): Row {
  const own = chosen.get(status);
  const usual = statusMeaning(status, {});
  const description =
    own !== undefined
      ? l10n.t('{0} (chosen)', formatMeaning(own))
      : usual === 'unknown'
        ? l10n.t('not recognized')
        : l10n.t('{0} (recognized)', formatMeaning(usual));
  const buttons = meanings.map((meaning) => ({
    iconPath: new ThemeIcon(icons[meaning]),
    tooltip: formatMeaning(meaning),
  }));
  return { label: shortText(status), description, buttons, status };
}

/** `count` is how many tasks the changes change; undefined where nothing was changed. */
function otherRows(count: number | undefined): Row[] {
  return [
    { label: '', kind: QuickPickItemKind.Separator },
    {
      label: l10n.t('Save'),
      description: formatChanges(count),
      iconPath: new ThemeIcon('check'),
      alwaysShow: true,
      does: 'save',
    },
    { label: l10n.t('if these are not statuses'), kind: QuickPickItemKind.Separator },
    { label: l10n.t('Choose the Status…'), iconPath: new ThemeIcon('list-selection'), does: 'elsewhere' },
    { label: l10n.t('Edit State Rules…'), iconPath: new ThemeIcon('list-tree'), does: 'rules' },
  ];
}

function formatChanges(count: number | undefined): string {
  if (count === undefined) return l10n.t('nothing changed');
  if (count === 0) return l10n.t('applies from the next status check');
  return count === 1 ? l10n.t('changes 1 task') : l10n.t('changes {0} tasks', formatCount(count));
}

/** The statuses that were seen of tasks, those that are unknown now first. */
export function seenStatuses(tasks: readonly TrackedTask[]): string[] {
  return [...new Set([...unknownStatuses(tasks), ...seenOfEach(tasks).flat()])];
}

/** The statuses that tasks have now and that have no meaning; those of the oldest task first. */
export function unknownStatuses(tasks: readonly TrackedTask[]): string[] {
  // What is unclear beside an error is the error, and not the status.
  const unknown = tasks
    .flatMap(singlesOf)
    .filter((task) => taskState(task) === 'unknown' && unclearError(task) === undefined);
  return [...new Set(unknown.flatMap((task) => statusOf(task) ?? []).toReversed())];
}

/** The statuses that were seen of each task, in the order in which they came. */
export function seenOfEach(tasks: readonly TrackedTask[]): (readonly string[])[] {
  return tasks.flatMap(reportsOf).flatMap(({ status, seen }) => {
    // Where a status is read no more, what was seen before was none.
    const values = status === undefined ? [] : (seen?.values ?? [status]);
    return values.length === 0 ? [] : [values];
  });
}
