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
  const { passed, failures } = counts ?? { passed: 0, failures: ['did not come to its end'] };
  const all = passed + failures.length === 0 ? ['ran no tests'] : failures;
  console.log(`=== ${title}: ${passed} passed, ${all.length} failed, ${seconds} s`);
  return { passed, failures: all.map((failure) => `${title}: ${failure}`) };
}
