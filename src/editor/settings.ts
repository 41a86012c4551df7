import * as vscode from 'vscode';
import type { DatasetSetting } from '../service/dataset';
import type { HttpSettings } from '../service/http';

/** INTERFACE.md 8 shows no time-outs: these wait long enough for slow links and large files. */
const TIME_OUTS = { connectMs: 10_000, idleMs: 60_000, answerMs: 300_000 } as const;

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
  return Array.isArray(endings) ? endings.filter((ending) => typeof ending === 'string') : [];
}

/** Whether the sandbox starts together with the window. */
export function sandboxStartsAutomatically(): boolean {
  return section().get('sandbox.startAutomatically') === true;
}

/** How the user wants requests to reach the network: VS Code's own proxy settings. */
export function httpSettings(): HttpSettings {
  const http = vscode.workspace.getConfiguration('http');
  const off = http.get('proxySupport') === 'off';
  const noProxy = http.get<string[]>('noProxy') ?? [];
  return {
    timeOuts: TIME_OUTS,
    proxy: off ? '' : http.get<string>('proxy') || undefined,
    noProxy: noProxy.length > 0 ? noProxy.join(',') : undefined,
    proxyAuthorization: http.get<string | null>('proxyAuthorization') ?? undefined,
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

/** Opens the user's settings.json at the datasets. */
export async function openDatasetsSetting(): Promise<void> {
  // Without `edit`, which would add an empty entry: unsaved, it keeps VS Code from writing its settings.
  const revealSetting = { key: 'datasetImport.datasets' };
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting });
}

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('datasetImport');
}
