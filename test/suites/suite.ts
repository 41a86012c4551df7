import type { Counts } from './countingSpec';

export type Print = (text: string | Buffer) => void;

/** A part of the tests that runs in a process of its own; `run` gives undefined where it did not come to its end. */
export interface Suite {
  readonly title: string;
  /** Of its tests, those whose full title matches; there may be none. */
  readonly grep?: string | undefined;
  run(print: Print): Promise<Counts | undefined>;
}

/**
 * Runs the suites in their order, this many at once, and gives the sum. Where there is just one, its report is printed
 * as it comes; of several, each report comes in one piece when its suite has ended.
 */
export async function runSuites(suites: readonly Suite[], atOnce: number): Promise<Counts> {
  const waiting = [...suites];
  const ended: Counts[] = [];
  const work = async (): Promise<void> => {
    for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
      ended.push(await (suites.length === 1 ? runSuite(suite, write) : runAndPrint(suite)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return {
    passed: ended.reduce((sum, { passed }) => sum + passed, 0),
    failures: ended.flatMap(({ failures }) => failures),
  };
}

async function runAndPrint(suite: Suite): Promise<Counts> {
  const report: Buffer[] = [];
  const counts = await runSuite(suite, (text) => report.push(Buffer.from(text)));
  write(Buffer.concat(report));
  return counts;
}

/** One that breaks, ends before its end or has no tests though all are asked for counts as one failure more, and says so. */
async function runSuite({ title, grep, run }: Suite, print: Print): Promise<Counts> {
  print(`\n=== ${title}\n`);
  const began = Date.now();
  const counts = await run(print).catch((error: Error) => {
    print(`${error.message}\n`);
    return undefined;
  });
  const seconds = Math.round((Date.now() - began) / 1000);
  const { passed, failures } = counts ?? { passed: 0, failures: ['did not come to its end'] };
  const all = passed + failures.length === 0 && grep === undefined ? ['ran no tests'] : failures;
  print(`=== ${title}: ${passed} passed, ${all.length} failed, ${seconds} s\n`);
  return { passed, failures: all.map((failure) => `${title}: ${failure}`) };
}

function write(text: string | Buffer): void {
  process.stdout.write(text);
}
