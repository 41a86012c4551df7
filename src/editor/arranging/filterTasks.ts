import { l10n, type QuickPickItem } from 'vscode';
import type { Group } from '../../tasks/history/groups';
import { STATE_ORDER } from '../../tasks/history/levels';
import type { TaskFilter } from '../../tasks/history/taskFilter';
import { PROBLEMS } from '../../tasks/rows/listedFacts';
import type { TaskState } from '../../tasks/trackedTask';
import { formatList } from '../language/formatLists';
import { formatCount } from '../platform/formatNumbers';
import type { Services } from '../services/services';
import { formatAnyState, formatStateName } from '../taskItems/formatState';
import type { TaskArrangement } from './taskArrangement';

/** Running tasks that made no progress for 3 h. */
const NO_PROGRESS: TaskFilter = { states: ['waiting', 'noReport', 'running'], noProgress: true };

type FilterItem = QuickPickItem & { readonly filter: TaskFilter };

/** Lets the user choose which tasks the view shows: by a state or dataset that there is, or by a text. */
export async function filterTasks(
  { list, picks }: Pick<Services, 'list' | 'picks'>,
  arrangement: TaskArrangement,
): Promise<void> {
  const [states, datasets] = [await list.history.groups('state'), await list.history.groups('dataset')];
  const quiet = await list.history.groups('state', NO_PROGRESS);
  const picked = await picks.oneOrTyped<FilterItem>(
    [...stateItems(states, sumOf(quiet)), ...datasetItems(datasets)],
    {
      title: l10n.t('Filter Tasks'),
      placeHolder: l10n.t('Select what to show, or type part of a name, path or task ID'),
    },
    textItem,
  );
  if (picked !== undefined) arrangement.filterBy(picked.filter);
}

function stateItems(groups: readonly Group[], noProgress: number): FilterItem[] {
  const counts = new Map(groups.map((group) => [group.value, countOf(group)]));
  const countIn = (states: readonly TaskState[]) => states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  const problems = {
    label: l10n.t('Problems'),
    description: formatCount(countIn(PROBLEMS)),
    filter: { states: PROBLEMS },
  };
  const existing = STATE_ORDER.filter((state) => counts.has(state)).map((state) => ({
    label: formatStateName(state),
    description: formatCount(countIn([state])),
    filter: { states: [state] },
  }));
  return [problems, ...existing, ...(noProgress > 0 ? [noProgressItem(noProgress)] : [])];
}

function noProgressItem(count: number): FilterItem {
  return { label: l10n.t('No progress for 3 h'), description: formatCount(count), filter: NO_PROGRESS };
}

/** None if there is only one dataset. */
function datasetItems(groups: readonly Group[]): FilterItem[] {
  if (groups.length < 2) return [];
  return groups.flatMap((group) => {
    const { value: dataset } = group;
    if (dataset === undefined) return [];
    return [
      { label: dataset, description: l10n.t('{0} in this dataset', formatCount(countOf(group))), filter: { dataset } },
    ];
  });
}

function textItem(text: string): FilterItem {
  return {
    label: l10n.t("Contains '{0}'", text),
    description: l10n.t('Name, path or task ID'),
    filter: { text },
  };
}

function sumOf(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + countOf(group), 0);
}

function countOf({ counts }: Group): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Which tasks a filter lets through, in a few words. */
export function formatFilter({ states, dataset, noProgress, text }: TaskFilter): string {
  const parts = [
    ...(noProgress ? [l10n.t('no progress for 3 h')] : []),
    ...(states === undefined || noProgress ? [] : [formatStates(states)]),
    ...(dataset === undefined ? [] : [dataset]),
    ...(text === undefined ? [] : [l10n.t("'{0}'", text)]),
  ];
  return l10n.t('Filter: {0}', formatList(parts));
}

function formatStates(states: NonNullable<TaskFilter['states']>): string {
  const isProblems = states.length === PROBLEMS.length && PROBLEMS.every((problem) => states.includes(problem));
  return isProblems ? l10n.t('problems') : formatList(states.map(formatAnyState));
}
