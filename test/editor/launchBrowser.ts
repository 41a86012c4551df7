import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from './findBrowser';

/** Starts a browser without a window that asks nothing of any network but the pages opened in it. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: await findBrowser(),
    // Signals are seen to by exitOnSignals; Playwright ends its browser when the process exits.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ].concat(['--disable-component-update', '--disable-sync', '--lang=en-US']),
  });
}
