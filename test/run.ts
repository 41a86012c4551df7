// npm test: builds what is needed and runs the suites named as arguments: unit, host, kill, e2e; without any, those four.
// "desktop" runs the host tests in a desktop VS Code that is downloaded. At the end stands what has failed, and as the last line the sum.
import { type EditorVersion, newestEditor, oldestEditor } from './editor/editorVersions';
import { findBrowser } from './editor/findBrowser';
import { installEditor } from './editor/installEditor';
import { exitOnSignals } from './editor/undoAtExit';
import { build, packageExtension } from './suites/build';
import type { Counts } from './suites/countingSpec';
import { runHost } from './suites/runHost';
import { runMocha } from './suites/runMocha';
import { runMochaInHalves } from './suites/runMochaInHalves';
import { runSuite, type Suite } from './suites/suite';

const suites: Readonly<Record<string, readonly Suite[]>> = {
  unit: [{ title: 'Unit tests', run: () => runMocha(['test/unit/**/*.test.ts'], 60_000) }],
  host: [oldestEditor, newestEditor].map((editor) => ({
    title: `Host tests in VS Code ${editor.vscode}`,
    run: () => runHost(editor),
  })),
  kill: [oldestEditor, newestEditor].map((editor) => ({
    title: `Kills of the extension host of VS Code ${editor.vscode}`,
    run: () => runMocha(['test/kill/**/*.test.ts'], 300_000, editor),
  })),
  // They are slow: what is most used is enough to see that the older editor's own parts work with the extension.
  e2e: [endToEnd(oldestEditor, 'test/e2e/{firstUse,batches}.test.ts'), endToEnd(newestEditor, 'test/e2e/**/*.test.ts')],
  desktop: [{ title: 'Host tests in a desktop VS Code', run: () => runHost('desktop') }],
};

function endToEnd(editor: EditorVersion, glob: string): Suite {
  return {
    title: `End-to-end tests in VS Code ${editor.vscode}`,
    run: async () => {
      await packageExtension();
      return await runMochaInHalves(glob, 240_000, editor);
    },
  };
}

async function runAll(names: readonly string[]): Promise<Counts> {
  const asked = names.map((name) => {
    const found = suites[name];
    if (!found) throw new Error(`There is no suite "${name}"; there are ${Object.keys(suites).join(', ')}.`);
    return found;
  });
  // What takes the network comes in while the unit tests run; who needs it waits for it, and reports its failure.
  const editors = /host|kill|e2e/.test(names.join()) ? [oldestEditor, newestEditor] : [];
  const arriving = Promise.allSettled([...editors.map(installEditor), ...(editors.length > 0 ? [findBrowser()] : [])]);
  await build();
  let passed = 0;
  const failures: string[] = [];
  for (const [index, group] of asked.entries()) {
    if (names[index] !== 'unit') await arriving;
    for (const suite of group) {
      const counts = await runSuite(suite);
      passed += counts.passed;
      failures.push(...counts.failures);
    }
  }
  return { passed, failures };
}

exitOnSignals();
const names = process.argv.slice(2);
runAll(names.length > 0 ? names : ['unit', 'host', 'kill', 'e2e'])
  .catch((error: Error) => ({ passed: 0, failures: [error.message] }))
  .then(
    ({ passed, failures }) => {
      for (const failure of failures) console.log(`\nFailed: ${failure}`);
      console.log(`\n${passed} passed, ${failures.length} failed`);
      process.exit(failures.length === 0 ? 0 : 1);
    },
    () => process.exit(1),
  );
