import { copyFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ownFolder } from './ownFolder';
import { outFolder, projectFolder } from './project';

/**
 * Compiles each file in src and test to plain JavaScript, and returns the output folder. This way, test processes and
 * threads load only the files that they use, and test files share the compiled files.
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
    logOverride: { 'require-resolve-not-external': 'silent' },
    // Otherwise, dynamic imports of CommonJS modules would need file extensions.
    supported: { 'dynamic-import': false },
  });
  copyFileSync(join(projectFolder, 'package.json'), join(path, 'package.json'));
  return path;
}
