import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { testedEditor } from '../editor/editorVersions';
import { installEditor } from '../editor/installEditor';
import { launchBrowser } from '../editor/launchBrowser';
import { startCodeServer } from '../editor/startCodeServer';
import { temporaryFolder } from '../editor/temporaryFolder';
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

/** Starts a new editor with the extension installed from its package, and opens it in a browser. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<OpenWorkbench> {
  const temporary = temporaryFolder('di-e2e');
  const workspaceFolder = join(temporary.path, 'workspace');
  const dataFolder = join(temporary.path, 'data');
  mkdirSync(workspaceFolder);
  if (options.workspace) cpSync(options.workspace, workspaceFolder, { recursive: true });
  for (const [name, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(workspaceFolder, name)), { recursive: true });
    writeFileSync(join(workspaceFolder, name), content);
  }
  const server = await startCodeServer(await installEditor(testedEditor()), {
    workspaceFolder,
    dataFolder,
    port: options.port,
    settings: { 'workbench.colorTheme': themes[options.theme ?? 'light'], ...options.settings },
  });
  const browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: options.theme ?? 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const workbench = new Workbench(page);
  const close = async (): Promise<void> => {
    await browser.close();
    server.stop();
    temporary.remove();
  };
  try {
    await page.goto(server.url);
    await workbench.ready();
  } catch (error) {
    await workbench.screenshot(join(outFolder, 'e2e', 'not-ready.png'));
    await close();
    throw error;
  }
  return { workbench, page, workspaceFolder, dataFolder, close };
}
