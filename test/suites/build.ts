import { statSync } from 'node:fs';
import { runProcess } from '../editor/runProcess';
import { bundleHostTests } from './bundleHostTests';
import { projectFolder, vsixFile } from './project';

/** Bundles the extension into dist/, and the host tests into out/host/. */
export async function build(): Promise<void> {
  console.log('Building the extension and the host tests.');
  await runProcess(process.execPath, ['esbuild.mjs'], { cwd: projectFolder });
  await bundleHostTests();
}

/** Makes the VSIX. Bundles dist/ anew, for production. */
export async function packageExtension(): Promise<void> {
  await runProcess('npm', ['run', '--silent', 'package'], { cwd: projectFolder });
  console.log(`Packaged ${vsixFile} (${Math.round(statSync(vsixFile).size / 1024)} KB).`);
}
