// A process of its own for a suite: runs the tests in the files that match, prints the report and the counts.
// Arguments: a time limit for each test in milliseconds, then globs.
import { globSync } from 'node:fs';
import Mocha from 'mocha';
import { exitOnSignals } from '../editor/undoAtExit';
import { CountingSpec } from './countingSpec';

async function run(timeoutMs: number, globs: readonly string[]): Promise<void> {
  const mocha = new Mocha({ timeout: timeoutMs, reporter: CountingSpec, color: process.stdout.isTTY });
  for (const file of globs.flatMap((glob) => globSync(glob)).sort()) mocha.addFile(file);
  await mocha.loadFilesAsync();
  mocha.run((failed) => process.exit(failed === 0 ? 0 : 1));
}

exitOnSignals();
run(Number(process.argv[2]), process.argv.slice(3)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
