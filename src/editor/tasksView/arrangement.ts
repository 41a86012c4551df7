import { type Disposable, EventEmitter, l10n, type Memento, type QuickPickItem } from 'vscode';
import { type Filter, type GroupBy, PROBLEMS, STATES, type State } from '../../tasks/store/model';
import { dialogTitle } from '../platform/actions';
import { formatCount } from '../platform/format';
import type { Services } from '../services';
import { capitalized, countIn, formatState, QUIET_MS } from '../wording/states';
import { stateCounts } from './chooseRows';
import type { Arrangement } from './shownRows';

const GROUP_BY = 'datasetImport.groupTasksBy';

/** The grouping and filter of the Tasks view. The grouping is saved for all windows; the filter isn't saved. */
export class TaskArrangement implements Disposable {
  readonly #changed = new EventEmitter<Arrangement>();
  readonly onDidChange = this.#changed.event;
  /** Only `change` sets this. */
  current: Arrangement;

  /** `memory` is shared by all windows. */
  constructor(private readonly memory: Memento) {
    this.current = { groupBy: memory.get<GroupBy>(GROUP_BY, 'batch'), filter: undefined, filterName: '' };
  }

  async change(changes: Partial<Arrangement>): Promise<void> {
    this.current = { ...this.current, ...changes };
    this.#changed.fire(this.current);
    if (changes.groupBy !== undefined) await this.memory.update(GROUP_BY, changes.groupBy);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

type ArrangeServices = Pick<Services, 'store' | 'picks' | 'clock' | 'arrangement'>;
type FilterItem = QuickPickItem & Pick<Arrangement, 'filter' | 'filterName'>;

/** Lets the user filter the view by state, by dataset or by text. */
export async function filterTasks(services: ArrangeServices): Promise<void> {
  const { arrangement, picks } = services;
  const all: FilterItem = { label: l10n.t('Show All'), filter: undefined, filterName: '' };
  const items = [...(arrangement.current.filter === undefined ? [] : [all]), ...(await filterItems(services))];
  const placeHolder = l10n.t('Select what to show, or type part of a name, folder, task ID, status or message');
  const picked = await picks.one<FilterItem>(items, { title: dialogTitle('filterTasks'), placeHolder }, textItem);
  if (picked !== undefined) await arrangement.change({ filter: picked.filter, filterName: picked.filterName });
}

async function filterItems({ store, clock }: ArrangeServices): Promise<FilterItem[]> {
  const quietSinceMs = clock.now() - QUIET_MS;
  const [counts, quiet, groups, destinations] = await Promise.all([
    stateCounts(store, {}),
    stateCounts(store, { quietSinceMs }),
    store.groups({ by: 'destination', filter: {} }),
    store.destinations(null),
  ]);
  const item = (filterName: string, count: number, filter: Filter): FilterItem => {
    return { label: capitalized(filterName), description: formatCount(count), filter, filterName };
  };
  const ofStates = (name: string, some: readonly State[]) => item(name, countIn(counts, some), { states: some });
  // A dataset has more than one destination if its base URL was changed.
  const datasets = Map.groupBy(groups, ({ value }) => destinations.find(({ id }) => id === value)?.dataset ?? '');
  const ofDatasets = [...datasets].map(([dataset, same]) => {
    const count = same.reduce((sum, group) => sum + countIn(group.counts), 0);
    return { ...item(dataset, count, { destinations: same.map(({ value }) => Number(value)) }), label: dataset };
  });
  return [
    ofStates(l10n.t('problems'), PROBLEMS),
    ...STATES.filter((state) => counts[state]).map((state) => ofStates(formatState(state), [state])),
    ...(countIn(quiet) === 0 ? [] : [item(l10n.t('no progress'), countIn(quiet), { quietSinceMs })]),
    ...(ofDatasets.length < 2 ? [] : ofDatasets),
  ];
}

function textItem(text: string): FilterItem {
  return { label: l10n.t("Contains '{0}'", text), filter: { text }, filterName: l10n.t("'{0}'", text) };
}

/** Lets the user choose how the view groups its rows. */
export async function groupTasks({ picks, arrangement }: Pick<Services, 'picks' | 'arrangement'>): Promise<void> {
  const { groupBy } = arrangement.current;
  const choices: readonly (QuickPickItem & { readonly groupBy: GroupBy })[] = [
    { label: l10n.t('Batch'), groupBy: 'batch' },
    { label: l10n.t('Dataset'), groupBy: 'destination' },
    { label: l10n.t('State'), groupBy: 'state' },
    { label: l10n.t('Reason'), groupBy: 'reason' },
  ];
  const items = choices.map((item) => (item.groupBy === groupBy ? { ...item, description: l10n.t('current') } : item));
  const picked = await picks.one(items, { title: dialogTitle('groupTasks'), placeHolder: l10n.t('Select a grouping') });
  if (picked !== undefined) await arrangement.change({ groupBy: picked.groupBy });
}
