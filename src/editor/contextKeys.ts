import * as vscode from 'vscode';

/** What the menus of package.json ask for besides VS Code's own context. */
interface ContextKeys {
  fileExtensions: readonly string[];
  hasDatasets: boolean;
  sandboxRunning: boolean;
}

/** Sets one of our context keys, named without its prefix. */
export async function setContextKey<Name extends keyof ContextKeys>(
  name: Name,
  value: ContextKeys[Name],
): Promise<void> {
  await vscode.commands.executeCommand('setContext', `datasetImport.${name}`, value);
}
