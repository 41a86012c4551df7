// A process of its own for one measurement of the queue: the first argument names it, the second one the folder of its
// store.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Target } from '../../src/service/request/requests';
import { type CheckedSource, checkFile } from '../../src/tasks/sending/checkedSource';
import type { ImportQueue } from '../../src/tasks/serving/importQueue';
import type { ImportRun } from '../../src/tasks/serving/importRun';
import { makeTaskParts } from '../../src/tasks/taskParts';
import { wire } from '../unit/service/wire';
import { benchTarget } from './benchTarget';
import { printFigures } from './printFigures';

/** How long ours took, and a bare SQLite file with the same tasks. */
export interface Queued {
  readonly oursMs: number;
  readonly sqliteMs: number;
}

/**
 * Queues all files of the folder, and measures until the rows of the view are there; the process then ends as a killed
 * window does, before anything was sent.
 */
async function add(store: string, files: string): Promise<Queued> {
  const { queue, list } = parts(store, () => new Promise(() => {}));
  const checked = await Promise.all(pathsIn(files).map((path) => checkFile(path, path)));
  const begun = performance.now();
  const shown = Promise.withResolvers<number>();
  list.events.on('change', () => shown.resolve(list.history.topLevel(200).then(({ rows }) => rows.length)));
  await queue.add(checked, 'Bench', { id: 'bench', label: 'files' });
  if ((await shown.promise) !== 1) throw new Error('The rows are not there.');
  const oursMs = performance.now() - begun;
  return { oursMs, sqliteMs: writeBare(store, list.held) };
}

/**
 * Begins as a window does after the one that ran {@link add}, and measures until the first bytes of what was left leave;
 * goes on until all was accepted.
 */
async function resume(store: string, baseUrl: string): Promise<Queued> {
  const to = benchTarget(baseUrl);
  const begun = performance.now();
  const { queue, serving } = parts(store, async () => to);
  const ended = once(queue.events, 'ended');
  const firstByte = Promise.withResolvers<number>();
  queue.events.on('change', () => {
    if ((queue.progress?.sentBytes ?? 0) > 0) firstByte.resolve(performance.now() - begun);
  });
  serving.start();
  const oursMs = await firstByte.promise;
  const [run] = await ended;
  mustBeAccepted(run);
  return { oursMs, sqliteMs: readBare(store) };
}

/** What it took to cancel all that waits, and the longest time in which nothing else ran from queueing on. */
export interface Canceled {
  readonly cancelMs: number;
  readonly blockMs: number;
  /** The heap beyond that before anything was queued. */
  readonly heapMB: number;
}

/** Queues as many imports, none of which can begin, and cancels all. */
async function cancel(store: string, count: string): Promise<Canceled> {
  const { queue, list } = parts(store, () => new Promise(() => {}));
  await list.sync();
  const checked = waiting(Number(count));
  const heapBefore = usedHeapMB();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await queue.add(checked, 'Bench', { id: 'bench', label: 'files' });
  const blockMs = delays.max / 1e6;
  const heapMB = usedHeapMB() - heapBefore;
  delays.reset();
  const begun = performance.now();
  await queue.cancel();
  const cancelMs = performance.now() - begun;
  if (list.open.length > 0) throw new Error('Not all were canceled.');
  return { cancelMs, blockMs: Math.max(blockMs, delays.max / 1e6), heapMB };
}

/** What a file takes of the thread that sends, and of the whole process. */
export interface SentAmong {
  readonly cpuMs: number;
}

/** Imports the files of the folder while as many others wait behind them, and measures what each took of the processor. */
async function sendAmong(store: string, files: string, baseUrl: string, others: string): Promise<SentAmong> {
  const to = benchTarget(baseUrl);
  // None is sent before all are queued.
  const { promise: queued, resolve: onQueued } = Promise.withResolvers<void>();
  const { queue, list, serving } = parts(store, () => queued.then(() => to));
  serving.start();
  const paths = pathsIn(files);
  const checked = await Promise.all(paths.map((path) => checkFile(path, path)));
  const ended = new Promise<void>((resolve) => {
    queue.events.on('change', () => (queue.progress?.ended ?? 0) >= paths.length && resolve());
  });
  await list.sync();
  await queue.add([...checked, ...waiting(Number(others))], 'Bench');
  const before = process.cpuUsage();
  onQueued();
  await ended;
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 / paths.length };
}

/** Files that wait in the queue; none of them is on the disk. */
function waiting(count: number): CheckedSource[] {
  return Array.from({ length: count }, (_, index) => {
    const [path, name] = [`/no/such/folder/${index}.txt`, `${index}.txt`];
    return { source: { from: 'disk', path, relativePath: `folder/${name}`, name, sizeBytes: 4096 } };
  });
}

function usedHeapMB(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1e6;
}

/**
 * Imports all files of the folder as in a batch: each is looked at, queued, marked as sent before it leaves, hashed as it
 * is read, its response stored. Imports itself first, so that all that is loaded at the first import is there.
 */
async function send(store: string, files: string, baseUrl: string, atOnce: string): Promise<Omit<Queued, 'sqliteMs'>> {
  const to = benchTarget(baseUrl);
  const { queue, serving } = parts(store, async () => to, Number(atOnce));
  serving.start();
  await importAll([__filename], queue);
  const paths = pathsIn(files);
  const begun = performance.now();
  await importAll(paths, queue);
  return { oursMs: performance.now() - begun };
}

function parts(folder: string, findTarget: () => Promise<Target>, atOnce = 4) {
  return makeTaskParts({
    folder,
    service: wire(),
    findTarget,
    originOf: () => undefined,
    allowed: () => atOnce,
    whyNotAsked: () => undefined,
    onError: console.error,
    onSetAside: () => {},
  });
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

async function importAll(paths: readonly string[], queue: ImportQueue): Promise<void> {
  const ended = once(queue.events, 'ended');
  const run = await queue.add(await Promise.all(paths.map((path) => checkFile(path, path))), 'Bench');
  await ended;
  mustBeAccepted(run);
}

function mustBeAccepted({ results }: ImportRun): void {
  const other = results.find(({ end }) => end.kind !== 'accepted');
  if (other !== undefined) throw new Error(`An import ended as ${other.end.kind}`);
}

/** Gives the milliseconds until the tasks are on the disk. */
function writeBare(store: string, tasks: readonly object[]): number {
  const begun = performance.now();
  const database = new DatabaseSync(join(store, 'bare.sqlite'));
  database.exec('CREATE TABLE task (json TEXT); BEGIN');
  const insert = database.prepare('INSERT INTO task VALUES (?)');
  for (const task of tasks) insert.run(JSON.stringify(task));
  database.exec('COMMIT');
  return performance.now() - begun;
}

/** Gives the milliseconds until the tasks are in memory. */
function readBare(store: string): number {
  const begun = performance.now();
  const database = new DatabaseSync(join(store, 'bare.sqlite'));
  for (const { json } of database.prepare('SELECT json FROM task').iterate()) JSON.parse(String(json));
  return performance.now() - begun;
}

const measurements: Readonly<Record<string, (...args: string[]) => Promise<object>>> = {
  add,
  resume,
  send,
  cancel,
  sendAmong,
};
const [name = '', ...args] = process.argv.slice(2);
printFigures(measurements[name]?.(...args) ?? Promise.reject(new Error(`There is no measurement "${name}".`)));
