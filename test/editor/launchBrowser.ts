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
  const { options, temporary } = await quietOptions();
  const browser = await chromium.launch(options);
  browser.once('disconnected', temporary.remove);
  return browser;
}

/** Starts a headless browser with a profile. Pages at this origin may use the clipboard. */
export async function launchBrowserContext(origin: string): Promise<BrowserContext> {
  const { options, temporary } = await quietOptions();
  const context = await chromium.launchPersistentContext(join(temporary.path, 'profile'), { ...options, viewport });
  context.once('close', temporary.remove);
  await context.grantPermissions(clipboard, { origin });
  return context;
}

async function quietOptions() {
  const executablePath = await findBrowser();
  const temporary = temporaryFolder('di-browser');
  const options = {
    executablePath,
    env: { ...process.env, TMPDIR: temporary.path },
    // exitOnSignals handles signals, and Playwright closes its browser when the process exits.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: ['--no-sandbox', '--disable-gpu', '--lang=en-US', ...quiet],
  };
  return { options, temporary };
}
