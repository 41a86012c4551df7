import { rmSync, statSync } from 'node:fs';
import { runProcess } from '../editor/runProcess';
import { installedExtensionsFolder, projectFolder, vsixFile } from './project';

/** Bundles the extension into dist/, for development. */
export async function buildExtension(): Promise<void> {
  await runProcess(process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
}

/** Bundles the extension into dist/, for production, and makes the VSIX of it. */
export async function packageExtension(): Promise<void> {
  rmSync(installedExtensionsFolder, { recursive: true, force: true });
  await runProcess('npm', ['run', '--silent', 'package'], { cwd: projectFolder });
  console.log(`Packaged ${vsixFile} (${Math.round(statSync(vsixFile).size / 1024)} KB).`);
}
