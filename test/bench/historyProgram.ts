// A process of its own for one measurement of the task database: the first argument names it, the second one the folder
// of its store.
import { createWriteStream } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { typedTaskId } from '../../src/service/json/taskId';
import { exportLines } from '../../src/tasks/exportLines';
import { pagesOf, tasksById } from '../../src/tasks/history/walk';
import type { TaskList } from '../../src/tasks/store/taskList';
import { makeTaskParts } from '../../src/tasks/taskParts';
import { isUnfinished, type NewTask, newTask, type Phase } from '../../src/tasks/trackedTask';
import { wire } from '../unit/service/wire';
import { printFigures } from './printFigures';

/** What a window takes that opens a store. */
export interface Opened {
  readonly firstRowsMs: number;
  readonly loadedMs: number;
  /** The longest time in which nothing else of the process ran. */
  readonly blockMs: number;
  /** The longest time that the process itself took in one turn of the event loop, whatever else the machine does. */
  readonly turnMs: number;
  readonly heapMB: number;
  /** How long each of the queries behind the view takes. */
  readonly queriesMs: Readonly<Record<string, number>>;
}

/** What it takes to show what another window changed, the median of many changes. */
export interface Synced {
  readonly syncMs: number;
}

const PAGE_ROWS = 200;
const SYNCS = 50;
const BATCH_SIZE = 500;

/**
 * Fills a store: one in ten tasks is unfinished, half of them are in batches, one in a hundred has failed. Or all of them
 * are in one batch.
 */
async function fill(store: string, count: string, batchId?: string): Promise<object> {
  const { list } = parts(store);
  for (let from = 0; from < Number(count); from += 1000) {
    const size = Math.min(1000, Number(count) - from);
    await list.add(Array.from({ length: size }, (_, index) => taskOf(from + index, batchId)));
  }
  return {};
}

/** Opens a store as the view Tasks does: the first rows are asked for while all that is unfinished is read. */
async function open(store: string): Promise<Opened> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const turns = watchTurns();
  const begun = performance.now();
  const { list } = parts(store);
  const loading = list.sync();
  const reading = list.history.topLevel(PAGE_ROWS);
  await list.hold(reading.then(({ rows }) => rows.flatMap((row) => ('task' in row ? [row.task] : []))));
  const firstRowsMs = performance.now() - begun;
  await loading;
  const loadedMs = performance.now() - begun;
  const queriesMs = await timeQueries(list);
  const blockMs = await longest(delays);
  return { firstRowsMs, loadedMs, blockMs, turnMs: turns.end(), heapMB: usedHeapMB(), queriesMs };
}

/** Changes one task after the other in another window, and measures how long this one takes to show each. */
async function sync(store: string): Promise<Synced> {
  const [here, there] = [parts(store).list, parts(store).list];
  await here.sync();
  await there.sync();
  const keys = there.unfinished.slice(0, SYNCS).map(({ key }) => key);
  const took: number[] = [];
  for (const key of keys) {
    await there.update(key, ({ checkedMs = 0 }) => ({ checkedMs: checkedMs + 1 }));
    const begun = performance.now();
    await here.sync();
    took.push(performance.now() - begun);
    if (here.get(key)?.checkedMs !== there.get(key)?.checkedMs) throw new Error('The change is not shown.');
  }
  return { syncMs: took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN };
}

async function timeQueries({ history }: TaskList): Promise<Record<string, number>> {
  const limit = PAGE_ROWS;
  const queries: Readonly<Record<string, () => Promise<unknown>>> = {
    'groups by batch': () => history.groups('batch'),
    'groups by dataset': () => history.groups('dataset'),
    'groups by state': () => history.groups('state'),
    'groups by reason': () => history.groups('reason'),
    'states of all': () => history.lastingStates(),
    'page of all': () => history.page({ limit }),
    'page of a dataset': () => history.page({ group: { by: 'dataset', dataset: 'Books' }, limit }),
    'page of a batch': () => history.page({ group: { by: 'batch', batchId: 'batch 1' }, limit }),
    'row of a batch': () => history.batch('batch 1'),
    'text that is nowhere': () => history.page({ filter: { text: 'nowhere' }, limit }),
    'task by its ID': () => tasksById(history, [typedTaskId('id 7', 'string')]),
  };
  const took: Record<string, number> = {};
  for (const [name, query] of Object.entries(queries)) {
    const begun = performance.now();
    await query();
    took[name] = performance.now() - begun;
  }
  return took;
}

/** The histogram is written by a timer, which itself must have had its turn. */
async function longest(delays: IntervalHistogram): Promise<number> {
  await delay(20);
  delays.disable();
  return delays.max / 1e6;
}

/** Measures what each turn of the event loop takes of the processor. */
function watchTurns(): { end(): number } {
  let longestMs = 0;
  let before = process.cpuUsage();
  const look = () => {
    const { user, system } = process.cpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.cpuUsage();
    immediate = setImmediate(look);
  };
  let immediate = setImmediate(look);
  return {
    end() {
      clearImmediate(immediate);
      return longestMs;
    },
  };
}

function usedHeapMB(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1e6;
}

function taskOf(index: number, oneBatch?: string): NewTask {
  const name = `notes ${index}.txt`;
  const path = `/home/someone/workspace/documents/${index % 100}/${name}`;
  const response = `{"code":"0","message":null,"data":{"taskId":"id ${index}","words":"${'word '.repeat(100)}"}}`;
  const batchId = oneBatch ?? `batch ${Math.floor(index / BATCH_SIZE)}`;
  const isInBatch = oneBatch !== undefined || index % (2 * BATCH_SIZE) < BATCH_SIZE;
  return newTask({
    dataset: index % 3 === 0 ? 'Books' : 'Manuals',
    origin: 'https://import.example.com',
    source: {
      ...{ from: 'disk', path, relativePath: path, name, sizeBytes: 1000 + index },
      sha256: index.toString(16).padStart(64, '0'),
    },
    batch: isInBatch ? { id: batchId, label: 'documents' } : undefined,
    createdMs: Date.UTC(2030, 0, 1) + (oneBatch === undefined ? index * 1000 : 0),
    checkedMs: Date.UTC(2030, 0, 1) + index * 1000 + 500,
    taskId: typedTaskId(`id ${index}`, 'string'),
    taskIdFrom: { pointer: '/taskId', how: 'recognized' },
    phase: phaseOf(index),
    importResponse: response,
    lastResponse: response,
  });
}

function phaseOf(index: number): Phase {
  const meaning = index % 10 === 0 ? 'running' : index % 100 === 1 ? 'failed' : 'succeeded';
  const from = { status: { pointer: '/status', how: 'recognized' } } as const;
  const report = { status: meaning.toUpperCase(), meaning, progress: undefined, message: undefined, from } as const;
  return { kind: 'accepted', report };
}

function parts(folder: string) {
  return makeTaskParts({
    folder,
    service: wire(),
    findTarget: async () => undefined,
    originOf: () => undefined,
    allowed: () => 1,
    whyNotAsked: () => undefined,
    onError: console.error,
    onSetAside: () => {},
  });
}

/** What writing all tasks to a file takes. */
export interface Exported {
  readonly exportMs: number;
  /** The largest heap while that was done, beyond that before. */
  readonly heapMB: number;
}

async function exportAll(store: string): Promise<Exported> {
  const { list } = parts(store);
  await list.history.topLevel(PAGE_ROWS);
  const before = usedHeapMB();
  let largestMB = before;
  async function* watched() {
    for await (const page of pagesOf(list.history, { filter: {} })) {
      largestMB = Math.max(largestMB, process.memoryUsage().heapUsed / 1e6);
      yield page;
    }
  }
  const begun = performance.now();
  await pipeline(exportLines(watched(), 'csv'), createWriteStream(`${store}.csv`));
  return { exportMs: performance.now() - begun, heapMB: largestMB - before };
}

/** What the page about a batch takes. */
export interface Paged {
  readonly pageMs: number;
  readonly blockMs: number;
}

async function page(store: string, batchId: string): Promise<Paged> {
  const { list } = parts(store);
  await list.history.topLevel(PAGE_ROWS);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const begun = performance.now();
  const read = await list.history.batchPage(batchId, Date.UTC(2030, 1, 1));
  const pageMs = performance.now() - begun;
  if (read?.course === undefined) throw new Error('The page has no course.');
  return { pageMs, blockMs: await longest(delays) };
}

/** What a window takes of the processor in a second in which nothing happens. */
export interface Idle {
  readonly idleMs: number;
}

async function idle(store: string, seconds: string): Promise<Idle> {
  const { list, serving } = parts(store);
  await list.sync();
  serving.start();
  await delay(2000);
  const before = process.cpuUsage();
  await delay(Number(seconds) * 1000);
  const { user, system } = process.cpuUsage(before);
  return { idleMs: (user + system) / 1000 / Number(seconds) };
}

/** Fails where a window does not hold what is unfinished. */
async function check(store: string, count: string): Promise<object> {
  const { list } = parts(store);
  await list.sync();
  const unfinished = list.unfinished.filter(isUnfinished).length;
  if (unfinished !== Number(count)) throw new Error(`${unfinished} unfinished tasks instead of ${count}`);
  return {};
}

const measurements: Readonly<Record<string, (...args: string[]) => Promise<object>>> = {
  fill,
  open,
  sync,
  check,
  exportAll,
  page,
  idle,
};
const [name = '', ...args] = process.argv.slice(2);
printFigures(measurements[name]?.(...args) ?? Promise.reject(new Error(`There is no measurement "${name}".`)));
