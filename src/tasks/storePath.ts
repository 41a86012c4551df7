import path from 'node:path';

/** The file of the task database in the folder for it. */
export function storePath(folder: string): string {
  return path.join(folder, 'imports.sqlite');
}

/** The folder beside the task database for the texts that are to be imported. */
export function textsFolder(folder: string): string {
  return path.join(folder, 'texts');
}
