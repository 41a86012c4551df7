import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { testedEditor } from '../editor/editorVersions';
import { installEditor } from '../editor/installEditor';
import { clipboard, launchBrowser, viewport } from '../editor/launchBrowser';
import { startCodeServer } from '../editor/startCodeServer';
import { type TemporaryFolder, temporaryFolder } from '../editor/temporaryFolder';
import { outFolder } from '../suites/project';
import { Workbench } from './workbench';

export interface WorkbenchOptions {
  /** A folder to copy into the workspace. */
  readonly workspace?: string;
  /** Files to write to the workspace, by relative path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The language that extensions use. VS Code's own text stays in English. */
  readonly locale?: string;
}

export interface OpenWorkbench {
  readonly workbench: Workbench;
  readonly page: Page;
  readonly workspaceFolder: string;
  /** The editor's data: settings, state, logs and extensions. */
  readonly dataFolder: string;
  close(): Promise<void>;
}

/** Starts a new editor with the VSIX installed, and opens it in a new browser. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<OpenWorkbench> {
  const workspace = makeWorkspace(options);
  const data = temporaryFolder('di-data');
  const server = await startCodeServer(await installEditor(testedEditor()), {
    workspaceFolder: workspace.path,
    dataFolder: data.path,
    locale: options.locale,
    settings: settingsOf(options),
  });
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport, colorScheme: 'light', permissions: clipboard });
  const close = async (): Promise<void> => {
    await browser.close();
    server.stop();
    workspace.remove();
    data.remove();
  };
  const opened = { workspaceFolder: workspace.path, dataFolder: data.path, close };
  return await openPage(await context.newPage(), server.url, opened);
}

export function makeWorkspace({ workspace, files = {} }: WorkbenchOptions): TemporaryFolder {
  const { path: parent, remove } = temporaryFolder('di-e2e');
  const path = join(parent, 'workspace');
  mkdirSync(path);
  if (workspace) cpSync(workspace, path, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return { path, remove };
}

export function settingsOf({ settings }: WorkbenchOptions): Readonly<Record<string, unknown>> {
  return { 'workbench.colorTheme': 'Default Light Modern', ...settings };
}

/** Opens the workbench at this address. If that fails, saves a screenshot and closes everything. */
export async function openPage(
  page: Page,
  address: string,
  opened: Omit<OpenWorkbench, 'workbench' | 'page'>,
): Promise<OpenWorkbench> {
  const workbench = new Workbench(page);
  try {
    await page.goto(address);
    await workbench.ready();
  } catch (error) {
    await workbench.screenshot(join(outFolder, 'e2e', 'not-ready.png'));
    await opened.close();
    throw error;
  }
  return { workbench, page, ...opened };
}
