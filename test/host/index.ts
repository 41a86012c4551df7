import { join } from 'node:path';
import Mocha from 'mocha';
import { version } from 'vscode';
import { CountingSpec } from '../suites/countingSpec';
import { reportBegins } from './reportBegins';

/** Called by the extension host: runs the tests in the bundled files that the environment names; rejects where one fails. */
export async function run(): Promise<void> {
  console.log(`${reportBegins} ${version}, Node ${process.versions.node}`);
  const { TEST_FILES = '[]', TEST_GREP: grep = '' } = process.env;
  const files: readonly string[] = JSON.parse(TEST_FILES);
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 60_000, grep, reporter: CountingSpec });
  // First what must find the extension as VS Code starts it.
  const first = files.filter((name) => name.startsWith('activation.'));
  for (const name of new Set([...first, ...files])) mocha.addFile(join(__dirname, name));
  await mocha.loadFilesAsync();
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} failed`);
}
