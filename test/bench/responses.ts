import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import type { Comparison } from './comparison';
import { type ListedTasks, listedId, listedTasks } from './listedTasks';
import type { ResponseCost } from './responsesProgram';

/**
 * What each response costs the window that follows a task at a service that lists all of its tasks in it: the processor
 * time, beside that of `JSON.parse` of its text, and the longest time in which nothing else of the window ran.
 */
export async function responses(short: boolean): Promise<Comparison[]> {
  const counts = short ? [50] : [50, 500, 5000];
  const all = counts.flatMap((count) =>
    (['list', 'map'] as const).flatMap((shape) =>
      (['numbers', 'strings'] as const).flatMap((ids) =>
        [true, false].map((isRecognized): ListedTasks => ({ count, shape, ids, isRecognized })),
      ),
    ),
  );
  const program = await buildProgram<ResponseCost>('responsesProgram');
  const folder = temporaryFolder('di-bench').path;
  const comparisons: Comparison[] = [];
  for (const listed of all) comparisons.push(await measured(listed, short ? 3 : 11));
  return comparisons;

  async function measured(listed: ListedTasks, times: number): Promise<Comparison> {
    const { count, shape, ids, isRecognized } = listed;
    let turn = 0;
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end(listedTasks(listed, turn++)));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    // Neither the first nor the last one.
    const id = listedId(listed, Math.floor(count * 0.7));
    const store = join(folder, String(comparisons.length));
    const { cpuMs, blockMs } = await program(store, `http://127.0.0.1:${port}`, id, String(times));
    server.close();
    server.closeAllConnections();
    return {
      title: `A ${shape} of ${count} tasks, ids as ${ids}, status ${isRecognized ? '' : 'not '}recognized`,
      runs: [
        { ms: { 'Dataset Import': cpuMs, 'JSON.parse': parseMs(listed) }, more: { 'longest block, ms': blockMs } },
      ],
      show: (ms) => `${ms.toFixed(2)} ms`,
    };
  }
}

/** Of the text alone, the best of several. */
function parseMs(listed: ListedTasks): number {
  const text = listedTasks(listed, 0);
  const took = Array.from({ length: 20 }, () => {
    const begun = performance.now();
    JSON.parse(text);
    return performance.now() - begun;
  });
  return Math.min(...took);
}
