// Runs tests. `npm test` runs the "test" suites, `npm run test:rest` runs all others, and `npm run test:all` runs both.
// allSuites.ts lists smaller groups of suites. Any other argument selects test files by part of their path, and -g
// selects tests whose titles match a pattern:
//   npm run test:e2e -- tasksView -g 'two windows'
// The output ends with the slowest tests, all failures, and the totals.
import { parseArgs } from 'node:util';
import { exitOnSignals } from './editor/undoAtExit';
import { type PartName, parts, suitesOf } from './suites/allSuites';
import type { Test } from './suites/recorder';
import { type Results, runSuites, sourceFile } from './suites/suite';

async function runTests(): Promise<Results> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g', default: '' } },
  });
  const named = positionals.filter(isPart);
  const partNames: readonly PartName[] = named.length > 0 ? named : ['test'];
  const [path = '', tooMany] = positionals.filter((argument) => !isPart(argument));
  if (tooMany !== undefined) throw new Error(`Give only one part of a path, not both "${path}" and "${tooMany}".`);
  const isSelection = path !== '' || values.grep !== '';
  const suites = suitesOf(partNames, { path, grep: values.grep });
  const results = await runSuites(suites, { isSelection, print: console.log });
  if (results.passed.length + results.failures.length === 0) throw new Error('No tests match.');
  return results;
}

function isPart(name: string): name is PartName {
  return Object.hasOwn(parts, name);
}

function printSlowest(passed: readonly Test[]): void {
  if (passed.length < 100) return;
  const slowest = passed.toSorted((one, other) => other.ms - one.ms).slice(0, 10);
  console.log('\nThe ten slowest tests:');
  for (const { title, file, ms } of slowest) console.log(`${(ms / 1000).toFixed(1)} s  ${sourceFile(file)}: ${title}`);
}

exitOnSignals();
runTests()
  .catch((error: Error): Results => ({ passed: [], skipped: 0, failures: [error.message] }))
  .then(
    ({ passed, skipped, failures }) => {
      printSlowest(passed);
      if (skipped > 0) console.log(`\nSkipped on this machine: ${skipped}`);
      for (const failure of failures) console.log(`\nFailed: ${failure}`);
      console.log(`\n${passed.length} passed, ${failures.length} failed`);
      process.exit(failures.length === 0 ? 0 : 1);
    },
    () => process.exit(1),
  );
