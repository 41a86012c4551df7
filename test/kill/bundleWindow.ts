import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '../suites/project';

/** Bundles a script that runs in the test windows. Returns the path of the bundle. */
export async function bundleWindow(name: 'takeOrders' | 'reporter', folder: string): Promise<string> {
  const outfile = join(folder, `${name}.js`);
  await build({
    entryPoints: [join(projectFolder, 'test', 'kill', 'window', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    external: ['vscode'],
    logLevel: 'warning',
    logOverride: { 'require-resolve-not-external': 'silent' },
  });
  return outfile;
}
