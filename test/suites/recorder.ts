import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';

/** A test's result, or the end of the run. If the process dies, there is no `ended` event. */
export type TestEvent =
  | { readonly kind: 'passed' | 'skipped'; readonly test: Test }
  | { readonly kind: 'failed'; readonly test: Test; readonly error: string }
  | { readonly kind: 'ended' };

export interface Test {
  readonly title: string;
  /** The compiled test file. */
  readonly file: string;
  readonly ms: number;
}

/** The environment variable that contains the path of the events file. */
export const eventsVariable = 'TEST_EVENTS';

/** A Mocha reporter. It appends each event to a file as a line of JSON, and the runner reads the file while tests run. */
export class Recorder extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env[eventsVariable] ?? '';
    const append = (event: TestEvent) => appendFileSync(file, `${JSON.stringify(event)}\n`);
    runner.on('pass', (test) => append({ kind: 'passed', test: testOf(test) }));
    runner.on('pending', (test) => append({ kind: 'skipped', test: testOf(test) }));
    runner.on('fail', (test, error: Error & { file?: string }) => {
      // If one of Mocha's worker processes dies, the file name is only in the error.
      const failed = { ...testOf(test), ...(error.file === undefined ? {} : { file: error.file }) };
      append({ kind: 'failed', test: failed, error: error.stack ?? error.message });
    });
    runner.once('end', () => append({ kind: 'ended' }));
  }
}

function testOf(test: Mocha.Runnable): Test {
  return { title: test.fullTitle(), file: test.file ?? '', ms: test.duration ?? 0 };
}
