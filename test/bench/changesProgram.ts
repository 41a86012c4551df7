// A process of its own for one measurement: the first argument is the folder of its store, the second one that of the files.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { typedTaskId } from '../../src/service/json/taskId';
import { compareChecked, unchangedFiles } from '../../src/tasks/comparing/taskListMemory';
import { Files } from '../../src/tasks/sending/files';
import { Sources } from '../../src/tasks/sending/sources';
import { StoreThread } from '../../src/tasks/store/storeThread';
import { TaskList } from '../../src/tasks/store/taskList';
import { storePath, textsFolder } from '../../src/tasks/storePath';
import { type NewTask, newTask } from '../../src/tasks/trackedTask';
import { printFigures } from './printFigures';

/** How long it took to find what has changed, and the longest time in which nothing else ran. */
export interface ChangesFound {
  readonly foundMs: number;
  readonly blockMs: number;
}

const BENCH = { dataset: 'Bench', origin: 'https://bench.example' };

/** Every so many files one has changed. */
const CHANGED = 200;

/** Remembers all files of the folder as imported, changes some of them, and finds these. */
async function findChanges(store: string, folder: string): Promise<ChangesFound> {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const thread = new StoreThread(storePath(store), () => {});
  const [list, sources, signal] = [
    new TaskList(thread),
    new Sources(textsFolder(store), new Files()),
    new AbortController().signal,
  ];
  await list.add(paths.map(imported));
  const edited = paths.filter((_, index) => index % CHANGED === 0);
  for (const path of edited) writeFileSync(path, `edited ${path}`);
  const services = { list, contents: thread.contents, sources };
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const begun = performance.now();
  const unchanged = await unchangedFiles(services, paths, BENCH, signal);
  const others = paths.filter((path) => !unchanged.has(path)).map((path) => ({ path, relativePath: basename(path) }));
  const checked = (await sources.check(others)).filter((one) => 'source' in one);
  const { standings } = await compareChecked(services, checked, BENCH, signal);
  const foundMs = performance.now() - begun;
  const changed = [...standings.values()].filter(({ kind }) => kind === 'changed');
  if (changed.length !== edited.length) throw new Error(`${changed.length} of ${edited.length} changes were found.`);
  return { foundMs, blockMs: delays.max / 1e6 };
}

function imported(path: string): NewTask {
  const { size, mtimeMs } = statSync(path);
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  const name = basename(path);
  return newTask({
    ...BENCH,
    createdMs: Date.now(),
    taskId: typedTaskId(path, 'string'),
    phase: {
      kind: 'accepted',
      report: { status: 'DONE', meaning: 'succeeded', progress: undefined, message: undefined, from: {} },
    },
    source: { from: 'disk', path, relativePath: name, name, sizeBytes: size, modifiedMs: mtimeMs, sha256 },
  });
}

const [store = '', folder = ''] = process.argv.slice(2);
printFigures(findChanges(store, folder));
