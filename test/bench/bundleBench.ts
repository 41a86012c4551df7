import { join } from 'node:path';
import { build } from 'esbuild';
import { outFolder } from '../suites/project';

/**
 * Bundles what a benchmark measures in a process of its own, as the extension itself is bundled: tsx would have its own
 * part in the time. Gives the path of the program.
 */
export async function bundleBench(name: 'importOneFile' | 'importManyFiles' | 'queueProgram'): Promise<string> {
  const outfile = join(outFolder, 'bench', `${name}.js`);
  await build({
    entryPoints: [join(__dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    logLevel: 'warning',
  });
  return outfile;
}
