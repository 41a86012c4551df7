import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';

/** What became of a test. The last event of a run that wasn't cut short is `ended`. */
export type TestEvent =
  | { readonly kind: 'passed' | 'skipped'; readonly test: Test }
  | { readonly kind: 'failed'; readonly test: Test; readonly error: string }
  | { readonly kind: 'ended' };

export interface Test {
  readonly title: string;
  /** The compiled file. */
  readonly file: string;
  readonly ms: number;
}

/** Names the file of events in the environment of a test process. */
export const eventsVariable = 'TEST_EVENTS';

/** Mocha's reporter: appends each event to the file as a line of JSON, which the runner reads while the tests run. */
export class Recorder extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env[eventsVariable] ?? '';
    const append = (event: TestEvent) => appendFileSync(file, `${JSON.stringify(event)}\n`);
    runner.on('pass', (test) => append({ kind: 'passed', test: testOf(test) }));
    runner.on('pending', (test) => append({ kind: 'skipped', test: testOf(test) }));
    runner.on('fail', (test, error: Error & { file?: string }) => {
      // If a worker process of Mocha dies, only the error names the file.
      const failed = { ...testOf(test), ...(error.file === undefined ? {} : { file: error.file }) };
      append({ kind: 'failed', test: failed, error: error.stack ?? error.message });
    });
    runner.once('end', () => append({ kind: 'ended' }));
  }
}

function testOf(test: Mocha.Runnable): Test {
  return { title: test.fullTitle(), file: test.file ?? '', ms: test.duration ?? 0 };
}
