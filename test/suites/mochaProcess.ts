// Runs test files in this process or in worker processes, and records the results.
import Mocha from 'mocha';
import { exitOnSignals } from '../editor/undoAtExit';
import { Recorder } from './recorder';

/** The only command-line argument, as JSON. */
export interface MochaOrder {
  /** Absolute paths of compiled files. */
  readonly files: readonly string[];
  /** The time limit for each test. */
  readonly timeoutMs: number;
  readonly workers: number;
  /** A pattern that full test titles must match. */
  readonly grep: string;
}

async function run({ files, timeoutMs, workers, grep }: MochaOrder): Promise<void> {
  const isParallel = workers > 1;
  const options = { timeout: timeoutMs, grep: new RegExp(grep), reporter: Recorder, forbidOnly: true };
  const mocha = new Mocha({ ...options, parallel: isParallel, jobs: workers });
  for (const file of files) mocha.addFile(file);
  if (!isParallel) await mocha.loadFilesAsync();
  mocha.run((failed) => process.exit(failed === 0 ? 0 : 1));
}

exitOnSignals();
run(JSON.parse(process.argv[2] ?? '')).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
