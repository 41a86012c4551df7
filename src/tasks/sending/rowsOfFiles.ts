import { access } from 'node:fs/promises';
import { type Destination, isSameDestination } from '../destination';
import { partsOfList } from '../history/walk';
import type { AcceptedContent } from '../rows/acceptedContents';
import type { TaskList } from '../store/taskList';
import { hasEnded, type TrackedTask } from '../trackedTask';
import type { CheckedSource } from './sources';

/** The rows that files have at a destination, by path. */
export async function rowsOfFiles(
  { history }: Pick<TaskList, 'history'>,
  checked: readonly CheckedSource[],
  destination: Destination,
): Promise<ReadonlyMap<string, TrackedTask>> {
  const paths = checked.flatMap(({ source }) => (source.from === 'disk' ? [source.path] : []));
  const rows = new Map<string, TrackedTask>();
  for (const some of partsOfList(paths)) {
    for (const task of await history.ofFiles(destination, some)) rows.set(task.source?.path ?? '', task);
  }
  return rows;
}

/** Moves the rows of files that were moved: `earlier` has their content, and is no longer where it was. @throws StoreError */
export async function moveRows(
  list: TaskList,
  earlier: ReadonlyMap<CheckedSource, AcceptedContent>,
  destination: Destination,
): Promise<void> {
  const rows = await rowsOfFiles(list, [...earlier.keys()], destination);
  for (const [{ source }, content] of earlier) {
    if (source.from !== 'disk' || rows.has(source.path)) continue;
    const row = await list.find(content.key);
    const before = row?.source;
    if (row === undefined || before?.from !== 'disk' || !isSameDestination(row, destination)) continue;
    if (!(await isGone(before.path))) continue;
    const { path, name, relativePath } = source;
    await list.update(row.key, ({ phase, source: now }) =>
      hasEnded(phase) && now?.path === before.path ? { source: { ...now, path, name, relativePath } } : undefined,
    );
  }
}

async function isGone(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  );
}
