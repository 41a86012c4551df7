import type { Counts } from './countingSpec';

/** A part of the tests that runs by itself; `run` gives undefined where it did not come to its end. */
export interface Suite {
  readonly title: string;
  run(): Promise<Counts | undefined>;
}

/** Runs one suite. One that breaks, ends before its end or has no tests counts as one failure more, and says so. */
export async function runSuite({ title, run }: Suite): Promise<Counts> {
  console.log(`\n=== ${title}`);
  const began = Date.now();
  const counts = await run().catch((error: Error) => {
    console.error(error.message);
    return undefined;
  });
  const seconds = Math.round((Date.now() - began) / 1000);
  const trouble = !counts
    ? 'did not come to its end'
    : counts.passed + counts.failed === 0
      ? 'ran no tests'
      : undefined;
  if (trouble) console.error(`${title}: ${trouble}; counted as a failure.`);
  const { passed, failed } = counts ?? { passed: 0, failed: 0 };
  console.log(`=== ${title}: ${passed} passed, ${failed} failed, ${seconds} s`);
  return { passed, failed: trouble ? failed + 1 : failed };
}
