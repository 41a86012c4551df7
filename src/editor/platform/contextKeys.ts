import * as vscode from 'vscode';

/** The context keys used in `when` clauses in package.json. */
interface ContextKeys {
  fileExtensions: readonly string[];
  hasDatasets: boolean;
  /** Not the same as `!hasDatasets`: before activation, neither key is set, so no welcome view is shown. */
  hasNoDatasets: boolean;
  sandboxRunning: boolean;
  importing: boolean;
  tasksFiltered: boolean;
  /**
   * Whether the Tasks view has loaded and is empty. While it is loading, a welcome view would make it look as if tasks
   * were lost.
   */
  hasNoTasks: boolean;
  /** The distinct states of all tasks, separated by spaces. */
  taskStates: string;
  /**
   * Whether a dataset other than the sandbox has received a file. Setting this to true completes a step of the
   * walkthrough.
   */
  hasOwnImport: boolean;
}

/** Sets a context key. Omit the `datasetImport.` prefix from the name. */
export async function setContextKey<Key extends keyof ContextKeys>(name: Key, value: ContextKeys[Key]): Promise<void> {
  await vscode.commands.executeCommand('setContext', `datasetImport.${name}`, value);
}
