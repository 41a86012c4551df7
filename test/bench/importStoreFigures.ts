// A separate process that measures the store. Its arguments are the database path and the number of rows.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { ImportStoreCalls } from '../../src/tasks/store/importStoreProgram';
import { perform, threadState } from '../../src/tasks/store/importStoreProgram';
import type { NewImport, NextImport } from '../../src/tasks/store/model';
import { MIGRATIONS } from '../../src/tasks/store/schema';
import { Transactions } from '../../src/tasks/store/transactions';
import { systemClock } from '../../src/tasks/timing/clock';
import { accepted, fileOf, requestOf } from '../unit/tasks/store/storeRequests';
import { median } from './comparison';
import { printFigures } from './printFigures';

export interface StoreFigure {
  readonly title: string;
  readonly value: number;
  readonly aim: number | null;
  readonly unit: string;
}

const DESTINATION = { dataset: 'Bench', origin: 'https://import.example' };
const FOLDER = '/home/user/project/notes';
/** How many groups of imports to measure. */
const GROUPS = 60;

async function measure(path: string, count: string): Promise<readonly StoreFigure[]> {
  const rows = Number(count);
  const { store, close } = open(path);
  const figures: StoreFigure[] = [];
  const note = (title: string, value: number, aim: number | null = null, unit = 'ms') =>
    figures.push({ title, value, aim, unit });
  /**
   * Records the mean CPU time and the median elapsed time. The median is less affected by other load on the machine than the
   * mean.
   */
  const time = async (title: string, aim: number | null, times: number, operation: () => Promise<unknown>) => {
    const timesMs: number[] = [];
    const before = process.cpuUsage();
    for (let run = 0; run < times; run++) {
      const startedMs = performance.now();
      await operation();
      timesMs.push(performance.now() - startedMs);
    }
    note(title, median(timesMs), aim);
    note(`${title}, CPU time`, cpuMs(before) / times);
  };
  await store.counts(null);
  const few = Math.min(10_000, rows / 10);
  const [first, others] = [files('few', few), files('many', rows - few)];
  await time(`Queue ${few} files`, (few / 10_000) * 250, 1, () => queue(store, 'few', first));
  await time(`Queue ${rows - few} more`, null, 1, () => queue(store, 'many', others));
  for (const size of [8, 16]) for (const figure of await groups(store, path, size)) note(...figure);
  const batch = 2;
  await time('Row counts by state', 15, 21, () => store.counts(null));
  for (const by of ['state', 'batch', 'destination', 'reason'] as const)
    await time(`Groups by ${by}`, 15, 21, () => store.groups({ by, filter: {} }));
  await time('First page of 200 rows', 5, 41, () => store.page({ filter: {}, limit: 200 }));
  await time('First page of a batch', 5, 41, () => store.page({ filter: { batch }, limit: 200 }));
  await time('First page with a text filter', 40, 21, () => store.page({ filter: { text: 'file-777' }, limit: 200 }));
  await time('Batch page', 250, 7, () => store.batchPage(batch));
  const shown = Array.from({ length: 200 }, (_, index) => index + 1);
  await time('Changes to 200 shown rows', 5, 21, () => store.changesSince({ version: 0, shown }));
  await time('Renewing leases', 1, 101, () => store.serve({ able: [DESTINATION], checking: [] }));
  await time('Announcing, with two runs in progress', 5, 21, () => store.announce([1]));
  const paths = others.map((file) => file.path ?? '');
  await time(`Look up ${paths.length} paths, a thousand at a time`, null, 1, async () => {
    for (let from = 0; from < paths.length; from += 1000)
      await store.known({ destination: DESTINATION, paths: paths.slice(from, from + 1000) });
  });
  const times = paths.slice(0, 1000).map((path, index) => ({ path, modifiedMs: index }));
  await time('Note the new times of a thousand files', 50, 7, () =>
    store.noteTimes({ destination: DESTINATION, times }),
  );
  await time(`Cancel ${rows} imports`, (rows / 100_000) * 1500, 1, () => store.cancel({}));
  await time('Groups by reason, all canceled', 15, 21, () => store.groups({ by: 'reason', filter: {} }));
  await time('Batch page, all canceled', 250, 7, () => store.batchPage(batch));
  let removedMs = 0;
  await time(`Remove ${rows} rows`, null, 1, async () => {
    ({ removedMs } = await store.remove({}));
  });
  await time('Undo the removal', null, 1, () => store.undo(removedMs));
  await time(`Clear ${rows} rows`, null, 1, () => store.clear({ days: -1, rows: 0 }));
  await close();
  return figures;
}

function open(path: string): { readonly store: ImportStoreCalls; close(): Promise<void> } {
  const window = { id: 'W', machine: 'here', pid: process.pid };
  const setup = { path, migrations: MIGRATIONS, lockTimeoutMs: 1000, onSetAside() {} };
  const transactions = new Transactions(setup, threadState(window, systemClock, MIGRATIONS.length));
  const store = new Proxy({} as ImportStoreCalls, {
    get: (_, name) => (argument: unknown) => perform(transactions, String(name), argument),
  });
  return { store, close: () => transactions.close() };
}

function files(folder: string, count: number): NewImport[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `file-${index}.txt`;
    const at = { path: `${FOLDER}/${folder}/${name}`, relativePath: `notes/${folder}/${name}` };
    return fileOf(name, { ...at, sizeBytes: 4096 + index, modifiedMs: 1.7e12 + index });
  });
}

function queue(store: ImportStoreCalls, run: string, some: readonly NewImport[]) {
  const batch = { label: run, folder: `${FOLDER}/${run}` };
  return store.queue(requestOf(run, some, { destination: DESTINATION, batch }));
}

/** Measures the cost of marking groups of imports as sending, and of storing their outcomes. */
async function groups(
  store: ImportStoreCalls,
  path: string,
  size: number,
): Promise<[string, number, number | null, string?][]> {
  let [markMs, endMs] = [0, 0];
  const [cpu, commits] = [process.cpuUsage(), commitsOf(path)];
  for (let group = 0; group < GROUPS; group++) {
    const startedMs = performance.now();
    const next = await store.next({ destination: 1, count: size, except: [] });
    const attempts = next.map((one) => attemptOf(one));
    if ((await store.begin(attempts)).length !== size) throw new Error('Not all were marked.');
    markMs += performance.now() - startedMs;
    const markedMs = performance.now();
    await Promise.all(attempts.map(({ attempt }) => store.end(accepted(attempt, `task-${attempt}`))));
    endMs += performance.now() - markedMs;
  }
  const title = `A group of ${size}`;
  return [
    [`${title}: read and mark, one commit`, markMs / GROUPS, null],
    [`${title}: end, one commit`, endMs / GROUPS, null],
    [`${title}: CPU time per file, marked and ended`, cpuMs(cpu) / GROUPS / size, null],
    [`${title}: commits to mark and end it`, (commitsOf(path) - commits) / GROUPS, null, 'commits'],
  ];
}

function attemptOf({ import: id, sizeBytes, modifiedMs }: NextImport) {
  const sha256 = String(id).padStart(64, 'a');
  return { import: id, attempt: `W ${id}`, content: { sizeBytes, modifiedMs, sha256 } };
}

function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** How many transactions have changed the file, according to the change counter in its header. */
function commitsOf(path: string): number {
  return readFileSync(path).readUInt32BE(24);
}

printFigures(measure(process.argv[2] ?? '', process.argv[3] ?? ''));
