import path from 'node:path';

/** The file of the task database. */
export function storePath(folder: string): string {
  return path.join(folder, 'imports.sqlite');
}

/** The folder for texts that are imported without a file of their own. */
export function textsFolder(folder: string): string {
  return path.join(folder, 'texts');
}
