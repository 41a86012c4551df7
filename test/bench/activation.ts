// npm run bench:activation: how long the extension takes to start, built for production: its own work, in fresh
// processes of Node, and what VS Code says of it in "Developer: Show Running Extensions". Prints a table; the aim is
// under 30 ms for load and activation together. On a busy machine, the best of the runs tells most.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Workbench } from '../e2e/workbench';
import { type EditorVersion, newestEditor, oldestEditor } from '../editor/editorVersions';
import { freePort } from '../editor/freePort';
import { type InstalledEditor, installEditor } from '../editor/installEditor';
import { launchBrowser } from '../editor/launchBrowser';
import { quietEnvironment } from '../editor/quietEnvironment';
import { writeUserSettings } from '../editor/quietSettings';
import { runProcess } from '../editor/runProcess';
import { type RunningServer, startServer } from '../editor/startServer';
import { temporaryFolder } from '../editor/temporaryFolder';
import { exitOnSignals } from '../editor/undoAtExit';
import { packageExtension } from '../suites/build';
import { projectFolder, vsixFile } from '../suites/project';
import { printTable } from './table';

const aimMs = 30;
const processes = 30;
const windows = 5;

interface Row {
  readonly what: string;
  readonly ms: readonly number[];
}

async function inNode(editor: InstalledEditor): Promise<Row[]> {
  const args = ['--no-warnings', join(projectFolder, 'test', 'bench', 'loadAndActivate.ts')];
  const file = join(projectFolder, 'dist', 'extension.js');
  const runs: { loadMs: number; activateMs: number }[] = [];
  // The first one brings the files into memory, and counts no more than in a window opened a second time.
  for (let run = 0; run <= processes; run++) runs.push(JSON.parse(await runProcess(editor.node, [...args, file])));
  const counted = runs.slice(1);
  const where = `in Node ${editor.version.node}`;
  return [
    { what: `load the code, ${where}`, ms: counted.map(({ loadMs }) => loadMs) },
    { what: `activate(), ${where}`, ms: counted.map(({ activateMs }) => activateMs) },
    { what: `both together, ${where}`, ms: counted.map(({ loadMs, activateMs }) => loadMs + activateMs) },
  ];
}

/** Opens the window several times, each with an extension host of its own. */
async function inEditor(editor: InstalledEditor): Promise<Row> {
  const temporary = temporaryFolder('di-bench');
  const server = await startWithPackage(editor, temporary.path);
  const browser = await launchBrowser();
  try {
    const ms: number[] = [];
    for (let window = 0; window < windows; window++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${server.url}?${new URLSearchParams({ folder: join(projectFolder, 'test', 'workspace') })}`);
      ms.push(await reportedByVsCode(page));
      await context.close();
    }
    return { what: `as VS Code ${editor.version.vscode} reports it`, ms };
  } finally {
    await browser.close();
    server.stop();
    temporary.remove();
  }
}

/** VS Code's own server with the package installed: code-server's front does not run in the older one. */
async function startWithPackage(editor: InstalledEditor, dataFolder: string): Promise<RunningServer> {
  writeUserSettings(join(dataFolder, 'User'));
  const program = editor.node;
  const env = quietEnvironment(dataFolder);
  const port = await freePort();
  const args = [
    join(editor.vscodeServer, 'out', 'server-main.js'),
    ...['--server-data-dir', dataFolder, '--user-data-dir', dataFolder, '--accept-server-license-terms'],
    ...['--extensions-dir', join(dataFolder, 'extensions'), '--telemetry-level', 'off'],
  ];
  await runProcess(program, [...args, '--install-extension', vsixFile], { env });
  return await startServer({
    program,
    args: [
      ...args,
      ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--disable-workspace-trust'],
    ],
    url: `http://127.0.0.1:${port}/`,
    env,
  });
}

async function reportedByVsCode(page: Page): Promise<number> {
  const workbench = new Workbench(page);
  await workbench.ready();
  await workbench.runCommand('Developer: Show Running Extensions');
  const row = page.locator('.runtime-extensions-editor .monaco-list-row', { hasText: 'Dataset Import' });
  const time = row.locator('.activation-time');
  await time.filter({ hasText: /\d+ ?ms/ }).waitFor();
  return Number(/(\d+) ?ms/.exec((await time.textContent()) ?? '')?.[1]);
}

function print(rows: readonly Row[]): void {
  const cells = [
    ['', 'best', 'median', 'worst', 'runs'],
    ...rows.map(({ what, ms }) => {
      const sorted = ms.toSorted((a, b) => a - b);
      const told = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
      return [what, ...told.map((each = Number.NaN) => `${each.toFixed(1)} ms`), String(ms.length)];
    }),
  ];
  printTable(cells);
}

async function bench(versions: readonly EditorVersion[]): Promise<void> {
  await packageExtension();
  const rows: Row[] = [];
  for (const version of versions) {
    const editor = await installEditor(version);
    rows.push(...(await inNode(editor)), await inEditor(editor));
  }
  console.log(`Activation, aimed at under ${aimMs} ms:`);
  print(rows);
}

exitOnSignals();
bench([oldestEditor, newestEditor]).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
