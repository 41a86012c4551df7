import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '../suites/ownFolder';
import { editorsFolder, projectFolder } from '../suites/project';
import type { EditorVersion } from './editorVersions';
import { runProcess } from './runProcess';

/** An installed editor. All paths are absolute. */
export interface InstalledEditor {
  readonly version: EditorVersion;
  readonly node: string;
  /** The `code-server` package folder. */
  readonly codeServer: string;
  /** The folder inside `codeServer` that contains VS Code's server. */
  readonly vscodeServer: string;
}

/**
 * Installs the editor in `.editors/<version>/`, unless it is already installed. The complete folder is renamed into
 * place, so interrupted or concurrent installations do no harm.
 */
export async function installEditor(version: EditorVersion): Promise<InstalledEditor> {
  if (process.platform === 'win32')
    throw new Error('The editor runs on Linux, macOS and WSL, but not directly on Windows.');
  const folder = join(editorsFolder, version.vscode);
  if (!isComplete(folder, version)) {
    console.log(`Installing VS Code ${version.vscode} in .editors. This takes about half a minute, once.`);
    const building = ownFolder(editorsFolder, version.vscode);
    await build(building.path, version);
    moveIntoPlace(building.path, folder, version);
    building.remove();
  }
  const codeServer = join(folder, 'node_modules', 'code-server');
  const node = join(folder, 'node_modules', nodePackage(), 'bin', 'node');
  replaceLogger(join(codeServer, 'lib', 'vscode'));
  return { version, node, codeServer, vscodeServer: join(codeServer, 'lib', 'vscode') };
}

async function build(folder: string, version: EditorVersion): Promise<void> {
  const dependencies = { 'code-server': version.codeServer, [nodePackage()]: version.node };
  const { overrides } = version;
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies, overrides }));
  await npmInstall(folder);
  const server = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  replaceGitDependency(server);
  await npmInstall(server, '--omit=dev');
  writeFileSync(join(folder, 'installed.json'), JSON.stringify(version));
}

/**
 * Replaces the native logger, which needs a compiler. Without a logger, the editor wouldn't write any logs, so
 * searching them for keys would prove nothing. Also replaces the logger in editors that are already installed, even if
 * they are running.
 */
function replaceLogger(server: string): void {
  const logger = join(server, 'node_modules', '@vscode', 'spdlog', 'index.js');
  const standIn = readFileSync(join(projectFolder, 'test', 'editor', 'spdlogStandIn.cjs'), 'utf8');
  if (readFileSync(logger, 'utf8') === standIn) return;
  const temporary = `${logger}.${process.pid}`;
  writeFileSync(temporary, standIn);
  renameSync(temporary, logger);
}

/** Replaces the oldest server's only git dependency, because installing it would require git and internet access. */
function replaceGitDependency(server: string): void {
  const file = join(server, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> };
  if (!manifest.dependencies['@parcel/watcher']?.includes('/')) return;
  manifest.dependencies['@parcel/watcher'] = '^2.5.6';
  writeFileSync(file, JSON.stringify(manifest));
  rmSync(join(server, 'npm-shrinkwrap.json'), { force: true });
}

/** Installs the packages listed in a folder's package.json without running their scripts, which could need a compiler. */
async function npmInstall(folder: string, ...options: readonly string[]): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  await runProcess('npm', ['install', ...quiet, '--engine-strict=false', ...options], { cwd: folder });
}

function isComplete(folder: string, version: EditorVersion): boolean {
  const marker = join(folder, 'installed.json');
  return existsSync(marker) && readFileSync(marker, 'utf8') === JSON.stringify(version);
}

function moveIntoPlace(building: string, folder: string, version: EditorVersion): void {
  if (existsSync(folder) && !isComplete(folder, version)) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(building, folder);
  } catch (error) {
    if (!isComplete(folder, version)) throw error;
  }
}

function nodePackage(): string {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform}-${process.arch}`;
}
