// The first step of every command. It runs on the machine's own Node (20 or later), without any packages. It installs
// the packages if they are missing or differ from package-lock.json, and then runs a TypeScript file with the Node
// binary from one of those packages.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, ...args] = process.argv.slice(2);

const why = whyInstall();
if (why !== null) {
  console.log(`Installing packages with "npm ci": ${why}.`);
  const npm = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error(`"npm ci" failed: ${npm.error?.message ?? `exit code ${npm.status ?? npm.signal}`}.`);
    process.exit(1);
  }
}
if (entry !== undefined) runEntry();

/** Why the packages must be installed, or null if they match package-lock.json. */
function whyInstall() {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null) return 'there is no package-lock.json';
  if (installed === null) return 'none are installed';
  for (const [path, { version, optional }] of wanted) {
    const isMissing = !installed.has(path);
    if (isMissing ? !optional : installed.get(path).version !== version) {
      return `${path.replace('node_modules/', '')} ${version} is missing`;
    }
  }
  for (const path of installed.keys()) if (!wanted.has(path)) return `${path} is not in package-lock.json`;
  return null;
}

function packagesIn(lockFile) {
  try {
    const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
    return new Map(Object.entries(packages).filter(([path]) => path !== ''));
  } catch {
    return null;
  }
}

function runEntry() {
  const bin = join(root, 'node_modules', '.bin');
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  const child = spawn(node, ['--import', 'tsx', entry, ...args], { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) whenOrphaned(() => child.kill());
  child.on('error', (error) => {
    console.error(`Cannot run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** npm sends signals to the shell that runs this process. The shell exits without forwarding them. */
function whenOrphaned(end) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, 500).unref();
}
