import * as vscode from 'vscode';
import type { FileRules } from '../../files/fileRules';
import type { DatasetSetting } from '../../service/contract/dataset';
import type { HttpSettings } from '../../service/http/http';
import type { Keeping } from '../../tasks/store/model';
import * as values from './settingValues';

export type { UnsavedFiles } from './settingValues';

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
  return values.fileExtensions(section(folder));
}

/** The extensions of files that are offered for import in any folder of the workspace: a menu knows no folder. */
export function offeredExtensions(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [...new Set([undefined, ...folders].flatMap((folder) => fileExtensions(folder?.uri)))];
}

/**
 * Which files of a folder are imported, and which of them only after a question. Each import reads them, so that trusting
 * the workspace takes effect at once.
 */
export function fileRules(folder?: vscode.Uri): FileRules {
  return values.fileRules(section(folder), section(), vscode.workspace.isTrusted);
}

/** Max size of a file; Infinity without a limit. */
export function maxFileBytes(): number {
  return values.maxFileBytes(section());
}

export function unsavedFiles(): values.UnsavedFiles {
  return values.unsavedFiles(section());
}

/** What happens to content that was already accepted. */
export function duplicates(): 'ask' | 'skip' | 'import' {
  return values.duplicates(section());
}

/** Which files are decorated with how they stand at the default dataset. */
export function decorations(): 'all' | 'changes' | 'none' {
  return values.decorations(section());
}

/** How many tasks that have ended are kept. */
export function historyKept(): Keeping {
  return values.historyKept(section());
}

/** Max imports at a time. */
export function concurrentImports(): number {
  return values.concurrentImports(section());
}

export function sandboxStartsAutomatically(): boolean {
  return section().get('sandbox.startAutomatically') === true;
}

/** Our time-outs, and the proxy settings of VS Code, which does not apply them to undici. */
export function httpSettings(): HttpSettings {
  return values.httpSettings(section(), vscode.workspace.getConfiguration('http'));
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

/** Without a folder, the settings of the window. */
function section(folder?: vscode.Uri): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('datasetImport', folder);
}
