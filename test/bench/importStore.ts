import { join } from 'node:path';
import { temporaryFolder } from '../editor/temporaryFolder';
import { buildProgram } from './buildProgram';
import type { Comparison } from './comparison';
import type { StoreFigure } from './importStoreFigures';

/** Times store operations on many rows. Shows the limit for each operation next to its result. */
export async function importStore(short: boolean): Promise<Comparison[]> {
  const folder = temporaryFolder('di-bench').path;
  const measure = await buildProgram<readonly StoreFigure[]>('importStoreFigures');
  const figures = await measure(join(folder, 'imports.sqlite'), short ? '2000' : '100000');
  return figures.map(({ title, value, aim, unit }) => ({
    title,
    runs: [{ ms: { 'Dataset Import': value, ...(aim !== null && { 'at most': aim }) } }],
    show: (shown) => `${shown.toFixed(shown < 10 ? 2 : 0)} ${unit}`,
  }));
}
