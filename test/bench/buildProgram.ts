import { join } from 'node:path';
import { build } from 'esbuild';
import { runProcess } from '../editor/runProcess';
import { outFolder, projectFolder } from '../suites/project';
import { certificatePath } from '../unit/service/certificates';

/**
 * Bundles a program of this folder as the extension itself is bundled: tsx would have its own part in the time. The
 * function given runs it in a process of its own that trusts the receiver's certificate, and gives the figures that it
 * prints (printFigures.ts); `wrapper` is the command that runs it, if any.
 */
export async function buildProgram<Figures>(
  name: string,
  wrapper: readonly string[] = [],
): Promise<(...args: string[]) => Promise<Figures>> {
  const outfile = join(outFolder, 'bench', `${name}.js`);
  await build({
    // Threads run files of their own.
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
  const [command = '', ...before] = [...wrapper, process.execPath, '--no-warnings', outfile];
  return async (...args) => JSON.parse(await runProcess(command, [...before, ...args], { env }));
}
