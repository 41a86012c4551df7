import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The project folder, which is also the extension folder. Compiled tests find it too, because they are in a subfolder.
 */
export const projectFolder = folderWith('package-lock.json', __dirname);

/** Contains compiled tests, logs and screenshots. Not in git. */
export const outFolder = resolve(projectFolder, 'out');

/** Contains installed editors. Not in git. */
export const editorsFolder = resolve(projectFolder, '.editors');

/** The VSIX that `npm run package` creates. */
export const vsixFile = resolve(projectFolder, 'dist', 'dataset-import.vsix');

function folderWith(name: string, folder: string): string {
  return existsSync(join(folder, name)) ? folder : folderWith(name, dirname(folder));
}
