import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './findBrowser';
import { temporaryFolder } from './temporaryFolder';

const quiet = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

/** Starts a browser without a window that asks nothing of any network but the pages opened in it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  const temporary = temporaryFolder('di-browser');
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, TMPDIR: temporary.path },
    // Signals are seen to by exitOnSignals; Playwright ends its browser when the process exits.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: ['--no-sandbox', '--disable-gpu', '--lang=en-US', ...quiet],
  });
  browser.once('disconnected', temporary.remove);
  return browser;
}
