import type { ImportStore } from './store/importStore';
import { among, type FileRow, type Filter, type State } from './store/model';

/** Reads the rows that match a filter and are in one of these states, oldest first. */
export async function rowsIn(
  store: Pick<ImportStore, 'rowsAfter'>,
  filter: Filter,
  states: readonly State[],
  signal?: AbortSignal,
): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  for (;;) {
    signal?.throwIfAborted();
    const page = await store.rowsAfter({ filter: among(filter, states), after: rows.at(-1)?.id ?? 0, limit: 1000 });
    if (page.length === 0) return rows;
    rows.push(...page);
  }
}
