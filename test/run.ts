// npm test: builds what is needed and runs the suites named as arguments: unit, e2e, host, kill; without any, those four.
// npm run test:all runs "exhaustive" too; "desktop" runs the host tests in a desktop VS Code that is downloaded.
// Any other argument is a part of the path of the test files to run, and -g a pattern for the titles of the tests:
//   npm run test:e2e -- mapping -g 'by three picks'
// At the end stands what has failed, and as the last line the sum.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { newestEditor, oldestEditor } from './editor/editorVersions';
import { findBrowser } from './editor/findBrowser';
import { installEditor } from './editor/installEditor';
import { exitOnSignals } from './editor/undoAtExit';
import { noteTested } from './release/testedCommit';
import { allSuites, type SuiteName } from './suites/allSuites';
import { buildExtension, packageExtension } from './suites/build';
import type { Counts } from './suites/countingSpec';
import { runSuites, type Suite } from './suites/suite';

/** One more than there are processors, as most suites wait for an editor now and then. */
const atOnce = availableParallelism() + 1;

async function runTests(): Promise<Counts> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { grep: { type: 'string', short: 'g' } },
  });
  const named = positionals.filter(isSuite);
  const names: readonly SuiteName[] = named.length > 0 ? named : ['unit', 'e2e', 'host', 'kill'];
  const [path, tooMany] = positionals.filter((argument) => !isSuite(argument));
  if (tooMany !== undefined) throw new Error(`One part of a path can be given, not both "${path}" and "${tooMany}".`);
  const selection = { path, grep: values.grep };
  // What takes the network comes in while the unit tests run, which need none of it.
  const prepared = prepare(names);
  prepared.catch(() => undefined); // told by each suite that waits for it
  const suites: Suite[] = [];
  for (const name of names) {
    const ready = name === 'unit' ? undefined : prepared;
    for (const suite of await allSuites[name](selection)) {
      suites.push({ ...suite, run: (print) => Promise.resolve(ready).then(() => suite.run(print)) });
    }
  }
  const counts = await runSuites(suites, atOnce);
  const areAll = named.length === 0 && path === undefined && values.grep === undefined;
  if (areAll && counts.failures.length === 0) await noteTested();
  if (counts.passed + counts.failures.length === 0) throw new Error('There is no such test.');
  return counts;
}

function isSuite(name: string): name is SuiteName {
  return Object.hasOwn(allSuites, name);
}

/** Builds the extension, and gets a browser and the editors. */
async function prepare(names: readonly SuiteName[]): Promise<void> {
  if (names.every((name) => name === 'unit')) return;
  const isInstalled = names.includes('e2e') || names.includes('exhaustive');
  await Promise.all([
    isInstalled ? packageExtension() : buildExtension(),
    ...(names.every((name) => name === 'unit' || name === 'desktop') ? [] : [findBrowser(), installEditors()]),
  ]);
}

async function installEditors(): Promise<void> {
  await Promise.all([oldestEditor, newestEditor].map(installEditor));
}

exitOnSignals();
runTests()
  .catch((error: Error) => ({ passed: 0, failures: [error.message] }))
  .then(
    ({ passed, failures }) => {
      for (const failure of failures) console.log(`\nFailed: ${failure}`);
      console.log(`\n${passed} passed, ${failures.length} failed`);
      process.exit(failures.length === 0 ? 0 : 1);
    },
    () => process.exit(1),
  );
