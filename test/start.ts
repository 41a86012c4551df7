// `npm start` packages the extension and opens a sample workspace in VS Code in the browser, with the extension
// installed and its sandbox running. With --once, it imports a file automatically and then exits.
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importFile } from './e2e/importFile';
import { openWorkbench } from './e2e/openWorkbench';
import { waitUntil } from './e2e/waitUntil';
import { newestEditor } from './editor/editorVersions';
import { installEditor } from './editor/installEditor';
import { startCodeServer } from './editor/startCodeServer';
import { temporaryFolder } from './editor/temporaryFolder';
import { exitOnSignals } from './editor/undoAtExit';
import { packageExtension } from './suites/build';
import { outFolder, projectFolder } from './suites/project';

const workspace = join(projectFolder, 'test', 'workspace');
const settings = { 'datasetImport.sandbox.startAutomatically': true };

async function openForUser(): Promise<void> {
  const editor = await installEditor(newestEditor);
  const temporary = temporaryFolder('di-start');
  const workspaceFolder = join(temporary.path, 'workspace');
  cpSync(workspace, workspaceFolder, { recursive: true });
  const dataFolder = join(temporary.path, 'data');
  const server = await startCodeServer(editor, { workspaceFolder, dataFolder, settings });
  console.log(
    `\nOpen ${server.url}\nRight-click notes.txt in the Explorer and choose "Import to Dataset…". Ctrl+C ends everything.`,
  );
  openInBrowser(server.url);
  throw new Error(`The editor has ended: ${await server.ended}\n${server.output()}`);
}

function openInBrowser(url: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const program = process.platform === 'darwin' ? 'open' : DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : undefined;
  if (!program) return;
  // It is fine if no browser can be opened, because the URL has already been printed.
  spawn(program, [url], { stdio: 'ignore' }).once('error', () => undefined);
}

async function importOnItsOwn(): Promise<void> {
  const screenshot = join(outFolder, 'start.png');
  const { workbench, close } = await openWorkbench({ workspace, settings });
  try {
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').waitForRow('Sandbox');
    await importFile(workbench, 'notes.txt');
    const tasks = workbench.view('Tasks');
    await tasks.chooseFor('Copy Task ID', 'notes.txt');
    const copied = await waitUntil('the task ID on the clipboard', () =>
      workbench.clipboard().then((id) => id || undefined),
    );
    console.log('The view "Tasks" shows:');
    for (const { label, spoken } of await tasks.rows()) console.log(`  ${label}  ${spoken}`);
    console.log(`Task ID: ${copied}`);
  } finally {
    // Move the mouse away from the row, because its icons would hide part of it.
    await workbench.page.mouse.move(800, 100);
    await workbench.screenshot(screenshot);
    console.log(`Screenshot: ${screenshot}`);
    await close();
  }
}

async function start(): Promise<void> {
  const { values } = parseArgs({ options: { once: { type: 'boolean' } } });
  await packageExtension();
  if (!values.once) return await openForUser();
  await importOnItsOwn();
  process.exit(0);
}

exitOnSignals();
start().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
