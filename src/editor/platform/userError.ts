import { commands } from 'vscode';

/** A button of a message. */
export interface Action {
  readonly label: string;
  run(): unknown;
}

/** A button that runs a command of this extension, named without the prefix `datasetImport.`. */
export function commandAction(label: string, command: string, target?: unknown): Action {
  return { label, run: () => commands.executeCommand(`datasetImport.${command}`, target) };
}

/** An error whose message is shown as it is. */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    readonly actions: readonly Action[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
