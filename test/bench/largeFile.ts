// npm run bench:large-file: what it takes to import one large file, beside `curl -F` with the same file and the same
// service on this machine, in turn. Prints a table; the aims are 0.4 of curl's throughput, at most 100 MiB of memory
// whatever the file's size, and an event loop that is free within 50 ms (p99) meanwhile. curl tells its own time,
// without its start; ours is from the call to the outcome.
import { createWriteStream, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runProcess } from '../editor/runProcess';
import { type TemporaryFolder, temporaryFolder } from '../editor/temporaryFolder';
import { exitOnSignals } from '../editor/undoAtExit';
import { bundleBench } from './bundleBench';
import type { OneImport } from './importOneFile';
import { mustHaveReceived, type Receiver, startReceiver } from './startReceiver';
import { median, printTable } from './table';

const MiB = 1024 * 1024;
const sizes = [100 * MiB, 1024 * MiB, 2048 * MiB];
const runs = 3;

interface Run {
  readonly curlMs: number;
  readonly ours: OneImport;
}

function mustHaveRoom(folder: TemporaryFolder): void {
  const { bavail, bsize } = statfsSync(folder.path);
  const neededBytes = Math.max(...sizes);
  if (bavail * bsize < neededBytes) throw new Error(`Needs ${neededBytes / MiB} MiB in ${folder.path}`);
}

async function makeFile(path: string, sizeBytes: number): Promise<void> {
  const lines = function* () {
    for (let at = 0; at < sizeBytes; at += MiB) yield Buffer.alloc(MiB, `line of text at ${at}\n`);
  };
  await pipeline(Readable.from(lines(), { objectMode: false }), createWriteStream(path));
}

async function withCurl(path: string, { baseUrl }: Receiver): Promise<number> {
  const quiet = ['--silent', '--show-error', '--fail', '--output', '/dev/null', '--noproxy', '*'];
  const printed = await runProcess('curl', [
    ...quiet,
    ...['--write-out', '%{time_total}', '--form', `file=@${path}`, new URL('/file-task', baseUrl).href],
  ]);
  return Number(printed) * 1000;
}

async function withOurs(program: string, path: string, { baseUrl }: Receiver): Promise<OneImport> {
  return JSON.parse(await runProcess(process.execPath, ['--no-warnings', program, path, baseUrl.href]));
}

async function measure(sizeBytes: number, folder: TemporaryFolder, receiver: Receiver): Promise<Run[]> {
  const program = await bundleBench('importOneFile');
  const path = join(folder.path, 'large.txt');
  await makeFile(path, sizeBytes);
  const measured: Run[] = [];
  for (let run = 0; run < runs; run++) {
    const curlMs = await withCurl(path, receiver);
    const ours = await withOurs(program, path, receiver);
    mustHaveReceived(await receiver.received(), { posts: 3, bodyBytes: 2 * sizeBytes });
    measured.push({ curlMs, ours });
  }
  return measured;
}

function row(sizeBytes: number, measured: readonly Run[]): string[] {
  const rate = (ms: number) => `${Math.round(sizeBytes / MiB / (ms / 1000))} MiB/s`;
  const curlMs = median(measured.map((run) => run.curlMs));
  const oursMs = median(measured.map(({ ours }) => ours.ms));
  const rssBytes = Math.max(...measured.map(({ ours }) => ours.peakRssBytes));
  const loop = (which: 'p99' | 'max') => Math.max(...measured.map(({ ours }) => ours.loopDelayMs[which]));
  return [
    `${sizeBytes / MiB} MiB`,
    rate(curlMs),
    rate(oursMs),
    (curlMs / oursMs).toFixed(2),
    `${Math.round(rssBytes / MiB)} MiB`,
    `${loop('p99').toFixed(1)} ms`,
    `${loop('max').toFixed(1)} ms`,
  ];
}

async function bench(): Promise<void> {
  const folder = temporaryFolder('di-bench');
  mustHaveRoom(folder);
  const receiver = await startReceiver();
  const rows = [['file', 'curl -F', 'ours', 'ratio', 'peak memory', 'loop p99', 'loop max']];
  for (const sizeBytes of sizes) rows.push(row(sizeBytes, await measure(sizeBytes, folder, receiver)));
  console.log(`One file, ${runs} runs each in turn: medians of the throughput, the worst of memory and event loop.`);
  printTable(rows);
}

exitOnSignals();
bench().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
