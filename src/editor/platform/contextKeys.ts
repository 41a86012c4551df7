import * as vscode from 'vscode';

/** The context keys that the `when` clauses of package.json use. */
interface ContextKeys {
  fileExtensions: readonly string[];
  hasDatasets: boolean;
  /** A key of its own: before activation neither is set, and no welcome view must show. */
  hasNoDatasets: boolean;
  sandboxRunning: boolean;
  importing: boolean;
  tasksFiltered: boolean;
  /** The states of all tasks, between spaces. */
  taskStates: string;
  /** Each of these completes a step of the walkthrough. */
  hasImported: boolean;
  hasEndedTask: boolean;
  hasOwnDataset: boolean;
  hasOwnImport: boolean;
}

/** Sets a context key; `name` is without the prefix `datasetImport.`. */
export async function setContextKey<Name extends keyof ContextKeys>(
  name: Name,
  value: ContextKeys[Name],
): Promise<void> {
  await vscode.commands.executeCommand('setContext', `datasetImport.${name}`, value);
}
