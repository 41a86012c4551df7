import { join } from 'node:path';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import type { Comparison } from './comparison';
import type { Exported, Idle, Opened, Paged, Synced } from './historyProgram';

/**
 * What a window takes that opens a task database with many tasks, of which one in ten is unfinished: the time to the first
 * rows, the longest block, the heap beyond that of an empty database, each query behind the view, and showing a change of
 * another window, beside the same with few tasks. Each beside what it should be at most.
 */
export async function history(short: boolean): Promise<Comparison[]> {
  const [few, many] = short ? [200, 2000] : [1000, 100_000];
  const folder = temporaryFolder('di-bench').path;
  const store = (name: string) => join(folder, name);
  const fill = await buildProgram<object>('historyProgram');
  const open = await buildProgram<Opened>('historyProgram');
  const sync = await buildProgram<Synced>('historyProgram');
  await fill('fill', store('few'), String(few));
  await fill('fill', store('many'), String(many));
  await fill('check', store('many'), String(many / 10));
  const empty = await open('open', store('empty'));
  const opened = await open('open', store('many'));
  const [ofFew, ofMany] = [await sync('sync', store('few')), await sync('sync', store('many'))];
  const exported = await (await buildProgram<Exported>('historyProgram'))('exportAll', store('many'));
  const batchSize = many / 2;
  await fill('fill', store('large batch'), String(batchSize), 'large batch');
  const paged = await (await buildProgram<Paged>('historyProgram'))('page', store('large batch'), 'large batch');
  const idle = await buildProgram<Idle>('historyProgram');
  const seconds = short ? '1' : '20';
  const [idleOfMany, idleOfNone] = [
    await idle('idle', store('many'), seconds),
    await idle('idle', store('empty'), seconds),
  ];
  const show = (value: number) => `${value.toFixed(1)} ms`;
  const beside = (title: string, value: number, aim: number, shown = show): Comparison => ({
    title,
    runs: [{ ms: { 'Dataset Import': value, 'at most': aim } }],
    show: shown,
  });
  return [
    beside(`The first rows of ${many} tasks`, opened.firstRowsMs, 300),
    beside(`All that is unfinished of ${many} tasks`, opened.loadedMs, 2000),
    {
      title: 'The longest block, and that of an empty task database',
      runs: [{ ms: { 'Dataset Import': opened.blockMs, 'at most': 50, empty: empty.blockMs } }],
      show,
    },
    {
      title: 'The longest turn by the time of the processor, and that of an empty task database',
      runs: [{ ms: { 'Dataset Import': opened.turnMs, 'at most': 50, empty: empty.turnMs } }],
      show,
    },
    beside(
      'The heap beyond that of an empty task database',
      opened.heapMB - empty.heapMB,
      40,
      (mb) => `${mb.toFixed(1)} MB`,
    ),
    beside(`The page about a batch of ${batchSize} files`, paged.pageMs, 1000),
    beside('The longest block while it is read', paged.blockMs, 50),
    beside(`All ${many} tasks are exported`, exported.exportMs, 5000),
    beside('The heap while they are exported', exported.heapMB, 40, (mb) => `${mb.toFixed(1)} MB`),
    {
      title: `A second in which nothing happens, with ${many} tasks, by the time of the processor`,
      runs: [{ ms: { 'Dataset Import': idleOfMany.idleMs, 'with none': idleOfNone.idleMs } }],
      show,
    },
    ...Object.entries(opened.queriesMs).map(([name, ms]) => beside(`The ${name}`, ms, 1000)),
    {
      title: `A change of another window is shown, of ${many} tasks and of ${few}`,
      runs: [{ ms: { 'Dataset Import': ofMany.syncMs, [`of ${few}`]: ofFew.syncMs } }],
      show,
    },
  ];
}
