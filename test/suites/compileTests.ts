import { copyFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ownFolder } from './ownFolder';
import { outFolder, projectFolder } from './project';

/**
 * Compiles src and test to plain JavaScript, file by file, into a folder of this process; gives that folder. Test
 * processes, their workers and threads then load only what they use, and share it between test files.
 */
export async function compileTests(): Promise<string> {
  const { path } = ownFolder(outFolder, 'tests');
  await build({
    entryPoints: globSync('{src,test}/**/*.ts', { cwd: projectFolder }).map((file) => join(projectFolder, file)),
    outdir: path,
    outbase: projectFolder,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    sourcemap: 'linked',
    logLevel: 'warning',
    // A CommonJS module that is imported needs no extension then.
    supported: { 'dynamic-import': false },
  });
  copyFileSync(join(projectFolder, 'package.json'), join(path, 'package.json'));
  return path;
}
