import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { testedEditor } from '../editor/editorVersions';
import { installEditor } from '../editor/installEditor';
import type { Language } from '../editor/installLanguage';
import { clipboard, launchBrowser, viewport } from '../editor/launchBrowser';
import { startCodeServer } from '../editor/startCodeServer';
import { type TemporaryFolder, temporaryFolder } from '../editor/temporaryFolder';
import { outFolder } from '../suites/project';
import { Workbench } from './workbench';

/** What a workbench opens with; everything may be left out. */
export interface WorkbenchOptions {
  /** A folder whose content is copied into the workspace. */
  readonly workspace?: string;
  /** Files to write into the workspace, by path in it. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly theme?: 'light' | 'dark';
  /** What it asks its extensions to speak; the editor itself stays English. */
  readonly language?: Language;
  /** The port of the editor; without it, one that is free. */
  readonly port?: number | undefined;
}

/** A workbench that runs, with what tests look at beside it. */
export interface OpenWorkbench {
  readonly workbench: Workbench;
  readonly page: Page;
  /** The folder that is open in it. */
  readonly workspaceFolder: string;
  /** The folder with everything the editor has written: settings, state, logs, extensions. */
  readonly dataFolder: string;
  close(): Promise<void>;
}

const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' };

/** Starts a new editor with the extension installed from its package, and opens it in a browser of its own. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<OpenWorkbench> {
  const workspace = makeWorkspace(options);
  const data = temporaryFolder('di-data');
  const server = await startCodeServer(await installEditor(testedEditor()), {
    workspaceFolder: workspace.path,
    dataFolder: data.path,
    port: options.port,
    language: options.language,
    settings: settingsOf(options),
  });
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport, colorScheme: options.theme ?? 'light', permissions: clipboard });
  const close = async (): Promise<void> => {
    await browser.close();
    server.stop();
    workspace.remove();
    data.remove();
  };
  const opened = { workspaceFolder: workspace.path, dataFolder: data.path, close };
  return await openPage(await context.newPage(), server.url, opened);
}

/** Makes the folder that a workbench opens. */
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

/** The user settings of a workbench. */
export function settingsOf({ theme = 'light', settings }: WorkbenchOptions): Readonly<Record<string, unknown>> {
  return { 'workbench.colorTheme': themes[theme], ...settings };
}

/** Opens the workbench at this address in the page. Where that fails, closes it and leaves a screenshot. */
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
