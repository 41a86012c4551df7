import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import type { ChangesFound } from './changesProgram';
import type { Comparison } from './comparison';
import { makeFiles } from './makeFiles';

/**
 * Compares the time to find a few changed files in an imported folder with the time to hash all files. Also measures
 * how long the event loop is blocked.
 */
export async function changes(short: boolean): Promise<Comparison[]> {
  const count = short ? 1000 : 100_000;
  const folder = temporaryFolder('di-bench').path;
  const files = join(folder, 'files');
  makeFiles(files, count);
  const program = await buildProgram<ChangesFound>('changesProgram');
  const { foundMs, blockMs } = await program(join(folder, 'store'), files);
  const startedMs = performance.now();
  await runProcess('sh', ['-c', `find '${files}' -type f -print0 | xargs -0 sha256sum > '${join(folder, 'sums')}'`]);
  const hashedMs = performance.now() - startedMs;
  return [
    {
      title: `Finding the changed files among ${count} files`,
      runs: [{ ms: { 'Dataset Import': foundMs, 'sha256sum of all': hashedMs } }],
      show: (ms) => `${Math.round(ms)} ms`,
    },
    {
      title: 'Longest time the event loop was blocked',
      runs: [{ ms: { 'Dataset Import': blockMs, 'at most': 50 } }],
      show: (ms) => `${Math.round(ms)} ms`,
    },
  ];
}
