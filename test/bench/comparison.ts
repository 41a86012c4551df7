/** What one run has measured. */
export interface Run {
  /** Milliseconds, or another measure that `show` knows, by name: ours first, then what it is compared with. */
  readonly ms: Readonly<Record<string, number>>;
  /** Other figures of ours, by name and unit. */
  readonly more?: Readonly<Record<string, number>>;
}

/** What several runs have measured, all in the same way. */
export interface Comparison {
  readonly title: string;
  readonly runs: readonly Run[];
  /** A time, or another measure, as it is read best: in its unit, or as a rate. */
  show(ms: number): string;
}

/** Measures several times, one after the other. */
export async function repeat(times: number, measure: () => Promise<Run>): Promise<Run[]> {
  const runs: Run[] = [];
  while (runs.length < times) runs.push(await measure());
  return runs;
}

/**
 * Prints a table with a row for each name. Its ratio is taken within each run, so that what else the machine does
 * meanwhile cancels out. @throws where a figure is missing
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
  if (times.length === 0) throw new Error(`"${title}" has measured nothing.`);
  console.log(`\n${title}, ${runs.length === 1 ? 'one run' : `${runs.length} runs in turn`}:`);
  printTable([['', '/ ours', 'median', 'best', 'worst'], ...times, ...more]);
}

/** One figure of each run. */
function column(runs: readonly Run[], figureOf: (run: Run) => number): number[] {
  const figures = runs.map(figureOf);
  if (!figures.every(Number.isFinite)) throw new Error(`A run has given no figure: ${JSON.stringify(runs)}`);
  return figures;
}

function summary(figures: readonly number[]): number[] {
  return [median(figures), Math.min(...figures), Math.max(...figures)];
}

/** The middle one. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** The first column to the left, the others to the right. */
function printTable(rows: readonly (readonly string[])[]): void {
  const widthOf = (index: number) => Math.max(...rows.map((row) => row[index]?.length ?? 0));
  for (const [name = '', ...cells] of rows) {
    const padded = cells.map((cell, index) => cell.padStart(widthOf(index + 1)));
    console.log([name.padEnd(widthOf(0)), ...padded].join('  '));
  }
}
