import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorsFolder, projectFolder } from '../suites/project';
import type { EditorVersion } from './editorVersions';
import { npmInstall } from './npmInstall';
import { undoAtExit } from './undoAtExit';

/** An editor that is installed; absolute paths. */
export interface InstalledEditor {
  readonly version: EditorVersion;
  readonly node: string;
  /** The folder of the package code-server. */
  readonly codeServer: string;
  /** The folder of VS Code's server in it. */
  readonly vscodeServer: string;
}

/**
 * Gets the editor into `.editors/<version>/`, unless it is there. It is put together in a folder beside and moved
 * into place when whole, so a killed install leaves nothing that looks whole and two at once do not meet.
 */
export async function installEditor(version: EditorVersion): Promise<InstalledEditor> {
  if (process.platform === 'win32') throw new Error('The editor runs on Linux, macOS and WSL; not on Windows itself.');
  const folder = join(editorsFolder, version.vscode);
  if (!isWhole(folder, version)) {
    removeAbandoned();
    console.log(`Getting VS Code ${version.vscode} into .editors (once, about half a minute).`);
    const building = join(editorsFolder, `${version.vscode}.${process.pid}.partial`);
    const removeBuilding = undoAtExit(() => rmSync(building, { recursive: true, force: true, maxRetries: 10 }));
    await build(building, version);
    putInPlace(building, folder, version);
    removeBuilding();
  }
  const codeServer = join(folder, 'node_modules', 'code-server');
  const node = join(folder, 'node_modules', nodePackage(), 'bin', 'node');
  makeItKeepLogs(join(codeServer, 'lib', 'vscode'));
  return { version, node, codeServer, vscodeServer: join(codeServer, 'lib', 'vscode') };
}

async function build(folder: string, version: EditorVersion): Promise<void> {
  mkdirSync(folder, { recursive: true });
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
 * Puts a logger in place of the native one, which is not there without a compiler: else the editor keeps no logs, and a
 * search of them proves nothing. Editors that were installed before get it too, also while others run them.
 */
function makeItKeepLogs(server: string): void {
  const logger = join(server, 'node_modules', '@vscode', 'spdlog', 'index.js');
  const standIn = readFileSync(join(projectFolder, 'test', 'editor', 'spdlogStandIn.cjs'), 'utf8');
  if (readFileSync(logger, 'utf8') === standIn) return;
  const beside = `${logger}.${process.pid}`;
  writeFileSync(beside, standIn);
  renameSync(beside, logger);
}

/** One dependency of the older server is pinned to a git address, which needs git and the internet. */
function replaceGitDependency(server: string): void {
  const file = join(server, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> };
  if (!manifest.dependencies['@parcel/watcher']?.includes('/')) return;
  manifest.dependencies['@parcel/watcher'] = '^2.5.6';
  writeFileSync(file, JSON.stringify(manifest));
  rmSync(join(server, 'npm-shrinkwrap.json'), { force: true });
}

function isWhole(folder: string, version: EditorVersion): boolean {
  const marker = join(folder, 'installed.json');
  return existsSync(marker) && readFileSync(marker, 'utf8') === JSON.stringify(version);
}

function putInPlace(building: string, folder: string, version: EditorVersion): void {
  if (existsSync(folder) && !isWhole(folder, version)) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(building, folder);
  } catch (error) {
    if (!isWhole(folder, version)) throw error;
  }
}

/** Removes what installs have left that were killed too hard to do it themselves. */
function removeAbandoned(): void {
  mkdirSync(editorsFolder, { recursive: true });
  for (const name of readdirSync(editorsFolder)) {
    const owner = /\.(\d+)\.partial$/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(editorsFolder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function nodePackage(): string {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform}-${process.arch}`;
}
