import Mocha from 'mocha';

/** How a suite's tests ended. */
export interface Counts {
  readonly passed: number;
  /** What has failed: a title and why, a text each. */
  readonly failures: readonly string[];
}

const mark = 'test-counts:';

/** Mocha's spec report, and after it one line for {@link readCounts}. */
export class CountingSpec extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const failures: string[] = [];
    runner.on('fail', (test, error: Error) => failures.push(`${test.fullTitle()}: ${error.message}`));
    runner.once('end', () => {
      console.log(`${mark}${JSON.stringify({ passed: this.stats.passes, failures } satisfies Counts)}`);
    });
  }
}

/** The counts in what a suite printed; undefined where it did not come to its end. */
export function readCounts(output: string): Counts | undefined {
  const line = output.split(/\r?\n/).findLast((candidate) => candidate.includes(mark));
  return line === undefined ? undefined : (JSON.parse(line.slice(line.indexOf(mark) + mark.length)) as Counts);
}
