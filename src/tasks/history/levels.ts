import { listedFacts, PROBLEMS } from '../rows/listedFacts';
import { type TaskState, type TrackedTask, taskState } from '../trackedTask';
import type { Group, GroupBy } from './groups';
import type { GroupOf, PageQuery } from './page';
import type { TaskFilter } from './taskFilter';
import type { History } from './walk';

/** How a list of tasks is arranged: by what they are grouped, and which are shown; all without a filter. */
export interface Arrangement {
  readonly groupBy: GroupBy;
  readonly filter: TaskFilter | undefined;
}

/** A row of the first level: a task, or a group by its value. */
export type LevelRow = { readonly task: TrackedTask } | { readonly group: string };

/** The states in the order in which they are listed, those that need the user first. */
export const STATE_ORDER: readonly TaskState[] = [
  ...PROBLEMS,
  ...(['sending', 'queued', 'waiting', 'noReport', 'running', 'succeeded'] as const),
];

/** Rows of a page. */
const PAGE_ROWS = 200;

export interface FirstLevel {
  readonly rows: readonly LevelRow[];
  readonly hasMore: boolean;
  /** The groups, where they had to be counted. */
  readonly groups: readonly Group[];
}

/** Reads the first pages of the first level: groups, and beside batches the tasks of none. @throws StoreError */
export async function readFirstLevel(
  history: History,
  { groupBy, filter }: Arrangement,
  pages: number,
): Promise<FirstLevel> {
  if (groupBy !== 'batch') {
    const groups = inOrder(groupBy, await history.groups(groupBy, filter));
    const shown = groups.slice(0, pages * PAGE_ROWS);
    return { rows: shown.flatMap(({ value }) => rowOf(value)), hasMore: shown.length < groups.length, groups: shown };
  }
  return filter === undefined ? readTop(history, pages) : readFilteredTop(history, filter, pages);
}

/** Reads the first pages of a group, problems first. @throws StoreError */
export async function readPages(
  history: History,
  query: Omit<PageQuery, 'after' | 'limit'>,
  pages: number,
): Promise<{ readonly tasks: readonly TrackedTask[]; readonly hasMore: boolean }> {
  const tasks: TrackedTask[] = [];
  let page = await history.page({ ...query, limit: PAGE_ROWS });
  for (let read = 1; ; read++) {
    tasks.push(...page.tasks);
    if (read === pages || page.end === undefined) return { tasks, hasMore: page.end !== undefined };
    page = await history.page({ ...query, limit: PAGE_ROWS, after: page.end });
  }
}

/** The tasks that a value stands for. */
export function groupOf(by: GroupBy, value: string): GroupOf {
  switch (by) {
    case 'batch':
      return { by, batchId: value };
    case 'dataset':
      return { by, dataset: value };
    case 'state':
      return { by, state: value as TaskState };
    case 'reason':
      return { by, reason: value === '' ? undefined : value };
  }
}

/** The value of the group of a task; undefined for a task of no batch. */
export function groupValueOf(by: GroupBy, task: TrackedTask): string | undefined {
  switch (by) {
    case 'batch':
      return task.batch?.id;
    case 'dataset':
      return task.dataset;
    case 'state':
      return taskState(task);
    case 'reason':
      return String(listedFacts(task).reason ?? '');
  }
}

/** In an order that stays as the tasks change; the reasons of most tasks come first. */
function inOrder(groupBy: GroupBy, groups: readonly Group[]): readonly Group[] {
  const placeOf = ({ value }: Group) => STATE_ORDER.indexOf(value as TaskState);
  if (groupBy === 'state') return groups.toSorted((one, other) => placeOf(one) - placeOf(other));
  if (groupBy === 'reason') return groups;
  return groups.toSorted((one, other) => (one.value ?? '').localeCompare(other.value ?? ''));
}

function rowOf(group: string | undefined): LevelRow[] {
  return group === undefined ? [] : [{ group }];
}

async function readTop(history: History, pages: number): Promise<FirstLevel> {
  const rows: LevelRow[] = [];
  let page = await history.topLevel(PAGE_ROWS);
  for (let read = 1; ; read++) {
    rows.push(...page.rows.map((row) => ('task' in row ? row : { group: row.batchId })));
    if (read === pages || page.end === undefined) return { rows, hasMore: page.end !== undefined, groups: [] };
    page = await history.topLevel(PAGE_ROWS, page.end);
  }
}

/** The newest come first, as without a filter. */
async function readFilteredTop(history: History, filter: TaskFilter, pages: number): Promise<FirstLevel> {
  const groups = await history.groups('batch', filter);
  const ofNone = { by: 'batch', batchId: undefined } as const;
  const singles = await readPages(history, { group: ofNone, filter, order: 'newestFirst' }, pages);
  const rows = [
    ...groups.flatMap(({ value, newestMs }) => rowOf(value).map((row) => ({ row, ms: newestMs ?? 0 }))),
    ...singles.tasks.map((task) => ({ row: { task }, ms: task.createdMs })),
  ].sort((one, other) => other.ms - one.ms);
  const shown = rows.slice(0, pages * PAGE_ROWS).map(({ row }) => row);
  return { rows: shown, hasMore: singles.hasMore || shown.length < rows.length, groups: [] };
}
