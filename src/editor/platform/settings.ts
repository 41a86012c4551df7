import * as vscode from 'vscode';
import type { FileRules } from '../../files/fileRules';
import type { DatasetSetting } from '../../service/contract/dataset';
import type { HttpSettings } from '../../service/http/http';

/** What to import of files with unsaved changes. */
export type UnsavedFiles = 'ask' | 'save' | 'asOnDisk';

// A timer of more than 24 days would end at once.
const MAX_SECONDS = 86_400;

/** The datasets as they stand in the user's own settings, unread. A workspace cannot add or redirect one. */
export function datasetsSetting(): unknown {
  return section().inspect('datasets')?.globalValue;
}

/** Writes the datasets to the user's settings. */
export async function saveDatasetsSetting(datasets: readonly DatasetSetting[]): Promise<void> {
  await section().update('datasets', datasets, vscode.ConfigurationTarget.Global);
}

/** The endings of files that are offered for import, each with its dot. */
export function fileExtensions(): string[] {
  const endings: unknown = section().get('fileExtensions');
  return Array.isArray(endings) ? endings.filter(isText) : [];
}

/** Which files are taken of a folder, and about which the user is asked first. */
export function fileRules(): FileRules {
  return {
    include: globs('folders.include'),
    endings: fileExtensions(),
    exclude: globs('folders.exclude'),
    useIgnoreFiles: section().get('folders.useIgnoreFiles') !== false,
    sensitive: globs('sensitiveFiles'),
  };
}

/** The size of the largest file that may be imported; Infinity where there is no limit. */
export function maxFileBytes(): number {
  const megabytes = orDefault('maxFileSizeMB', (value) => isNumberIn(value, 0, Number.MAX_VALUE));
  return megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 * 1024;
}

/** What to import of files with unsaved changes. */
export function unsavedFiles(): UnsavedFiles {
  const chosen: unknown = section().get('unsavedFiles');
  return chosen === 'save' || chosen === 'asOnDisk' ? chosen : 'ask';
}

/** Whether to ask before content that was already accepted is imported again. */
export function asksForDuplicates(): boolean {
  return section().get('duplicates') !== 'import';
}

/** How many imports may run at a time. */
export function concurrentImports(): number {
  return orDefault(
    'concurrentImports',
    (value): value is number => isNumberIn(value, 1, 16) && Number.isInteger(value),
  );
}

/** Whether the sandbox starts together with the window. */
export function sandboxStartsAutomatically(): boolean {
  return section().get('sandbox.startAutomatically') === true;
}

/** A status that takes longer is asked for again later, so that others need not wait. */
const LONGEST_QUERY_MS = 30_000;

/** How the user wants requests to reach the network: VS Code's own proxy settings, as far as they can be used. */
export function httpSettings(): HttpSettings {
  const http = vscode.workspace.getConfiguration('http');
  const off = http.get('proxySupport') === 'off';
  const answerMs = milliseconds('timeouts.answerSeconds');
  return {
    timeOuts: {
      connectMs: milliseconds('timeouts.connectSeconds'),
      idleMs: milliseconds('timeouts.sendingSeconds'),
      answerMs,
      queryMs: Math.min(answerMs, LONGEST_QUERY_MS),
    },
    proxy: off ? '' : textOf(http.get('proxy')),
    // Whoever writes the list as one text means it as in `no_proxy`.
    noProxy: textOf([http.get('noProxy')].flat().filter(isText).join(',')),
    proxyAuthorization: textOf(http.get('proxyAuthorization')),
    proxyStrictTls: http.get('proxyStrictSSL') !== false,
    systemCertificates: http.get('systemCertificates') !== false,
  };
}

/** Calls back when one of our settings, named without its prefix, changes. */
export function onSettingChange(name: string, changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`datasetImport.${name}`)) changed();
  });
}

/** Opens the settings.json that holds for all profiles, as the datasets do, at them. */
export async function openDatasetsSetting(): Promise<void> {
  // Without `edit`, which would add an empty entry: unsaved, it keeps VS Code from writing its settings.
  const revealSetting = { key: 'datasetImport.datasets' };
  await vscode.commands.executeCommand('workbench.action.openApplicationSettingsJson', { revealSetting });
}

/** Opens the settings that say what is taken of folders. */
export async function openFolderSettings(): Promise<void> {
  await openSettings('datasetImport.folders');
}

/** Opens the settings whose names begin so. */
export async function openSettings(name: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', name);
}

function globs(name: string): string[] {
  const list: readonly unknown[] = orDefault(name, Array.isArray);
  return list.filter(isText);
}

function milliseconds(name: string): number {
  return orDefault(name, (value) => isNumberIn(value, 0.001, MAX_SECONDS)) * 1000;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Undefined for what is no text or an empty one: any value may stand in settings.json. */
function textOf(value: unknown): string | undefined {
  return isText(value) && value !== '' ? value : undefined;
}

function isNumberIn(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

/** A setting as it stands where it fits, or else its default, of which package.json gives one that fits. */
function orDefault<T>(name: string, fits: (value: unknown) => value is T): T {
  const value: unknown = section().get(name);
  return fits(value) ? value : (section().inspect(name)?.defaultValue as T);
}

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('datasetImport');
}
