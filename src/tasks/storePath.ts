import path from 'node:path';

/** The path of the task database. */
export function storePath(folder: string): string {
  return path.join(folder, 'imports.sqlite');
}

/** The folder for imported text that didn't come from a file on disk. */
export function textsFolder(folder: string): string {
  return path.join(folder, 'texts');
}
