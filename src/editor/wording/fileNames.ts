import path from 'node:path';
import { isWithin } from '../../tasks/isWithin';
import type { FileRow } from '../../tasks/store/model';

/** Sorts names as the Explorer does: s2 before s10. */
export const naturally = new Intl.Collator(undefined, { numeric: true });

/**
 * The folders of rows, by id, if a row in another folder has the same name: relative to the folder of their batch if
 * `batchFolder` knows it, otherwise to the workspace folder.
 */
export function repeatedFolders(
  rows: readonly FileRow[],
  batchFolder: (row: FileRow) => string | null = () => null,
): ReadonlyMap<number, string> {
  const files = rows.map((row) => ({ id: row.id, name: row.name, folder: folderOf(row, batchFolder(row)) }));
  const repeated = [...Map.groupBy(files, ({ name }) => name).values()].filter(
    (same) => new Set(same.map(({ folder }) => folder)).size > 1,
  );
  return new Map(repeated.flat().map(({ id, folder }) => [id, folder]));
}

function folderOf({ path: whole, relativePath, name }: FileRow, batchFolder: string | null): string {
  if (whole !== null && batchFolder !== null && isWithin(whole, batchFolder))
    return path.relative(batchFolder, path.dirname(whole)).replaceAll('\\', '/') || './';
  return path.posix.dirname((relativePath === name ? (whole ?? name) : relativePath).replaceAll('\\', '/'));
}
