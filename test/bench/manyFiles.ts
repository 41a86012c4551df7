import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';
import { certificatePath } from '../unit/service/certificates';
import { buildProgram } from './buildProgram';
import { type Comparison, repeat } from './comparison';
import { fileBytes, makeFiles } from './makeFiles';
import type { Sent } from './sendingProgram';
import { mustHaveReceived, startReceiver } from './startReceiver';

const certificate = certificatePath('loopback');

/** A way to upload the files in a folder. */
interface Way {
  readonly name: string;
  /** The number of files that are uploaded. */
  readonly count: number;
  /** The number of additional requests that aren't measured. */
  readonly extra: number;
  /** Returns the elapsed time in milliseconds. */
  send(url: string): Promise<number>;
}

/**
 * Compares importing many small files with uploading them using either one parallel curl process or curl in a shell
 * loop. The times for curl include its startup. We measure our own time in a process that is already running, like an
 * editor, and stop when the last outcome is stored.
 */
export async function manyFiles(short: boolean): Promise<Comparison[]> {
  const count = short ? 100 : 2000;
  const ways = await makeWays(join(temporaryFolder('di-bench').path, 'files'), count);
  const comparisons: Comparison[] = [];
  for (const protocol of ['http:', 'https:'] as const) {
    for (const responseMs of [0, 20, 100]) {
      const receiver = await startReceiver(responseMs, protocol);
      // With a service this slow, one run is enough: it takes minutes, and all runs take about the same time.
      const runs = await repeat(short || responseMs === 100 ? 1 : 3, async () => {
        const ms: Record<string, number> = {};
        const more: Record<string, number> = {};
        for (const way of ways) {
          ms[way.name] = (await way.send(receiver.baseUrl.href)) / way.count;
          const expected = { posts: way.count + way.extra, bodyBytes: way.count * fileBytes };
          const received = await receiver.received();
          mustHaveReceived(received, expected);
          more[`${way.name}: requests`] = received.posts;
          more[`${way.name}: connections`] = received.connections;
        }
        return { ms, more };
      });
      const to = `${protocol === 'http:' ? 'an http' : 'an https'} service that responds after ${responseMs} ms`;
      const title = `${count} files of ${fileBytes} bytes to ${to}`;
      comparisons.push({ title, runs, show: (ms) => `${Math.round(1000 / ms)} files/s` });
    }
  }
  return comparisons;
}

async function makeWays(folder: string, count: number): Promise<Way[]> {
  const paths = makeFiles(folder, count);
  const program = await buildProgram<Sent>('sendingProgram');
  const ownTask = (atOnce: number): Way => ({
    name: `Dataset Import, ${atOnce} at a time`,
    count,
    extra: 1,
    send: async (url) => (await program(mkdtempSync(`${folder}.store-`), folder, url, String(atOnce))).oursMs,
  });
  const parallelCurl: Way = {
    name: 'curl --parallel --parallel-max 8',
    count,
    extra: 0,
    send: (url) => {
      const config = `${folder}.curl`;
      const quiet = ['silent', 'show-error', 'fail', 'output = "/dev/null"'];
      const common = [...quiet, 'noproxy = "*"', 'http1.1', `cacert = "${certificate}"`, `url = "${url}"`];
      const transfers = paths.map((path) => [...common, `form = "file=@${path}"`].join('\n'));
      writeFileSync(config, transfers.join('\nnext\n'));
      return timed('curl', ['--parallel', '--parallel-max', '8', '--config', config]);
    },
  };
  const loop: Way = {
    name: 'curl in a shell loop',
    // The loop takes the same time for each file, so measuring a tenth of the files is enough.
    count: count / 10,
    extra: 0,
    send: (url) => {
      const quiet = 'curl --silent --show-error --fail --output /dev/null';
      const each = `${quiet} --noproxy '*' --http1.1 --cacert "$1" --form "file=@$file" ${url}`;
      return timed('sh', ['-e', '-c', `for file in "$0"/*0.txt; do ${each}; done`, folder, certificate]);
    },
  };
  return [ownTask(8), ownTask(16), parallelCurl, loop];
}

async function timed(program: string, args: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  await runProcess(program, args);
  return performance.now() - startedMs;
}
