import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { outFolder, projectFolder } from './project';

/** Threads run the programs of the extension itself, which is bundled apart. */
const threadsOfExtension: Plugin = {
  name: 'threads-of-extension',
  setup({ onResolve }) {
    onResolve({ filter: /\/(fileProgram|matchProgram|storeProgram)$/ }, ({ path }) => ({
      path: join(projectFolder, 'dist', `${basename(path)}.js`),
      external: true,
    }));
  },
};

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
    plugins: [threadsOfExtension],
    sourcemap: 'linked',
    logLevel: 'warning',
  });
}
