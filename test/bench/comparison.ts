/** The figures from one run. */
export interface Run {
  /**
   * Figures by name, in milliseconds or another unit that `show` formats. The first figure is the baseline for the
   * ratios.
   */
  readonly ms: Readonly<Record<string, number>>;
  /** Additional figures for our code. Their names include the unit. */
  readonly more?: Readonly<Record<string, number>>;
}

/** Multiple runs of the same measurement. */
export interface Comparison {
  readonly title: string;
  readonly runs: readonly Run[];
  /** Formats a figure with its unit, or as a rate. */
  show(ms: number): string;
}

/** Runs a measurement multiple times in a row. */
export async function repeat(times: number, measure: () => Promise<Run>): Promise<Run[]> {
  const runs: Run[] = [];
  while (runs.length < times) runs.push(await measure());
  return runs;
}

/**
 * Prints a table with a row for each figure. Ratios are computed within each run to cancel out other load on the
 * machine.
 * @throws Error if a figure is missing
 */
export function printComparison({ title, runs, show }: Comparison): void {
  const names = Object.keys(runs[0]?.ms ?? {});
  const timeOf = ({ ms }: Run, name = '') => ms[name] ?? Number.NaN;
  const times = names.map((name) => {
    const ratios = column(runs, (run) => timeOf(run, name) / timeOf(run, names[0]));
    const ms = column(runs, (run) => timeOf(run, name));
    return [name, median(ratios).toFixed(2), ...summary(ms).map(show)];
  });
  const more = Object.keys(runs[0]?.more ?? {}).map((name) => {
    const figures = column(runs, (run) => run.more?.[name] ?? Number.NaN);
    return [name, '', ...summary(figures).map((figure) => figure.toFixed(0))];
  });
  if (times.length === 0) throw new Error(`"${title}" measured nothing.`);
  console.log(`\n${title}, ${runs.length === 1 ? 'one run' : `${runs.length} runs in turn`}:`);
  printTable([['', '/ ours', 'median', 'best', 'worst'], ...times, ...more]);
}

/** One figure from each run. */
function column(runs: readonly Run[], figureOf: (run: Run) => number): number[] {
  const figures = runs.map(figureOf);
  if (!figures.every(Number.isFinite)) throw new Error(`A run lacks a figure: ${JSON.stringify(runs)}`);
  return figures;
}

function summary(figures: readonly number[]): number[] {
  return [median(figures), Math.min(...figures), Math.max(...figures)];
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** Left-aligns the first column and right-aligns all others. */
function printTable(rows: readonly (readonly string[])[]): void {
  const widthOf = (index: number) => Math.max(...rows.map((row) => row[index]?.length ?? 0));
  for (const [name = '', ...cells] of rows) {
    const padded = cells.map((cell, index) => cell.padStart(widthOf(index + 1)));
    console.log([name.padEnd(widthOf(0)), ...padded].join('  '));
  }
}
