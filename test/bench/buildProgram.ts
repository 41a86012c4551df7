import { join } from 'node:path';
import { build } from 'esbuild';
import { runProcess } from '../editor/runProcess';
import { outFolder, projectFolder } from '../suites/project';
import { certificatePath } from '../unit/service/certificates';

/**
 * Bundles a program in this folder the way the extension is bundled, because tsx would slow it down. The returned function runs
 * the program in a new process that trusts the receiver's certificate, and returns the figures that the program prints (see
 * printFigures.ts).
 */
export async function buildProgram<Figures>(name: string): Promise<(...args: string[]) => Promise<Figures>> {
  const outfile = join(outFolder, 'bench', `${name}.js`);
  await build({
    // Each worker thread loads its program from a separate file.
    entryPoints: [`test/bench/${name}.ts`, 'src/**/*Program.ts'].map((file) => join(projectFolder, file)),
    entryNames: '[name]',
    outdir: join(outFolder, 'bench'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    logLevel: 'warning',
    logOverride: { 'require-resolve-not-external': 'silent' },
  });
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificatePath('loopback') };
  return async (...args) =>
    JSON.parse(await runProcess(process.execPath, ['--no-warnings', outfile, ...args], { env }));
}
