import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { version } from 'vscode';
import { CountingSpec } from '../suites/countingSpec';
import { reportBegins } from './reportBegins';

/** Called by the extension host: runs all tests bundled beneath this folder; rejects where one fails. */
export async function run(): Promise<void> {
  console.log(`${reportBegins} ${version}, Node ${process.versions.node}`);
  const { TEST_GREP: grep = '' } = process.env;
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 60_000, grep, reporter: CountingSpec });
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.js'),
  );
  // First what must find the extension as VS Code starts it.
  const first = files.filter((name) => name.startsWith('activation.'));
  for (const name of new Set([...first, ...files.sort()])) mocha.addFile(join(__dirname, name));
  await mocha.loadFilesAsync();
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} failed`);
}
