import path from 'node:path';

/** The file of the task database in the folder for it. */
export function storePath(folder: string): string {
  return path.join(folder, 'tasks.sqlite');
}
