import path from 'node:path';
import type { FileRow } from '../../tasks/store/model';

/** Sorts names as the Explorer does: s2 before s10. */
export const naturally = new Intl.Collator(undefined, { numeric: true });

/** The folders of rows, by id, if a row in another folder has the same name. */
export function repeatedFolders(rows: readonly FileRow[]): ReadonlyMap<number, string> {
  const files = rows.map((row) => ({ id: row.id, name: row.name, folder: folderOf(row) }));
  const repeated = [...Map.groupBy(files, ({ name }) => name).values()].filter(
    (same) => new Set(same.map(({ folder }) => folder)).size > 1,
  );
  return new Map(repeated.flat().map(({ id, folder }) => [id, folder]));
}

/** The folder of a file: inside the workspace relative to it, otherwise the whole path. */
function folderOf({ path: whole, relativePath, name }: FileRow): string {
  return path.posix.dirname((relativePath === name ? (whole ?? name) : relativePath).replaceAll('\\', '/'));
}
