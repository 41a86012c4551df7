import { access } from 'node:fs/promises';
import { type Destination, isSameDestination } from '../destination';
import type { AcceptedContent } from '../rows/acceptedContents';
import type { CheckedSource } from '../sending/sources';
import type { TaskList } from '../store/taskList';
import { hasEnded } from '../trackedTask';
import { rowsOfFiles } from './fileRows';

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
