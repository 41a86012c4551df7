// A process of its own for one measurement of what the task database costs its window: the first argument names it, the
// second one the folder of its store.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { WRITTEN_AT_ONCE } from '../../src/tasks/history/walk';
import { StoreThread } from '../../src/tasks/store/storeThread';
import { TaskList } from '../../src/tasks/store/taskList';
import { type NewTask, newTask, type Phase, type TrackedTask } from '../../src/tasks/trackedTask';
import { printFigures } from './printFigures';

/** What all imports of one batch cost together. */
export interface BatchCosts {
  readonly addMs: number;
  readonly endMs: number;
  readonly clearMs: number;
  /** The longest time in which nothing else of the process ran. */
  readonly blockMs: number;
  readonly fullMB: number;
  readonly clearedMB: number;
}

/** The longest time in which nothing else of the process ran while tasks were added, marked and ended one by one. */
export interface Blocked {
  readonly blockMs: number;
  readonly tookMs: number;
}

/** How long it takes to see whether a content is known. */
export interface LookUp {
  readonly medianMs: number;
  readonly worstMs: number;
}

const LOOK_UPS = 200;

const accepted: Phase = {
  kind: 'accepted',
  report: { status: 'DONE', meaning: 'succeeded', progress: undefined, message: undefined, from: {} },
};

/** Queues a batch, ends it and clears it. */
async function batch(folder: string, count: string): Promise<BatchCosts> {
  const { list, sizeMB } = open(folder);
  await list.loaded();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const added: TrackedTask[] = [];
  const addMs = await time(async () => {
    for (let from = 0; from < Number(count); from += WRITTEN_AT_ONCE) {
      const size = Math.min(WRITTEN_AT_ONCE, Number(count) - from);
      added.push(...(await list.add(Array.from({ length: size }, (_, index) => taskOf(from + index)))));
    }
  });
  const keys = added.map(({ key }) => key);
  const lastResponse = `{"code":"0","message":null,"data":{"words":"${'word '.repeat(100)}"}}`;
  const end = { phase: accepted, importResponse: lastResponse, lastResponse };
  const endMs = await time(() => list.updateAll(keys.map((key) => [key, () => end])));
  const fullMB = sizeMB();
  const clearMs = await time(() => list.remove(keys));
  return { addMs, endMs, clearMs, blockMs: delays.max / 1e6, fullMB, clearedMB: sizeMB() };
}

/** Takes each of a few imports through its states, as sending does, and one of them through as many status changes. */
async function single(folder: string, imports: string, changes: string): Promise<Blocked> {
  const { list } = open(folder);
  await list.loaded();
  const added = await list.add(Array.from({ length: Number(imports) + 1 }, (_, index) => taskOf(index)));
  const [followed, ...others] = added.map(({ key }) => key);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const tookMs = await time(async () => {
    for (const key of others) {
      await list.begin(key, 'A 1');
      await list.update(key, () => ({ phase: accepted }));
    }
    for (let change = 0; change < Number(changes); change++)
      await list.update(followed ?? 0, () => ({ checkedMs: change }));
  });
  return { blockMs: delays.max / 1e6, tookMs };
}

/** Looks for contents among those of as many imports. */
async function lookUp(folder: string, count: string): Promise<LookUp> {
  const { list, contents } = open(folder);
  for (let from = 0; from < Number(count); from += 10_000) {
    const size = Math.min(10_000, Number(count) - from);
    await list.add(Array.from({ length: size }, (_, index) => ({ ...taskOf(from + index), phase: accepted })));
  }
  const took: number[] = [];
  for (let index = 0; index < LOOK_UPS; index++) {
    const wanted = Math.floor((Number(count) * index) / LOOK_UPS);
    took.push(
      await time(async () => {
        const found = await contents.ofSame([{ sizeBytes: 1000 + wanted, path: pathOf(wanted) }]);
        if (found.length === 0) throw new Error('The content is not known.');
      }),
    );
  }
  took.sort((one, other) => one - other);
  return { medianMs: took[Math.floor(took.length / 2)] ?? Number.NaN, worstMs: took.at(-1) ?? Number.NaN };
}

function open(folder: string) {
  const path = join(folder, 'tasks.sqlite');
  const fail = (problem: unknown) => {
    throw problem;
  };
  const store = new StoreThread(path, fail);
  return { list: new TaskList(store), contents: store.contents, sizeMB: () => statSync(path).size / 1e6 };
}

function taskOf(index: number): NewTask {
  const [path, name] = [pathOf(index), `notes ${index}.txt`];
  const sha256 = index.toString(16).padStart(64, '0');
  return newTask({
    dataset: 'Books',
    origin: 'https://import.example.com',
    source: { from: 'disk', path, relativePath: path, name, sizeBytes: 1000 + index, sha256 },
    batch: { id: 'batch', label: 'documents' },
    createdMs: Date.UTC(2030, 0, 1) + index,
    phase: { kind: 'queued' },
  });
}

function pathOf(index: number): string {
  return `/home/someone/workspace/documents/${index % 100}/notes ${index}.txt`;
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

const measurements: Readonly<Record<string, (...args: string[]) => Promise<object>>> = { batch, single, lookUp };
const [name = '', ...args] = process.argv.slice(2);
printFigures(measurements[name]?.(...args) ?? Promise.reject(new Error(`There is no measurement "${name}".`)));
