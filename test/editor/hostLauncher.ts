#!/usr/bin/env -S node --import tsx
// @vscode/test-electron starts this program instead of the VS Code desktop app. The program accepts the same arguments,
// runs the tests in the extension host of an editor from the npm registry, and exits with the tests' exit code. It also
// needs --editor-version=VERSION.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, parseArgs } from 'node:util';
import { outFolder } from '../suites/project';
import { editorVersion } from './editorVersions';
import { installEditor } from './installEditor';
import { launchBrowser } from './launchBrowser';
import { startExtensionHost } from './startExtensionHost';
import { exitOnSignals } from './undoAtExit';

/**
 * An extension host that takes longer is considered hung. The limit allows for a small machine that is running other
 * suites at the same time.
 */
const timeLimitMs = 1_500_000;

async function launch(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, strict: false, allowPositionals: true });
  const path = (name: string): string => {
    const value = values[name];
    if (typeof value !== 'string') throw new Error(`--${name} is missing`);
    return resolve(value);
  };
  const editor = await installEditor(editorVersion(String(values['editor-version'])));
  const { server, page: address } = await startExtensionHost(editor, {
    extensionFolder: path('extensionDevelopmentPath'),
    testsModule: path('extensionTestsPath'),
    dataFolder: path('user-data-dir'),
    workspaceFolder: resolve(positionals[0] ?? '.'),
  });
  const browser = await launchBrowser();
  const page = await browser.newPage();
  const ended = new Promise<number>((resolve, reject) => {
    const late = (): void => reject(new Error(`The tests have not ended within ${timeLimitMs / 1000} s.`));
    setTimeout(late, timeLimitMs).unref();
    page.once('crash', () => reject(new Error('The page of the editor crashed.')));
    page.exposeFunction('codeAutomationExit', resolve).catch(reject);
  });
  const logFile = join(outFolder, 'logs', `host-${editor.version.vscode}.log`);
  mkdirSync(join(outFolder, 'logs'), { recursive: true });
  writeFileSync(logFile, '');
  const log = (level: string, text: string): void => appendFileSync(logFile, `[${level}] ${text}\n`);
  await page.exposeFunction('codeAutomationLog', (level: string, said: unknown[]) => log(level, format(...said)));
  // On a busy machine, loading the page takes longer than Playwright's default of 30 s.
  await page.goto(address, { timeout: timeLimitMs });
  try {
    return await ended;
  } catch (error) {
    throw new Error(`${(error as Error).message} More in ${logFile}.`, { cause: error });
  } finally {
    log('server', server.output());
    await browser.close();
    server.stop();
  }
}

exitOnSignals();
// Standard input closes when the parent process ends, even if the parent is killed.
process.stdin.on('end', () => process.exit(1)).resume();
launch(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
