import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { outFolder, projectFolder } from './project';

/** Bundles what runs in the extension host into out/host; `vscode` and mocha are given there. */
export async function bundleHostTests(): Promise<void> {
  const outdir = join(outFolder, 'host');
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [
      join(projectFolder, 'test', 'host', 'index.ts'),
      ...globSync(join(projectFolder, 'test', 'host', '**', '*.test.ts')),
    ],
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
