import { l10n, type QuickPickItem } from 'vscode';
import { rowsIn } from '../../tasks/rowsIn';
import type { ImportStore } from '../../tasks/store/importStore';
import { type Filter, STATES, type State, type StateCounts, TRACKED } from '../../tasks/store/model';
import { formatAge, formatCount } from '../platform/format';
import type { Services } from '../services';
import { RETRIED } from '../wording/nextSteps';
import { countIn, formatRow, repeatedFolders, rowLabel, UNSENT } from '../wording/states';
import type { TasksNode } from './shownRows';

/** For each command, the states of the rows that it applies to. */
export const APPLICABLE = {
  importAgain: STATES.filter((state) => !UNSENT.includes(state)),
  retryFailed: RETRIED,
  cancelImport: UNSENT,
  tryNow: ['queued'],
  refreshStatus: TRACKED,
  openSourceFile: STATES,
  copyTaskId: [...TRACKED, 'succeeded', 'failed', 'untracked'],
  attachTaskId: ['unconfirmed', 'noId'],
  markAsUploaded: ['unconfirmed'],
  stopTracking: TRACKED,
  removeFromList: STATES.filter((state) => state !== 'sending'),
  clearSucceeded: ['succeeded'],
} as const satisfies Readonly<Record<string, readonly State[]>>;

/** Max rows in a pick list. The list is sorted by state, then newest first. */
const MAX_OFFERED = 1000;

/** Converts nodes to filters: one filter for all the individual rows, and one for each group. */
export function filtersOf(nodes: readonly TasksNode[]): readonly Filter[] {
  const files = nodes.flatMap((node) => ('file' in node ? [node.file] : []));
  const groups = nodes.flatMap((node) => ('group' in node ? [node.filter] : []));
  return files.length > 0 ? [{ files }, ...groups] : groups;
}

type AskServices = Pick<Services, 'store' | 'picks' | 'clock'>;

/**
 * Resolves the clicked or selected `nodes` to a filter. If there are no nodes, lets the user pick a row, a batch, or
 * all rows that match `filter`. `title` is the command's title.
 */
export async function chooseRows(
  services: AskServices,
  nodes: readonly TasksNode[],
  title: string,
  filter: Filter,
): Promise<Filter | undefined> {
  const [first, ...others] = filtersOf(nodes);
  if (first === undefined) return pickFilter(services, title, filter);
  if (others.length === 0) return first;
  const files = new Set<number>();
  for (const node of [first, ...others]) for (const { id } of await rowsIn(services.store, node, STATES)) files.add(id);
  return { files: [...files] };
}

/** Counts the rows that match a filter, by state. */
export async function stateCounts(store: Pick<ImportStore, 'groups'>, filter: Filter): Promise<StateCounts> {
  return Object.assign({}, ...(await store.groups({ by: 'state', filter })).map(({ counts }) => counts));
}

/** Lets the user pick a row, and returns its ID. */
export async function pickRow({ store, picks, clock }: AskServices): Promise<number | undefined> {
  return (await picks.one(await rowItems(store, clock.now(), {}), PICK_OPTIONS))?.filter.files?.[0];
}

type FilterItem = QuickPickItem & { readonly filter: Filter };

const PICK_OPTIONS = { placeHolder: l10n.t('Select a task') };

async function pickFilter(services: AskServices, title: string, filter: Filter): Promise<Filter | undefined> {
  const { store, picks, clock } = services;
  const rows = await rowItems(store, clock.now(), filter);
  const groups = rows.length < 2 ? [] : await groupItems(store, filter);
  return (await picks.one([...groups, ...rows], { ...PICK_OPTIONS, title }))?.filter;
}

/** One item for all rows, and one for each batch with more than one row. Each item shows its number of files. */
async function groupItems(store: ImportStore, filter: Filter): Promise<FilterItem[]> {
  const groups = await store.groups({ by: 'batch', filter });
  const destinations = await store.destinations(null);
  const counted = new Map(groups.map(({ value, counts }) => [value, countIn(counts)]));
  const files = (count = 0) => l10n.t('files: {0}', formatCount(count));
  const all = { label: l10n.t('All'), description: files(countIn(await stateCounts(store, filter))), filter };
  const several = [...counted].flatMap(([batch, count]) => (typeof batch === 'number' && count > 1 ? [batch] : []));
  const ofBatches = (await store.batches(several)).map(({ id, label, destination }) => {
    const dataset = destinations.find((one) => one.id === destination)?.dataset ?? '';
    return { label, description: [files(counted.get(id)), dataset].join(' · '), filter: { ...filter, batch: id } };
  });
  return [all, ...ofBatches];
}

async function rowItems(store: ImportStore, nowMs: number, filter: Filter): Promise<FilterItem[]> {
  const { rows } = await store.page({ filter, limit: MAX_OFFERED, newestFirst: true });
  const folders = repeatedFolders(rows);
  return rows.map((row) => {
    const folder = folders.get(row.id);
    const texts = [formatRow(row, { nowMs }), row.dataset, formatAge(row.import.queuedMs, nowMs)];
    const description = [...(folder === undefined ? [] : [folder]), ...texts].join(' · ');
    return { label: rowLabel(row), description, filter: { files: [row.id] } };
  });
}
