// A process of its own for a suite: runs the tests in the files, prints the report and the counts.
// Arguments: a time limit for each test in milliseconds, a pattern for the tests' titles (empty for all), then files.
import Mocha from 'mocha';
import { exitOnSignals } from '../editor/undoAtExit';
import { CountingSpec } from './countingSpec';

async function run(timeoutMs: number, grep: string, files: readonly string[]): Promise<void> {
  const mocha = new Mocha({ timeout: timeoutMs, grep, reporter: CountingSpec, color: process.stdout.isTTY });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  mocha.run((failed) => process.exit(failed === 0 ? 0 : 1));
}

exitOnSignals();
const [timeoutMs, grep = '', ...files] = process.argv.slice(2);
run(Number(timeoutMs), grep, files).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
