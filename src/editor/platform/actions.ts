import { commands, extensions } from 'vscode';

/** A title in package.json. If VS Code's display language isn't English, VS Code turns the title into an object. */
type Localized = string | { readonly value: string };

/** A command's title in VS Code's display language. Omit the `datasetImport.` prefix from the name. */
export function commandTitle(name: string): string {
  const contributed: readonly { readonly command: string; readonly title: Localized }[] | undefined =
    extensions.getExtension('dataset-import.dataset-import')?.packageJSON.contributes.commands;
  const title = contributed?.find(({ command }) => command === `datasetImport.${name}`)?.title;
  if (title === undefined) throw new Error(`No command is named ${name}.`);
  return typeof title === 'string' ? title : title.value;
}

/** A command's title without its ellipsis, for the command's dialogs and their buttons. */
export function dialogTitle(name: string): string {
  return commandTitle(name).replace(/(?:…|\.\.\.)$/, '');
}

/** A button in a message. */
export interface Action {
  readonly label: string;
  run(): unknown;
}

/** A button that runs one of our commands. Omit the `datasetImport.` prefix from the name. */
export function commandAction(command: string, target?: unknown, label = commandTitle(command)): Action {
  // With an undefined argument, the command would do nothing, as if the focused row had disappeared.
  const args = target === undefined ? [] : [target];
  return { label, run: () => commands.executeCommand(`datasetImport.${command}`, ...args) };
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
