// npm run bench:many-files: how long it takes to import many small files, beside what a shell offers: one curl that
// sends eight at a time over connections that it keeps, and a loop that starts a curl for each. All with the same
// files and the same service on this machine, in turn. Prints a table; the aim is to be at least as fast as the former
// and several times as fast as the latter, although each import is recorded durably. curl's time is that of its
// process, ours from the call to the last outcome in a process that runs already, as an editor does.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';
import { exitOnSignals } from '../editor/undoAtExit';
import { bundleBench } from './bundleBench';
import { mustHaveReceived, type Receiver, startReceiver } from './startReceiver';
import { median, printTable } from './table';

const files = 2000;
const fileBytes = 4096;
/** The loop is slow and the same for each file: so many tell enough. */
const filesOfLoop = 200;
const runs = 3;
/** How long the service takes to respond: not at all, and as one that is near and does little. */
const answersMs = [0, 20];

/** One of the ways to send the files of a folder. */
interface Way {
  readonly what: string;
  /** How many files of the folder it sends. */
  readonly count: number;
  /** Requests besides those measured. */
  readonly extra: number;
  /** Gives the milliseconds that it took. */
  readonly send: (folder: string, url: string) => Promise<number>;
}

function makeFiles(folder: string): void {
  mkdirSync(folder);
  for (let number = 0; number < files; number++) {
    writeFileSync(pathOf(folder, number), Buffer.alloc(fileBytes, `line of text in file ${number}\n`));
  }
}

function pathOf(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(4, '0')}.txt`);
}

async function timed(program: string, args: readonly string[]): Promise<number> {
  const begun = performance.now();
  await runProcess(program, args);
  return performance.now() - begun;
}

function withParallelCurl(folder: string, url: string): Promise<number> {
  const config = `${folder}.curl`;
  const common = ['silent', 'show-error', 'fail', 'output = "/dev/null"', 'noproxy = "*"', `url = "${url}"`];
  const transfers = Array.from({ length: files }, (_, number) =>
    [...common, `form = "file=@${pathOf(folder, number)}"`].join('\n'),
  );
  writeFileSync(config, transfers.join('\nnext\n'));
  return timed('curl', ['--parallel', '--parallel-max', '8', '--config', config]);
}

/** Every tenth file. */
function withLoop(folder: string, url: string): Promise<number> {
  const each = `curl --silent --show-error --fail --output /dev/null --noproxy '*' --form "file=@$file" ${url}`;
  return timed('sh', ['-e', '-c', `for file in "$0"/*0.txt; do ${each}; done`, folder]);
}

/** Ours, in a process of its own. */
function withOurs(program: string, atOnce: number): Way['send'] {
  return async (folder, url) => {
    rmSync(`${folder}.store`, { recursive: true, force: true });
    return Number(await runProcess(process.execPath, ['--no-warnings', program, folder, url, String(atOnce)]));
  };
}

/** Milliseconds a file, the median of the runs of each way. */
async function measure(ways: readonly Way[], folder: string, receiver: Receiver): Promise<number[]> {
  const measured = ways.map((): number[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [index, { count, extra, send }] of ways.entries()) {
      const ms = await send(folder, receiver.baseUrl.href);
      mustHaveReceived(await receiver.received(), { posts: count + extra, bodyBytes: count * fileBytes });
      measured[index]?.push(ms / count);
    }
  }
  return measured.map(median);
}

async function bench(): Promise<void> {
  const folder = join(temporaryFolder('di-bench').path, 'files');
  makeFiles(folder);
  const program = await bundleBench('importManyFiles');
  const ways: readonly Way[] = [
    { what: 'ours, 8 at a time', count: files, extra: 1, send: withOurs(program, 8) },
    { what: 'ours, 16 at a time', count: files, extra: 1, send: withOurs(program, 16) },
    { what: 'curl --parallel --parallel-max 8', count: files, extra: 0, send: withParallelCurl },
    { what: 'a shell loop of curl', count: filesOfLoop, extra: 0, send: withLoop },
  ];
  console.log(`${files} files of ${fileBytes} bytes, ${runs} runs each in turn, medians:`);
  for (const answerMs of answersMs) {
    const [ours = Number.NaN, ...others] = await measure(ways, folder, await startReceiver(answerMs));
    const rows = [ours, ...others].map((ms, index) => [
      ways[index]?.what ?? '',
      `${Math.round(1000 / ms)} files/s`,
      (ms / ours).toFixed(2),
    ]);
    printTable([[`a service that answers after ${answerMs} ms`, '', 'ours is faster by'], ...rows]);
  }
}

exitOnSignals();
bench().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
