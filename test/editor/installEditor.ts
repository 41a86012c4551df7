import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '../suites/ownFolder';
import { editorsFolder, projectFolder } from '../suites/project';
import type { EditorVersion } from './editorVersions';
import { npmInstall } from './npmInstall';

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
    console.log(`Getting VS Code ${version.vscode} into .editors (once, about half a minute).`);
    const building = ownFolder(editorsFolder, version.vscode);
    await build(building.path, version);
    putInPlace(building.path, folder, version);
    building.remove();
  }
  const codeServer = join(folder, 'node_modules', 'code-server');
  const node = join(folder, 'node_modules', nodePackage(), 'bin', 'node');
  makeItKeepLogs(join(codeServer, 'lib', 'vscode'));
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

function nodePackage(): string {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${process.platform}-${process.arch}`;
}
