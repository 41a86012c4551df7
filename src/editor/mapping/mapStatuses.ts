import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { KnownMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { statusMeaning } from '../../service/response/statusMeaning';
import { reportsOf, singlesOf } from '../../tasks/severalTasks';
import { type TrackedTask, taskState } from '../../tasks/trackedTask';
import { datasetAt } from '../datasets/findDataset';
import { formatMeaning } from '../platform/formatField';
import { shortText } from '../platform/outsideText';
import { separator } from '../platform/window';
import type { CommandTarget } from '../targets';
import { unclearExpression } from '../taskItems/formatState';
import { statusOf } from '../taskItems/taskNeeds';
import type { TaskNode } from '../taskItems/tasksNode';
import { pickTaskFor } from '../tree/pickTaskFor';
import type { MappingServices } from './mapping';

type Row = QuickPickItem & { readonly status?: string; readonly saves?: true };

const meanings = ['running', 'succeeded', 'failed'] as const;
const icons = { running: 'sync', succeeded: 'pass', failed: 'error' } as const;
const cycle: readonly (KnownMeaning | undefined)[] = [undefined, ...meanings];

/** Lets the user choose what the status of a task means, and all others that its dataset has. */
export async function mapStatuses(services: MappingServices, target: CommandTarget<TaskNode>): Promise<void> {
  const task = await pickTaskFor(services, 'mapStatuses', target);
  if (task === undefined) return;
  await showStatuses(services, datasetAt(services, task), unknownStatuses([task])[0] ?? statusOf(task));
}

/**
 * Shows every status of a dataset with its meaning, to be set in one go: Enter goes on to the next meaning, a button sets
 * one. `status` has the focus first. Saves only what was changed.
 */
export async function showStatuses(
  { list, mapping, picks }: MappingServices,
  dataset: Dataset,
  status?: string,
): Promise<void> {
  const before = new Map<string, KnownMeaning>(Object.entries(dataset.contract.queryTask.statusMeanings));
  const chosen = new Map(before);
  await list.loaded();
  const tasks = await mapping.tasksSeen(dataset);
  const statuses = [...new Set([...seenStatuses(tasks), ...chosen.keys()])];
  const passed = passedStatuses(tasks);
  let active = status ?? statuses[0] ?? '';
  let isSaved = false;
  const changed = () => statuses.filter((each) => chosen.get(each) !== before.get(each));
  await picks.table<Row>({
    title: l10n.t('Map Statuses'),
    placeHolder: l10n.t("Statuses of dataset '{0}'. Press Enter or a button to change a meaning.", dataset.name),
    rows: () => [
      ...statuses.map((each) => statusRow(each, chosen, passed)),
      separator(''),
      {
        label: l10n.t('Save'),
        description: changed().length > 0 ? '' : l10n.t('nothing changed'),
        iconPath: new ThemeIcon('check'),
        alwaysShow: true,
        saves: true,
      },
    ],
    isActive: (row) => row.status === active && row.status !== undefined,
    choose: (row, button) => {
      if (row.saves) isSaved = true;
      if (row.saves || row.status === undefined) return isSaved;
      active = row.status;
      const next =
        button === undefined ? cycle[(cycle.indexOf(chosen.get(active)) + 1) % cycle.length] : meanings[button];
      if (next === undefined) chosen.delete(active);
      else chosen.set(active, next);
      return false;
    },
  });
  if (isSaved && changed().length > 0)
    await mapping.setMeanings(dataset, new Map(changed().map((each) => [each, chosen.get(each)])));
}

function statusRow(status: string, chosen: ReadonlyMap<string, KnownMeaning>, passed: ReadonlySet<string>): Row {
  const own = chosen.get(status);
  const usual = statusMeaning(status, {});
  const description =
    own !== undefined
      ? l10n.t('{0} (chosen)', formatMeaning(own))
      : usual !== 'unknown'
        ? l10n.t('{0} (recognized)', formatMeaning(usual))
        : passed.has(status)
          ? l10n.t('{0} (another status followed)', formatMeaning('running'))
          : l10n.t('not recognized');
  const buttons = meanings.map((meaning) => ({
    iconPath: new ThemeIcon(icons[meaning]),
    tooltip: formatMeaning(meaning),
  }));
  return { label: shortText(status), description, buttons, status };
}

/** The statuses that were seen of tasks, those that are unknown now first. */
export function seenStatuses(tasks: readonly TrackedTask[]): string[] {
  // If a report has no status anymore, the values seen before were not statuses.
  const seen = tasks
    .flatMap(reportsOf)
    .flatMap(({ status, seen }) => (status === undefined ? [] : (seen?.values ?? [status])));
  return [...new Set([...unknownStatuses(tasks), ...seen])];
}

/** The statuses that another one followed: a task that had one of them was running. */
export function passedStatuses(tasks: readonly TrackedTask[]): ReadonlySet<string> {
  return new Set(tasks.flatMap(reportsOf).flatMap(({ seen }) => seen?.values.slice(0, -1) ?? []));
}

/** The statuses that tasks have now and that have no meaning; those of the oldest task first. */
export function unknownStatuses(tasks: readonly TrackedTask[]): string[] {
  // If an expression decides, the status has no say.
  const unknown = tasks
    .flatMap(singlesOf)
    .filter((task) => taskState(task) === 'unknown' && unclearExpression(task) === undefined);
  return [...new Set(unknown.flatMap((task) => statusOf(task) ?? []).toReversed())];
}
