import { basename } from 'node:path';
import Mocha from 'mocha';
import { Recorder } from '../suites/recorder';
import '../unit/seededFastCheck';

/** Called by the extension host. Runs the compiled test files listed in the environment, and records their results. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const { TEST_FILES = '[]', TEST_GREP: grep = '' } = process.env;
  const files: readonly string[] = JSON.parse(TEST_FILES);
  const mocha = new Mocha({ timeout: 60_000, grep: new RegExp(grep), reporter: Recorder, forbidOnly: true });
  // These tests must run before any other test uses the extension.
  const first = files.filter((file) => basename(file).startsWith('activation.'));
  for (const file of new Set([...first, ...files])) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} failed`);
}
