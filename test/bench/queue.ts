import { join } from 'node:path';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import { type Comparison, type Run, repeat } from './comparison';
import { fileBytes, makeFiles } from './makeFiles';
import type { Queued } from './queueProgram';
import { mustHaveReceived, startReceiver } from './startReceiver';

/**
 * How long a folder's imports take to be queued and shown, and after their window was killed, how long the next one
 * takes from its start to the first byte of what was left. Beside the least that keeping them costs: the same tasks as
 * JSON, written to a bare SQLite file in one transaction, and read from it.
 */
export async function queue(short: boolean): Promise<Comparison[]> {
  const count = short ? 200 : 10_000;
  const folder = temporaryFolder('di-bench').path;
  const files = join(folder, 'files');
  makeFiles(files, count);
  const receiver = await startReceiver();
  const program = await buildProgram<Queued>('queueProgram');
  const added: Run[] = [];
  const resumed = await repeat(short ? 1 : 3, async () => {
    const store = join(folder, `store-${added.length}`);
    added.push(asRun(await program('add', store, files)));
    const run = asRun(await program('resume', store, receiver.baseUrl.href));
    mustHaveReceived(await receiver.received(), { posts: count, bodyBytes: count * fileBytes });
    return run;
  });
  const show = (ms: number) => `${Math.round(ms)} ms`;
  return [
    { title: `${count} imports queued and shown`, runs: added, show },
    { title: `${count} imports resumed after a kill, to the first byte`, runs: resumed, show },
  ];
}

function asRun({ oursMs, sqliteMs }: Queued): Run {
  return { ms: { 'Dataset Import': oursMs, 'bare SQLite': sqliteMs } };
}
