// A process of its own for one measurement of the queue, whose store is in the folder named by the second argument.
// "add" queues all files of the folder named by the third one, and prints the milliseconds until the rows of the view
// are there; it then ends as a killed window does, before anything was sent. "resume" begins as a window does, and prints
// the milliseconds until the first bytes of what was left leave to the service named by the third argument.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { takeOverImports } from '../../src/editor/importing/takeOverImports';
import { topLevel } from '../../src/editor/tree/batches';
import type { Target } from '../../src/service/request/requests';
import { checkFile } from '../../src/tasks/sending/sources';
import { makeTaskParts } from '../../src/tasks/taskParts';
import { wire } from '../unit/service/wire';
import { benchTarget } from './benchTarget';

function parts(folder: string, findTarget: () => Promise<Target>) {
  return makeTaskParts({
    folder,
    service: wire(),
    findTarget,
    originOf: () => undefined,
    allowed: () => 4,
    onSetAside: () => {},
  });
}

async function add(store: string, files: string): Promise<number> {
  const { queue, list } = parts(store, () => new Promise(() => {}));
  const checked = await Promise.all(readdirSync(files).map((name) => checkFile(join(files, name), name)));
  const begun = performance.now();
  const shown = Promise.withResolvers<number>();
  list.events.on('change', () => shown.resolve(topLevel(list).length));
  await queue.add(checked, 'Bench', { id: 'bench', label: 'files' });
  if ((await shown.promise) !== 1) throw new Error('The rows are not there.');
  return performance.now() - begun;
}

function resume(store: string, baseUrl: string): Promise<number> {
  const to = benchTarget(baseUrl);
  const begun = performance.now();
  const { queue, list } = parts(store, async () => to);
  return new Promise((resolve) => {
    queue.events.on('change', () => {
      if ((queue.progress?.sentBytes ?? 0) > 0) resolve(performance.now() - begun);
    });
    takeOverImports(list);
  });
}

const [what, store = '', where = ''] = process.argv.slice(2);
const measuring = what === 'add' ? add(store, where) : resume(store, where);
measuring.then(
  (ms) => {
    console.log(String(ms));
    process.exit(0);
  },
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
