import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { projectFolder, vsixFile } from './project';

/** Bundles the extension into dist/ for development. */
export async function buildExtension(): Promise<void> {
  await runProcess(process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
}

/** Bundles the extension for production and packages it as a VSIX. */
export async function packageExtension(): Promise<void> {
  // Rename the file once it is complete, because another process may be installing the old one.
  const own = `${vsixFile}.${process.pid}`;
  await runProcess('npm', ['run', '--silent', 'package', '--', '--out', own], { cwd: projectFolder });
  renameSync(own, vsixFile);
  const atStart = join(projectFolder, 'dist', 'extension.js');
  console.log(
    `Packaged ${vsixFile} (${kilobytes(vsixFile)}; a window loads ${kilobytes(atStart)} of it when it starts).`,
  );
}

function kilobytes(file: string): string {
  return `${Math.round(statSync(file).size / 1024)} KB`;
}
