import { join } from 'node:path';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import { type Comparison, type Run, repeat } from './comparison';
import { fileBytes, makeFiles } from './makeFiles';
import type { Canceled, Queued, SentAmong } from './queueProgram';
import { mustHaveReceived, startReceiver } from './startReceiver';

/**
 * How long a folder's imports take to be queued and shown, and after their window was killed, how long the next one
 * takes from its start to the first byte of what was left. Beside the least that keeping them costs: the same tasks as
 * JSON, written to a bare SQLite file in one transaction, and read from it. Then what very many imports take to be queued
 * and canceled, and what one file takes while they wait behind it.
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
  const many = short ? 1000 : 100_000;
  const canceled = await (await buildProgram<Canceled>('queueProgram'))(
    'cancel',
    join(folder, 'canceled'),
    String(many),
  );
  const sent = join(folder, 'sent');
  makeFiles(sent, short ? 50 : 1000);
  const sendAmong = await buildProgram<SentAmong>('queueProgram');
  const among = async (others: number) =>
    (await sendAmong('sendAmong', join(folder, `among-${others}`), sent, receiver.baseUrl.href, String(others))).cpuMs;
  const [few, lots] = [await among(many / 100), await among(many)];
  const show = (ms: number) => `${Math.round(ms)} ms`;
  const beside = (title: string, ours: number, aim: number, shown = show): Comparison => ({
    title,
    runs: [{ ms: { 'Dataset Import': ours, 'at most': aim } }],
    show: shown,
  });
  return [
    { title: `${count} imports queued and shown`, runs: added, show },
    { title: `${count} imports resumed after a kill, to the first byte`, runs: resumed, show },
    beside(`${many} imports that wait are canceled`, canceled.cancelMs, many * 0.03),
    beside(`The longest block while ${many} imports are queued and canceled`, canceled.blockMs, 50),
    beside(`The heap that ${many} queued imports take`, canceled.heapMB, 60, (mb) => `${mb.toFixed(1)} MB`),
    {
      title: `The processor's time for a file with ${many} others behind it, and with ${many / 100}`,
      runs: [{ ms: { 'Dataset Import': lots, [`with ${many / 100}`]: few } }],
      show: (ms) => `${ms.toFixed(2)} ms`,
    },
  ];
}

function asRun({ oursMs, sqliteMs }: Queued): Run {
  return { ms: { 'Dataset Import': oursMs, 'bare SQLite': sqliteMs } };
}
