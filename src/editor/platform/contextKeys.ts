import * as vscode from 'vscode';

/** What the menus of package.json ask for besides VS Code's own context. */
interface ContextKeys {
  fileExtensions: readonly string[];
  hasDatasets: boolean;
  /** Not merely the contrary: before activation neither is true, and no welcome tells what is not known yet. */
  hasNoDatasets: boolean;
  sandboxRunning: boolean;
  importing: boolean;
}

/** Sets one of our context keys, named without its prefix. */
export async function setContextKey<Name extends keyof ContextKeys>(
  name: Name,
  value: ContextKeys[Name],
): Promise<void> {
  await vscode.commands.executeCommand('setContext', `datasetImport.${name}`, value);
}
