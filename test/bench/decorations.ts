import { join } from 'node:path';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import type { Comparison } from './comparison';
import type { Decorated } from './decorationsProgram';

/**
 * What the decorations cost of a folder whose files are all shown once: a file as it was imported, one that has another time
 * and is read, and the same again, as its time is known then; beside a look at its size and time alone. And the longest time
 * meanwhile in which nothing else of the extension host runs, beside what it should be at most.
 */
export async function decorations(short: boolean): Promise<Comparison[]> {
  const count = short ? 500 : 10_000;
  const decorate = await buildProgram<Decorated>('decorationsProgram');
  const { lookMs, plainMs, blockMs, touchedMs, touchedBlockMs, againMs } = await decorate(
    join(temporaryFolder('di-bench').path, 'store'),
    String(count),
  );
  const perFile = (title: string, ms: number): Comparison => ({
    title: `${title}, of ${count}`,
    runs: [{ ms: { 'Dataset Import': ms / count, 'a look at size and time': lookMs / count } }],
    show: (value) => `${(value * 1000).toFixed(0)} µs`,
  });
  const block = (title: string, ms: number): Comparison => ({
    title,
    runs: [{ ms: { 'Dataset Import': ms, 'at most': 20 } }],
    show: (value) => `${value.toFixed(1)} ms`,
  });
  return [
    perFile('A file as it was imported', plainMs),
    block('The longest block meanwhile', blockMs),
    perFile('A file with another time and the same content', touchedMs),
    block('The longest block while they are read', touchedBlockMs),
    perFile('The same once its time is known', againMs),
  ];
}
