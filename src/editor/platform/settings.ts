import * as vscode from 'vscode';
import type { FileRules } from '../../files/fileRules';
import type { DatasetSetting } from '../../service/contract/dataset';
import type { HttpSettings } from '../../service/http/http';
import type { Keeping } from '../../tasks/history/retention';

/** What to import of files with unsaved changes. */
export type UnsavedFiles = 'ask' | 'save' | 'asOnDisk';

/** Of which ends of imports and tasks messages tell. */
export type Notifications = 'all' | 'problems' | 'none';

/** Max time-out. A Node.js timer longer than 24 days would fire at once. */
const MAX_SECONDS = 86_400;

/** The datasets of the user settings, not validated. Workspace settings are ignored: they could redirect an access key. */
export function datasetsSetting(): unknown {
  return section().inspect('datasets')?.globalValue;
}

export async function saveDatasetsSetting(datasets: readonly DatasetSetting[]): Promise<void> {
  await section().update('datasets', datasets, vscode.ConfigurationTarget.Global);
}

/** The extensions of files that are imported from a folder, each with its dot. */
export function fileExtensions(folder?: vscode.Uri): string[] {
  const extensions: unknown = section(folder).get('fileExtensions');
  return Array.isArray(extensions) ? extensions.filter(isText) : [];
}

/** The extensions of files that are offered for import in any folder of the workspace: a menu knows no folder. */
export function offeredExtensions(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [...new Set([undefined, ...folders].flatMap((folder) => fileExtensions(folder?.uri)))];
}

/** Which files of a folder are imported, and which of them only after a question. */
export function fileRules(folder?: vscode.Uri): FileRules {
  return {
    include: globs('folders.include', folder),
    endings: fileExtensions(folder),
    exclude: globs('folders.exclude', folder),
    useIgnoreFiles: section(folder).get('folders.useIgnoreFiles') !== false,
    sensitive: globs('sensitiveFiles'),
  };
}

/** Max size of a file; Infinity without a limit. */
export function maxFileBytes(): number {
  const megabytes = orDefault('maxFileSizeMB', (value) => isNumberIn(value, 0, Number.MAX_VALUE));
  return megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 * 1024;
}

export function unsavedFiles(): UnsavedFiles {
  const chosen: unknown = section().get('unsavedFiles');
  return chosen === 'save' || chosen === 'asOnDisk' ? chosen : 'ask';
}

/** Whether to ask before content that was already accepted is imported again. */
export function asksForDuplicates(): boolean {
  return section().get('duplicates') !== 'import';
}

export function notifications(): Notifications {
  const chosen: unknown = section().get('notifications');
  return chosen === 'problems' || chosen === 'none' ? chosen : 'all';
}

/** How many tasks that have ended are kept. */
export function historyKept(): Keeping {
  const limit = (name: string) => orDefault(name, (value) => isNumberIn(value, 0, Number.MAX_SAFE_INTEGER));
  const [days, tasks] = [limit('history.keepDays'), limit('history.keepTasks')];
  return { days: days || Number.POSITIVE_INFINITY, tasks: Math.floor(tasks) || Number.POSITIVE_INFINITY };
}

/** Max imports at a time. */
export function concurrentImports(): number {
  return orDefault(
    'concurrentImports',
    (value): value is number => isNumberIn(value, 1, 16) && Number.isInteger(value),
  );
}

export function sandboxStartsAutomatically(): boolean {
  return section().get('sandbox.startAutomatically') === true;
}

/** Max time of a query. A slower one is repeated later, so that it does not delay others. */
const LONGEST_QUERY_MS = 30_000;

/** Our time-outs, and the proxy settings of VS Code, which does not apply them to undici. */
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
    // A single string is a list separated by commas, as in `no_proxy`.
    noProxy: textOf([http.get('noProxy')].flat().filter(isText).join(',')),
    proxyAuthorization: textOf(http.get('proxyAuthorization')),
    proxyStrictTls: http.get('proxyStrictSSL') !== false,
    systemCertificates: http.get('systemCertificates') !== false,
  };
}

/** Listens to changes of a setting, named without the prefix `datasetImport.`. */
export function onSettingChange(name: string, changed: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`datasetImport.${name}`)) changed();
  });
}

/** Opens the datasets in the settings.json of all profiles. */
export async function openDatasetsSetting(): Promise<void> {
  // No `edit: true`: it adds an empty entry, and VS Code cannot write settings while that is unsaved.
  const revealSetting = { key: 'datasetImport.datasets' };
  await vscode.commands.executeCommand('workbench.action.openApplicationSettingsJson', { revealSetting });
}

/** Opens the settings whose names begin with `prefix`. */
export async function openSettings(prefix: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', prefix);
}

function globs(name: string, folder?: vscode.Uri): string[] {
  const list: readonly unknown[] = orDefault(name, Array.isArray, folder);
  return list.filter(isText);
}

function milliseconds(name: string): number {
  return orDefault(name, (value) => isNumberIn(value, 0.001, MAX_SECONDS)) * 1000;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Undefined for an empty text and for other types, which settings.json may contain. */
function textOf(value: unknown): string | undefined {
  return isText(value) && value !== '' ? value : undefined;
}

function isNumberIn(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}

/** The value of a setting, or its default in package.json where the value is invalid. */
function orDefault<T>(name: string, fits: (value: unknown) => value is T, folder?: vscode.Uri): T {
  const value: unknown = section(folder).get(name);
  return fits(value) ? value : (section().inspect(name)?.defaultValue as T);
}

/** Without a folder, the settings of the window. */
function section(folder?: vscode.Uri): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('datasetImport', folder);
}
