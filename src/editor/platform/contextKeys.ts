import * as vscode from 'vscode';

/** The context keys that the `when` clauses of package.json use. */
interface ContextKeys {
  fileExtensions: readonly string[];
  hasDatasets: boolean;
  /** Not the same as `!hasDatasets`: before activation neither key is set, so that no welcome view is shown. */
  hasNoDatasets: boolean;
  sandboxRunning: boolean;
  importing: boolean;
  tasksFiltered: boolean;
  /** The states of all tasks, separated by spaces. */
  taskStates: string;
  /** Whether a dataset other than the sandbox has received a file. Completes a step of the walkthrough. */
  hasOwnImport: boolean;
}

/** Sets a context key; `name` is without the prefix `datasetImport.`. */
export async function setContextKey<Name extends keyof ContextKeys>(
  name: Name,
  value: ContextKeys[Name],
): Promise<void> {
  await vscode.commands.executeCommand('setContext', `datasetImport.${name}`, value);
}
