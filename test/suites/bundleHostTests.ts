import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { outFolder, projectFolder } from './project';

/** Bundles what runs in the extension host, of the tests these files, into out/host; `vscode` and mocha are given there. */
export async function bundleHostTests(files: readonly string[]): Promise<void> {
  const outdir = join(outFolder, 'host');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: ['test/host/index.ts', ...files].map((file) => join(projectFolder, file)),
    outdir,
    outbase: join(projectFolder, 'test', 'host'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    external: ['vscode', 'mocha'],
    sourcemap: 'linked',
    logLevel: 'warning',
  });
}
