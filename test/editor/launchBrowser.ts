import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findBrowser } from './findBrowser';
import { temporaryFolder } from './temporaryFolder';

const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** The size of a workbench window in pixels. */
export const viewport = { width: 1280, height: 800 };

/** Permissions granted to a workbench page. */
export const clipboard = ['clipboard-read', 'clipboard-write'];

/** Starts a headless browser that makes no network requests of its own. */
export async function launchBrowser(): Promise<Browser> {
  const { options } = await quietOptions();
  return await chromium.launch(options);
}

/** Starts a headless browser with a profile. Pages at this origin may use the clipboard. */
export async function launchBrowserContext(origin: string): Promise<BrowserContext> {
  const { options, path } = await quietOptions();
  const context = await chromium.launchPersistentContext(join(path, 'profile'), { ...options, viewport });
  await context.grantPermissions(clipboard, { origin });
  return context;
}

async function quietOptions() {
  const executablePath = await findBrowser();
  // Deleted when this process exits. When a browser's `close` event is emitted, it is still writing to its folder.
  const { path } = temporaryFolder('di-browser');
  const options = {
    executablePath,
    env: { ...process.env, TMPDIR: path },
    // exitOnSignals handles signals, and Playwright closes its browser when the process exits.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: ['--no-sandbox', '--disable-gpu', '--lang=en-US', ...quiet],
  };
  return { options, path };
}
