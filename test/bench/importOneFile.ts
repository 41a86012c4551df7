// A separate process that measures importing one file. Its arguments are the file and the service's base URL. It
// imports its own source file first, so that all the code is loaded, as in an editor that has been running for a while.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { FileBody } from '../../src/service/content/fileBody';
import { hashed } from '../../src/service/content/hashing';
import type { ImportSource } from '../../src/service/content/sourceBody';
import { unwatched, wire } from '../unit/service/wire';
import { benchTarget } from './benchTarget';
import { printFigures } from './printFigures';

export interface OneImport {
  readonly ms: number;
  /** The process's peak memory, minus its memory before the import. */
  readonly peakRssBytes: number;
  readonly loopDelayMs: { readonly p99: number; readonly max: number };
}

const sampleMs = 20;

async function importOne(path: string, baseUrl: string): Promise<OneImport> {
  const service = wire();
  const to = benchTarget(baseUrl);
  await service.fileTask(to, sourceAt(__filename), unwatched());
  const startRssBytes = process.memoryUsage.rss();
  let peak = startRssBytes;
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const sampling = setInterval(sample, sampleMs);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const startedMs = performance.now();
  const outcome = await service.fileTask(to, sourceAt(path), unwatched());
  const ms = performance.now() - startedMs;
  delays.disable();
  clearInterval(sampling);
  sample();
  if (outcome.kind !== 'accepted') throw new Error(`The import ended as ${outcome.kind}`);
  const loopDelayMs = { p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 };
  return { ms, peakRssBytes: peak - startRssBytes, loopDelayMs };
}

/** Hashes the file as it is read, like a real import. */
function sourceAt(path: string): ImportSource {
  return { relativePath: path, open: async () => hashed(await FileBody.open(path)) };
}

const [path = '', baseUrl = ''] = process.argv.slice(2);
printFigures(importOne(path, baseUrl));
