import { commands } from 'vscode';
import { commandTitle } from './commandTitle';

/** A button in a message. */
export interface Action {
  readonly label: string;
  run(): unknown;
}

/** A button that runs one of our commands. Omit the `datasetImport.` prefix from the name. */
export function commandAction(command: string, target?: unknown, label = commandTitle(command)): Action {
  return { label, run: () => commands.executeCommand(`datasetImport.${command}`, target) };
}

/** An error whose message is written for the user. */
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
