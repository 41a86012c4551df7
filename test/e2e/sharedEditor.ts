import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { testedEditor } from '../editor/editorVersions';
import { installEditor } from '../editor/installEditor';
import { launchBrowserContext } from '../editor/launchBrowser';
import { writeUserSettings } from '../editor/quietSettings';
import { startCodeServer } from '../editor/startCodeServer';
import type { RunningServer } from '../editor/startServer';
import { temporaryFolder } from '../editor/temporaryFolder';
import { makeWorkspace, type OpenWorkbench, openPage, settingsOf, type WorkbenchOptions } from './openWorkbench';

interface Editor {
  readonly server: RunningServer;
  readonly dataFolder: string;
  readonly context: BrowserContext;
}

/**
 * The editor and the browser shared by all test files in a process. Each workbench has a new profile and an empty
 * clipboard, but the server and the browser's cache are reused, because a new server is slow to start and a new cache
 * is slow to fill. Built-in extensions that run code are omitted.
 */
export class SharedEditor {
  #editor: Promise<Editor> | undefined;

  /** Opens a workbench with a new profile. Only one can be open at a time. */
  async openWorkbench(options: WorkbenchOptions): Promise<OpenWorkbench> {
    this.#editor ??= startEditor();
    const { server, dataFolder, context } = await this.#editor;
    const workspace = makeWorkspace(options);
    writeUserSettings(join(dataFolder, 'User'), settingsOf(options));
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: 'light' });
    const close = async (): Promise<void> => {
      await emptyProfile(context, server.url);
      await server.endChildren(/--type=(extensionHost|fileWatcher)/);
      rmSync(join(dataFolder, 'User'), { recursive: true, force: true, maxRetries: 10 });
      workspace.remove();
    };
    const address = `${server.url}?${new URLSearchParams({ folder: workspace.path })}`;
    const opened = await openPage(page, address, { workspaceFolder: workspace.path, dataFolder, close });
    await opened.workbench.setClipboard('');
    return opened;
  }

  /** Closes the browser, then the server. Otherwise, the browser would write to its folder while we delete it. */
  async close(): Promise<void> {
    if (!this.#editor) return;
    const { server, context } = await this.#editor;
    await context.close();
    server.stop();
  }
}

async function startEditor(): Promise<Editor> {
  const { path } = temporaryFolder('di-data');
  const dataFolder = join(path, 'data');
  const start = { workspaceFolder: path, dataFolder, isQuiet: true };
  const server = await startCodeServer(await installEditor(testedEditor()), start);
  return { server, dataFolder, context: await launchBrowserContext(server.url) };
}

/** Closes a context's pages and deletes their stored data, but not the cache. */
async function emptyProfile(context: BrowserContext, url: string): Promise<void> {
  const blank = await context.newPage();
  for (const page of context.pages()) if (page !== blank) await page.close();
  await context.clearCookies();
  const session = await context.newCDPSession(blank);
  const storageTypes = 'indexeddb,local_storage,service_workers,cache_storage';
  await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes });
}
