import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import { type Comparison, repeat } from './comparison';
import type { OneImport } from './importOneFile';
import { mustHaveReceived, startReceiver } from './startReceiver';

const MiB = 1024 * 1024;

/**
 * Compares importing one large file with uploading it using `curl -F`. For curl, we use the time that curl itself
 * reports, which excludes its startup. Our own measurement stops when the outcome is known.
 */
export async function largeFile(short: boolean): Promise<Comparison[]> {
  const sizesMiB = short ? [32] : [100, 1024, 2048];
  const folder = temporaryFolder('di-bench').path;
  const path = join(folder, 'large.txt');
  const receiver = await startReceiver();
  const importOne = await buildProgram<OneImport>('importOneFile');
  const comparisons: Comparison[] = [];
  for (const sizeMiB of sizesMiB) {
    await makeFile(path, sizeMiB);
    const runs = await repeat(short ? 1 : 3, async () => {
      const curlMs = await withCurl(path, receiver.baseUrl);
      const { ms, peakRssBytes, loopDelayMs } = await importOne(path, receiver.baseUrl.href);
      // One of the POSTs is for the small file that our program uploads first.
      mustHaveReceived(await receiver.received(), { posts: 3, bodyBytes: 2 * sizeMiB * MiB });
      return {
        ms: { 'Dataset Import': ms, 'curl -F': curlMs },
        more: {
          'peak memory above the start, MiB': peakRssBytes / MiB,
          'event loop delay, p99, ms': loopDelayMs.p99,
          'event loop delay at most, ms': loopDelayMs.max,
        },
      };
    });
    const show = (ms: number) => `${Math.round(sizeMiB / (ms / 1000))} MiB/s`;
    comparisons.push({ title: `One file of ${sizeMiB} MiB`, runs, show });
  }
  return comparisons;
}

async function makeFile(path: string, sizeMiB: number): Promise<void> {
  const lines = function* () {
    for (let at = 0; at < sizeMiB; at++) yield Buffer.alloc(MiB, `line of text in MiB ${at}\n`);
  };
  await pipeline(Readable.from(lines(), { objectMode: false }), createWriteStream(path));
}

async function withCurl(path: string, baseUrl: URL): Promise<number> {
  const quiet = ['--silent', '--show-error', '--fail', '--output', '/dev/null', '--noproxy', '*'];
  const sending = ['--write-out', '%{time_total}', '--form', `file=@${path}`, new URL('/file-task', baseUrl).href];
  return Number.parseFloat(await runProcess('curl', [...quiet, ...sending])) * 1000;
}
