import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import type { ChangesFound } from './changesProgram';
import type { Comparison } from './comparison';
import { makeFiles } from './makeFiles';

/**
 * How long it takes to find the few changed files of an imported folder, and the longest block of the event loop. Compared
 * with what it takes without a memory: hashing all files.
 */
export async function changes(short: boolean): Promise<Comparison[]> {
  const count = short ? 1000 : 100_000;
  const folder = temporaryFolder('di-bench').path;
  const files = join(folder, 'files');
  makeFiles(files, count);
  const program = await buildProgram<ChangesFound>('changesProgram');
  const { foundMs, blockMs } = await program(join(folder, 'store'), files);
  const begun = performance.now();
  await runProcess('sh', ['-c', `find '${files}' -type f -print0 | xargs -0 sha256sum > '${join(folder, 'sums')}'`]);
  const hashedMs = performance.now() - begun;
  return [
    {
      title: `What has changed of ${count} files`,
      runs: [{ ms: { 'Dataset Import': foundMs, 'sha256sum of all': hashedMs } }],
      show: (ms) => `${Math.round(ms)} ms`,
    },
    {
      title: 'The longest block meanwhile',
      runs: [{ ms: { 'Dataset Import': blockMs, 'at most': 50 } }],
      show: (ms) => `${Math.round(ms)} ms`,
    },
  ];
}
