import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
  const atStart = join(projectFolder, 'dist', 'extension.js');
  console.log(
    `Packaged ${vsixFile} (${kilobytes(vsixFile)}; a window loads ${kilobytes(atStart)} of it at its start).`,
  );
}

function kilobytes(file: string): string {
  return `${Math.round(statSync(file).size / 1024)} KB`;
}
