import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { testedEditor } from '../editor/editorVersions';
import { installEditor } from '../editor/installEditor';
import { launchBrowser } from '../editor/launchBrowser';
import { startExtensionHost } from '../editor/startExtensionHost';
import type { RunningServer } from '../editor/startServer';
import { temporaryFolder } from '../editor/temporaryFolder';
import { projectFolder } from '../suites/project';
import { bundleWindow } from './bundleWindow';
import type { CountingService } from './countingService';
import { datasetName } from './summary';

/**
 * Provides an encryption key for secrets, so that secrets outlive a browser window. Also lets tests set the page's
 * clock forward, because VS Code doesn't restart an extension host that has crashed multiple times within a few
 * minutes.
 */
const beforePage = `{
  const { fetch } = window;
  const key = () => new Response(new Uint8Array(32).fill(7));
  window.fetch = (to, how) => (String(to).endsWith('/mint-key') ? Promise.resolve(key()) : fetch(to, how));
  const { now } = Date;
  Date.now = Object.assign(() => now() + Date.now.aheadMs, { aheadMs: 0 });
}`;
const setClockForward = 'Date.now.aheadMs += 600_000';

/** Browser windows connected to one editor. They share its storage on disk. */
export class Windows {
  readonly #service: CountingService;
  readonly #context: BrowserContext;
  readonly #address: URL;
  readonly #dispose: () => Promise<void>;
  /** The extension's global storage. */
  readonly storageFolder: string;
  readonly filesFolder: string;

  private constructor(
    service: CountingService,
    { server, page }: { readonly server: RunningServer; readonly page: string },
    context: BrowserContext,
    folder: { readonly path: string; remove(): void },
  ) {
    this.#service = service;
    this.#context = context;
    this.#address = new URL(page);
    this.storageFolder = join(folder.path, 'data', 'User', 'globalStorage', 'dataset-import.dataset-import');
    this.filesFolder = join(folder.path, 'files');
    this.#dispose = async () => {
      await context.browser()?.close();
      server.stop();
      folder.remove();
    };
  }

  /** Starts an editor with the extension and one dataset. */
  static async start(service: CountingService): Promise<Windows> {
    const folder = temporaryFolder('di-kill');
    const dataFolder = join(folder.path, 'data');
    const workspaceFolder = join(folder.path, 'workspace');
    mkdirSync(workspaceFolder);
    const editor = await installEditor(testedEditor());
    await installExtensions(join(dataFolder, 'extensions'));
    const started = await startExtensionHost(editor, {
      extensionFolder: projectFolder,
      testsModule: await bundleWindow('takeOrders', folder.path),
      workspaceFolder,
      dataFolder,
      settings: { 'datasetImport.datasets': [{ name: datasetName, baseUrl: service.url }] },
    });
    const context = await (await launchBrowser()).newContext();
    await context.addInitScript(beforePage);
    return new Windows(service, started, context, folder);
  }

  /** Opens a window that carries out orders from the test. Returns the process ID of its extension host. */
  async openForOrders(): Promise<number> {
    return (await this.#open(this.#address)).pid;
  }

  /** Opens a window without test code, so that VS Code restarts its extension host after a kill. */
  async open(): Promise<OrdinaryWindow> {
    const address = new URL(this.#address);
    address.searchParams.delete('payload');
    const { page, pid } = await this.#open(address);
    return new OrdinaryWindow(this.#service, page, pid);
  }

  close(): Promise<void> {
    return this.#dispose();
  }

  async #open(address: URL): Promise<{ page: Page; pid: number }> {
    const page = await this.#context.newPage();
    const pid = nextPid(this.#service);
    await page.goto(address.href);
    return { page, pid: await pid };
  }
}

/** An ordinary editor window, in which no test code runs. */
export class OrdinaryWindow {
  readonly #service: CountingService;
  readonly #page: Page;
  #pid: number;

  constructor(service: CountingService, page: Page, pid: number) {
    this.#service = service;
    this.#page = page;
    this.#pid = pid;
  }

  /** Kills the extension host. Resolves once VS Code has restarted it. */
  async killHost(): Promise<void> {
    await this.#page.evaluate(setClockForward);
    const next = nextPid(this.#service);
    process.kill(this.#pid, 'SIGKILL');
    this.#pid = await next;
  }
}

/** The process ID of the next extension host that starts. */
function nextPid(service: CountingService): Promise<number> {
  const before = new Set(service.pids);
  return service.until('an extension host', () => service.pids.find((pid) => !before.has(pid)));
}

async function installExtensions(folder: string): Promise<void> {
  const extension = join(folder, 'dataset-import.dataset-import-0.0.0');
  mkdirSync(extension, { recursive: true });
  for (const name of ['dist', 'media', 'package.json', 'package.nls.json']) {
    cpSync(join(projectFolder, name), join(extension, name), { recursive: true });
  }
  const reporter = join(folder, 'tests.reporter-0.0.0');
  mkdirSync(reporter);
  await bundleWindow('reporter', reporter);
  const manifest = {
    publisher: 'tests',
    name: 'reporter',
    version: '0.0.0',
    engines: { vscode: '^1.105.0' },
    main: './reporter.js',
    activationEvents: ['*'],
  };
  writeFileSync(join(reporter, 'package.json'), JSON.stringify(manifest));
}
