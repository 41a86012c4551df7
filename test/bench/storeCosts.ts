import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProcess } from '../editor/runProcess';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import type { Comparison } from './comparison';
import type { BatchCosts, Blocked, LookUp } from './storeCostsProgram';

/** How long the disk is made to take for each fsync, as that of a remote home may. */
const SLOW_FSYNC_MS = 200;

/**
 * What the task database costs its window: a large batch beside one of a tenth, the longest time in which the extension host
 * is held up while the disk is slow, the fsyncs of an import and of a status change, and the look-up of a content among
 * many. Each beside what it should be at most.
 */
export async function storeCosts(short: boolean): Promise<Comparison[]> {
  const folder = temporaryFolder('di-bench').path;
  const store = (name: string) => join(folder, name);
  const [batchSize, contents] = short ? [1000, 2000] : [90_000, 1_000_000];
  const batch = await buildProgram<BatchCosts>('storeCostsProgram');
  const few = await batch('batch', store('few'), String(batchSize / 10));
  const many = await batch('batch', store('many'), String(batchSize));
  const lookUp = await buildProgram<LookUp>('storeCostsProgram');
  const found = await lookUp('lookUp', store('contents'), String(contents));
  const show = (ms: number) => `${ms.toFixed(1)} ms`;
  const perTask = ({ addMs, endMs, clearMs }: BatchCosts, count: number) =>
    Object.entries({ queued: addMs, ended: endMs, cleared: clearMs }).map(([name, ms]) => [name, (ms * 1000) / count]);
  const [ofMany, ofFew] = [perTask(many, batchSize), perTask(few, batchSize / 10)];
  const [imports, changes] = short ? [3, 2] : [20, 20];
  const none = await traced(store('none'), 0, 0);
  const imported = await traced(store('imported'), imports, 0);
  const changed = await traced(store('changed'), 0, changes);
  const slow = await traced(store('slow'), imports, changes, SLOW_FSYNC_MS);
  const beside = (title: string, ours: number, aim: number, shown = show): Comparison => ({
    title,
    runs: [{ ms: { 'Dataset Import': ours, 'at most': aim } }],
    show: shown,
  });
  const times = (count: number) => count.toFixed(1);
  return [
    ...ofMany.map(
      ([name, us], index): Comparison => ({
        title: `A task of a batch of ${batchSize} is ${name}`,
        runs: [{ ms: { 'Dataset Import': Number(us), 'in a batch of a tenth': Number(ofFew[index]?.[1]) } }],
        show: (value) => `${value.toFixed(0)} µs`,
      }),
    ),
    beside('The longest block meanwhile', many.blockMs, 20),
    beside(
      `The file after ${batchSize} tasks were cleared, of ${many.fullMB.toFixed(0)} MB`,
      many.clearedMB,
      10,
      (mb) => `${mb.toFixed(1)} MB`,
    ),
    beside(`A content among ${contents} is looked up, the worst of many`, found.worstMs, 5),
    beside(`The longest block where an fsync takes ${SLOW_FSYNC_MS} ms`, slow.blockMs, 20),
    beside('fsyncs of an import that is sent alone', (imported.fsyncs - none.fsyncs) / imports, 8, times),
    beside('fsyncs of a status change alone', (changed.fsyncs - none.fsyncs) / changes, 4, times),
  ];
}

/** Counts the fsyncs of a run, each of which takes as long. */
async function traced(
  store: string,
  imports: number,
  changes: number,
  delayMs = 0,
): Promise<Blocked & { fsyncs: number }> {
  const program = await buildProgram<Blocked>('storeCostsProgram', await strace(`${store}.log`, delayMs));
  const blocked = await program('single', store, String(imports), String(changes));
  return { ...blocked, fsyncs: readFileSync(`${store}.log`, 'utf8').split('sync(').length - 1 };
}

/** The command that runs a program with its fsyncs logged. */
async function strace(log: string, delayMs: number): Promise<string[]> {
  if (!(process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'strace')))) {
    console.log('Installing strace for the bench: apt-get install strace.');
    await runProcess('apt-get', ['update']);
    await runProcess('apt-get', ['install', '-y', 'strace']);
  }
  const calls = 'fsync,fdatasync';
  const delay = delayMs === 0 ? [] : ['-e', `inject=${calls}:delay_enter=${delayMs * 1000}`];
  return ['strace', '-f', '-qq', '-o', log, '-e', `trace=${calls}`, ...delay];
}
