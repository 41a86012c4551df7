import * as v from 'valibot';
import * as vscode from 'vscode';
import type { FileRules } from '../../files/fileRules';
import type { DatasetSetting } from '../../service/contract/dataset';
import type { HttpSettings } from '../../service/http/http';
import type { Keeping } from '../../tasks/history/retention';

/** What to import of files with unsaved changes. */
export type UnsavedFiles = 'ask' | 'save' | 'asOnDisk';

/** Which ends of imports and tasks have a message. */
export type Notifications = 'all' | 'problems' | 'none';

/** Max time-out. A Node.js timer longer than 24 days would fire at once. */
const MAX_SECONDS = 86_400;

/** The datasets of the user settings, not validated. Workspace settings are ignored: they could redirect an access key. */
export function datasetsSetting(): unknown {
  return section().inspect('datasets')?.globalValue;
}

/** Where the list of datasets is kept. */
export interface DatasetsSetting {
  /** The list, not validated. */
  read(): unknown;
  save(datasets: readonly DatasetSetting[]): Promise<void>;
  onChange(changed: () => void): vscode.Disposable;
}

/** The user settings. */
export const userDatasets: DatasetsSetting = {
  read: datasetsSetting,
  save: async (datasets) => section().update('datasets', datasets, vscode.ConfigurationTarget.Global),
  onChange: (changed) => onSettingChange('datasets', changed),
};

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
  const megabytes = read('maxFileSizeMB', numberIn(0, Number.MAX_VALUE));
  return megabytes === 0 ? Number.POSITIVE_INFINITY : megabytes * 1024 * 1024;
}

export function unsavedFiles(): UnsavedFiles {
  return read('unsavedFiles', v.picklist(['ask', 'save', 'asOnDisk']));
}

/** What happens to content that was already accepted. */
export function duplicates(): 'ask' | 'skip' | 'import' {
  return read('duplicates', v.picklist(['ask', 'skip', 'import']));
}

export function notifications(): Notifications {
  return read('notifications', v.picklist(['all', 'problems', 'none']));
}

/** Which files are decorated with how they stand at the default dataset. */
export function decorations(): 'all' | 'changes' | 'none' {
  return read('decorations', v.picklist(['all', 'changes', 'none']));
}

/** How many tasks that have ended are kept. */
export function historyKept(): Keeping {
  const limit = (name: string) => read(name, numberIn(0, Number.MAX_SAFE_INTEGER));
  const [days, tasks] = [limit('history.keepDays'), limit('history.keepTasks')];
  return { days: days || Number.POSITIVE_INFINITY, tasks: Math.floor(tasks) || Number.POSITIVE_INFINITY };
}

/** Max imports at a time. */
export function concurrentImports(): number {
  return read('concurrentImports', v.pipe(numberIn(1, 16), v.integer()));
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
  const responseMs = milliseconds('timeouts.responseSeconds');
  return {
    timeOuts: {
      connectMs: milliseconds('timeouts.connectSeconds'),
      idleMs: milliseconds('timeouts.sendingSeconds'),
      responseMs,
      queryMs: Math.min(responseMs, LONGEST_QUERY_MS),
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
  return read(name, v.array(v.unknown()), folder).filter(isText);
}

function milliseconds(name: string): number {
  return read(name, numberIn(0.001, MAX_SECONDS)) * 1000;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Undefined for an empty text and for other types, which settings.json may contain. */
function textOf(value: unknown): string | undefined {
  return isText(value) && value !== '' ? value : undefined;
}

function numberIn(least: number, most: number) {
  return v.pipe(v.number(), v.minValue(least), v.maxValue(most));
}

/**
 * The value of a setting, or its default in package.json where the value is invalid. The shell does without it, so that
 * a window loads no valibot at its start.
 */
function read<Value>(name: string, schema: v.GenericSchema<unknown, Value>, folder?: vscode.Uri): Value {
  const { success, output } = v.safeParse(schema, section(folder).get(name));
  return success ? output : v.parse(schema, section().inspect(name)?.defaultValue);
}

/** Without a folder, the settings of the window. */
function section(folder?: vscode.Uri): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('datasetImport', folder);
}
