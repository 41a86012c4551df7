import Mocha from 'mocha';

/** How a suite's tests ended. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const mark = 'test-counts:';

/** Mocha's spec report, and after it one line for {@link readCounts}. */
export class CountingSpec extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures } = this.stats;
      console.log(`${mark}${JSON.stringify({ passed: passes, failed: failures } satisfies Counts)}`);
    });
  }
}

/** The counts in what a suite printed; undefined where it did not come to its end. */
export function readCounts(output: string): Counts | undefined {
  const line = output.split(/\r?\n/).findLast((candidate) => candidate.includes(mark));
  return line === undefined ? undefined : (JSON.parse(line.slice(line.indexOf(mark) + mark.length)) as Counts);
}
