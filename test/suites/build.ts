import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { projectFolder, vsixFile } from './project';

/** Bundles the extension into dist/, for development. */
export async function buildExtension(): Promise<void> {
  await runProcess(process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
}

/** Bundles the extension into dist/, for production, and makes the VSIX of it. */
export async function packageExtension(): Promise<void> {
  // Moved into place when whole, because another process may be installing the one that is there.
  const own = `${vsixFile}.${process.pid}`;
  await runProcess('npm', ['run', '--silent', 'package', '--', '--out', own], { cwd: projectFolder });
  renameSync(own, vsixFile);
  const atStart = join(projectFolder, 'dist', 'extension.js');
  console.log(
    `Packaged ${vsixFile} (${kilobytes(vsixFile)}; a window loads ${kilobytes(atStart)} of it at its start).`,
  );
}

function kilobytes(file: string): string {
  return `${Math.round(statSync(file).size / 1024)} KB`;
}
