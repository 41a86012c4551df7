import { ConfigurationTarget, commands, type Disposable, type Uri, workspace } from 'vscode';
import type { FileRules } from '../../files/fileRules';
import type { DatasetSetting } from '../../service/contract/dataset';
import type { HttpSettings } from '../../service/http/http';
import type { Retention } from '../../tasks/store/model';

/** The setting `datasetImport.datasets`. */
export interface DatasetsSetting {
  /** The value, which may be invalid. */
  read(): unknown;
  save(datasets: readonly DatasetSetting[]): Promise<void>;
  onChange(changed: () => void): Disposable;
}

/** The datasets in the user settings. Workspace settings are ignored because they could redirect an access key. */
export const userDatasets: DatasetsSetting = {
  read: () => section().inspect('datasets')?.globalValue,
  save: async (datasets) => section().update('datasets', datasets, ConfigurationTarget.Global),
  onChange: (changed) => onSettingChange('datasets', changed),
};

/** The extensions of the files to import from a folder, each with a leading dot. */
export function fileExtensions(folder?: Uri): string[] {
  return read('fileExtensions', areTexts, folder);
}

/**
 * The file extensions for which menus offer import commands. Combined from all workspace folders, because a menu can't
 * know which folder a file is in.
 */
export function offeredExtensions(): string[] {
  const folders = workspace.workspaceFolders ?? [];
  return [...new Set([undefined, ...folders].flatMap((folder) => fileExtensions(folder?.uri)))];
}

/**
 * Which files in a folder to import, and which of those to import only after asking. In an untrusted workspace,
 * .gitignore files aren't read, because their patterns could keep the extension host busy.
 */
export function fileRules(folder?: Uri): FileRules {
  return {
    include: read('folders.include', areTexts, folder),
    endings: fileExtensions(folder),
    exclude: read('folders.exclude', areTexts, folder),
    useIgnoreFiles: workspace.isTrusted && read('folders.useIgnoreFiles', isBoolean, folder),
    sensitive: read('sensitiveFiles', areTexts),
  };
}

/** Max file size, or Infinity if there is no limit. */
export function maxFileBytes(): number {
  return unlessZero(read('maxFileSizeMB', between(0, Number.MAX_VALUE))) * 1024 * 1024;
}

/** How to handle files that have unsaved changes. */
export type UnsavedFiles = 'ask' | 'save' | 'asOnDisk';

export function unsavedFiles(): UnsavedFiles {
  return read('unsavedFiles', oneOf('ask', 'save', 'asOnDisk'));
}

/** How to handle content that was already uploaded. */
export function duplicates(): 'ask' | 'skip' | 'import' {
  return read('duplicates', oneOf('ask', 'skip', 'import'));
}

/** Which files to decorate. */
export function decorations(): 'all' | 'changes' | 'none' {
  return read('decorations', oneOf('all', 'changes', 'none'));
}

/** How long to keep finished tasks, and how many to keep. */
export function historyKept(): Retention {
  const limit = between(0, Number.MAX_SAFE_INTEGER);
  return {
    days: unlessZero(read('history.keepDays', limit)),
    rows: unlessZero(Math.floor(read('history.keepTasks', limit))),
  };
}

/** Max number of concurrent imports. */
export function concurrentImports(): number {
  return Math.floor(read('concurrentImports', between(1, 16)));
}

export function sandboxStartsAutomatically(): boolean {
  return read('sandbox.startAutomatically', isBoolean);
}

/** Max time for a query. A slower query times out and is retried later, so that it doesn't delay other queries. */
const MAX_QUERY_MS = 30_000;

/** One day. A Node.js timer longer than 24 days would fire immediately. */
const MAX_SECONDS = 86_400;

/** Our timeouts and VS Code's proxy settings. VS Code doesn't apply its proxy settings to undici. */
export function httpSettings(): HttpSettings {
  const milliseconds = (name: string) => read(`timeouts.${name}`, between(0.001, MAX_SECONDS)) * 1000;
  const responseMs = milliseconds('responseSeconds');
  const http = workspace.getConfiguration('http');
  return {
    timeOuts: {
      connectMs: milliseconds('connectSeconds'),
      idleMs: milliseconds('sendingSeconds'),
      responseMs,
      queryMs: Math.min(responseMs, MAX_QUERY_MS),
    },
    proxy: http.get('proxySupport') === 'off' ? '' : textOf(http.get('proxy')),
    // As in `no_proxy`, a single string may be a comma-separated list.
    noProxy: textOf([http.get('noProxy')].flat().filter(isText).join(',')),
    proxyAuthorization: textOf(http.get('proxyAuthorization')),
    proxyStrictTls: http.get('proxyStrictSSL') !== false,
    systemCertificates: http.get('systemCertificates') !== false,
  };
}

/** Calls `changed` when a setting changes. Omit the `datasetImport.` prefix from the name. */
export function onSettingChange(name: string, changed: () => void): Disposable {
  return workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`datasetImport.${name}`)) changed();
  });
}

/** Opens the `datasets` setting in the settings.json file that all profiles share. */
export async function openDatasetsSetting(): Promise<void> {
  // Don't pass `edit: true`. It would add an empty entry without saving the file, and VS Code can't write settings
  // while the file has unsaved changes.
  const revealSetting = { key: 'datasetImport.datasets' };
  await commands.executeCommand('workbench.action.openApplicationSettingsJson', { revealSetting });
}

/** Returns a setting's value, or its default if the value is invalid. VS Code marks invalid values in settings.json. */
function read<T>(name: string, isValid: (value: unknown) => value is T, folder?: Uri): T {
  const value = section(folder).get(name);
  return isValid(value) ? value : (section(folder).inspect(name)?.defaultValue as T);
}

/** Returns a folder's settings, or the window's if no folder is given. */
function section(folder?: Uri) {
  return workspace.getConfiguration('datasetImport', folder);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function between(least: number, most: number) {
  return (value: unknown): value is number => typeof value === 'number' && value >= least && value <= most;
}

function oneOf<Choice extends string>(...choices: readonly Choice[]) {
  return (value: unknown): value is Choice => choices.some((choice) => choice === value);
}

function unlessZero(limit: number): number {
  return limit === 0 ? Number.POSITIVE_INFINITY : limit;
}

/** Returns undefined for an empty string or a value that isn't a string. */
function textOf(value: unknown): string | undefined {
  return isText(value) && value !== '' ? value : undefined;
}
