import path from 'node:path';
import type { Source, TrackedTask } from '../trackedTask';

/** By key, the folders of those tasks whose files are called the same and are in several folders. */
export function collidingFolders(tasks: readonly TrackedTask[]): ReadonlyMap<number, string> {
  const files = tasks.flatMap(({ key, source }) =>
    source?.from === 'disk' ? [{ key, name: source.name, folder: folderOf(source) }] : [],
  );
  const colliding = [...Map.groupBy(files, ({ name }) => name).values()].filter(
    (its) => new Set(its.map(({ folder }) => folder)).size > 1,
  );
  return new Map(colliding.flat().map(({ key, folder }) => [key, folder]));
}

/** Inside the workspace relative to it; whole for a file that is in none of its folders. */
function folderOf({ path: whole, relativePath, name }: Source): string {
  return path.posix.dirname((relativePath === name ? whole : relativePath).replaceAll('\\', '/'));
}
