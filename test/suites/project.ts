import { resolve } from 'node:path';

/** The folder of the project, absolute; it is the extension's own folder too. */
export const projectFolder = resolve(__dirname, '..', '..');

/** Where bundled tests and screenshots go; not in git. */
export const outFolder = resolve(projectFolder, 'out');

/** Where editors are installed; not in git. */
export const editorsFolder = resolve(projectFolder, '.editors');

/** What `npm run package` makes. */
export const vsixFile = resolve(projectFolder, 'dist', 'dataset-import.vsix');

/** Where the VSIX is installed once for each editor; not in git. */
export const installedExtensionsFolder = resolve(outFolder, 'extensions');
