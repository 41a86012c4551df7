import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { version } from 'vscode';
import { CountingSpec } from '../suites/countingSpec';
import { reportBegins } from './reportBegins';

/** Called by the extension host: runs all tests bundled beside this file; rejects where one fails. */
export async function run(): Promise<void> {
  console.log(`${reportBegins} ${version}, Node ${process.versions.node}`);
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 20_000, reporter: CountingSpec });
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));
  }
  await mocha.loadFilesAsync();
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} failed`);
}
