// A process of its own for one measurement: imports all files of the folder named by the first argument to the service
// named by the second one, as many at a time as the third one says. All is done as in a batch: each file is looked at,
// queued in a store beside the folder, marked there before it leaves, hashed as it is read, its answer stored. Imports
// itself first, so that all that is loaded at the first import is there. Prints the milliseconds that it took.
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ImportQueue } from '../../src/tasks/queue/importQueue';
import { checkFile } from '../../src/tasks/sending/sources';
import { makeTaskParts } from '../../src/tasks/taskParts';
import { wire } from '../unit/service/wire';
import { benchTarget } from './benchTarget';

async function importAll(paths: readonly string[], queue: ImportQueue): Promise<void> {
  const ended = once(queue.events, 'ended');
  const run = await queue.add(await Promise.all(paths.map((path) => checkFile(path, path))), 'Bench');
  await ended;
  const other = run.results.find(({ end }) => end.kind !== 'accepted');
  if (other !== undefined) throw new Error(`An import ended as ${other.end.kind}`);
}

async function measure(folder: string, baseUrl: string, atOnce: number): Promise<number> {
  const store = `${folder}.store`;
  mkdirSync(store);
  const to = benchTarget(baseUrl);
  const { queue } = makeTaskParts({
    folder: store,
    service: wire(),
    findTarget: async () => to,
    originOf: () => to.baseUrl.origin,
    allowed: () => atOnce,
    onSetAside: () => {},
  });
  await importAll([__filename], queue);
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const begun = performance.now();
  await importAll(paths, queue);
  return performance.now() - begun;
}

const [folder = '', baseUrl = '', atOnce] = process.argv.slice(2);
measure(folder, baseUrl, Number(atOnce)).then(
  (ms) => console.log(String(ms)),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
