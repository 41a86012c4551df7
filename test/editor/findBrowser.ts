import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { runProcess } from './runProcess';

const namesOnPath = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const applicationsOnMac = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/**
 * Returns the path of a Chromium-based browser: the one in DATASET_IMPORT_BROWSER, or else an installed one. If there
 * is none and we are root on Debian, installs the distribution's Chromium.
 * @throws Error that explains what to install
 */
export async function findBrowser(): Promise<string> {
  const { DATASET_IMPORT_BROWSER: named } = process.env;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`DATASET_IMPORT_BROWSER is not an executable file: ${named}`);
  }
  const found = findInstalled();
  if (found) return found;
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log('Installing a browser for the tests: apt-get install chromium.');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await runProcess('apt-get', ['update'], { env });
    await runProcess('apt-get', ['install', '-y', 'chromium', 'fonts-wqy-zenhei'], { env });
    const installed = findInstalled();
    if (installed) return installed;
  }
  throw new Error(
    'No browser found: install Chromium, Chrome or Edge, or name its program in the environment variable DATASET_IMPORT_BROWSER.',
  );
}

function findInstalled(): string | undefined {
  const { PATH = '' } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  const onPath = namesOnPath.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...applicationsOnMac, chromium.executablePath()].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
