// A process of its own for what the decorations of files cost: the arguments are the folder of its store and how many files.
import { hash } from 'node:crypto';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { basename } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type Badge, badgesOf } from '../../src/tasks/comparing/taskListMemory';
import { partsOfList } from '../../src/tasks/history/walk';
import { Files } from '../../src/tasks/sending/files';
import { Sources } from '../../src/tasks/sending/sources';
import { StoreThread } from '../../src/tasks/store/storeThread';
import { TaskList } from '../../src/tasks/store/taskList';
import { storePath, textsFolder } from '../../src/tasks/storePath';
import { type NewTask, newTask } from '../../src/tasks/trackedTask';
import { makeFiles } from './makeFiles';
import { printFigures } from './printFigures';

/** What it takes to decorate all files once. */
export interface Decorated {
  readonly lookMs: number;
  readonly plainMs: number;
  /** The longest time in which nothing else of the process ran. */
  readonly blockMs: number;
  readonly touchedMs: number;
  readonly touchedBlockMs: number;
  readonly againMs: number;
}

/** As many as the provider looks up in one go. */
const AT_ONCE = 500;

const destination = { dataset: 'Books', origin: 'https://import.example.com' };
const imported = new Date(Date.UTC(2026, 0, 1));
const touched = new Date(Date.UTC(2026, 0, 2));

async function decorate(folder: string, count: string): Promise<Decorated> {
  const paths = makeFiles(`${folder}-files`, Number(count));
  for (const path of paths) utimesSync(path, imported, imported);
  const fail = (problem: unknown) => {
    throw problem;
  };
  const store = new StoreThread(storePath(folder), fail);
  const list = new TaskList(store);
  for (const some of partsOfList(paths, AT_ONCE)) await list.add(some.map(taskOf));
  const sources = new Sources(textsFolder(folder), new Files());
  const services = { list, contents: store.contents, sources };
  const glance = async () => {
    for (const some of partsOfList(paths, AT_ONCE)) {
      const found = await badgesOf(services, some, destination, new AbortController().signal);
      assertUnchanged(some, found);
    }
  };
  await sources.files.look([]);
  const look = await measured(async () => {
    for (const some of partsOfList(paths, AT_ONCE)) await sources.files.look(some);
  });
  const plain = await measured(glance);
  for (const path of paths) utimesSync(path, touched, touched);
  const changed = await measured(glance);
  const again = await measured(glance);
  return {
    lookMs: look.ms,
    plainMs: plain.ms,
    blockMs: plain.blockMs,
    touchedMs: changed.ms,
    touchedBlockMs: changed.blockMs,
    againMs: again.ms,
  };
}

async function measured(run: () => Promise<void>): Promise<{ ms: number; blockMs: number }> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const begun = performance.now();
  await run();
  const ms = performance.now() - begun;
  delays.disable();
  return { ms, blockMs: delays.max / 1e6 };
}

function assertUnchanged(paths: readonly string[], found: ReadonlyMap<string, Badge>): void {
  const isWrong = paths.some((path) => found.get(path)?.kind !== 'unchanged');
  if (isWrong) throw new Error('A file is not known as it was imported.');
}

function taskOf(path: string): NewTask {
  const { size, mtimeMs } = statSync(path);
  const sha256 = hash('sha256', readFileSync(path), 'hex');
  const name = basename(path);
  const report = { status: 'DONE', meaning: 'succeeded', progress: undefined, message: undefined, from: {} } as const;
  return newTask({
    ...destination,
    source: { from: 'disk', path, relativePath: name, name, sizeBytes: size, modifiedMs: mtimeMs, sha256 },
    createdMs: Number(imported),
    phase: { kind: 'accepted', report },
  });
}

const [folder = '', count = ''] = process.argv.slice(2);
printFigures(decorate(folder, count));
