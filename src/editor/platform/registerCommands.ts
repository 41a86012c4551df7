import * as vscode from 'vscode';
import type { Messages } from './messages';

/** Runs a command. VS Code passes the clicked item and, in lists, all selected ones. */
type Handler = (target: unknown, selected: unknown) => unknown;

/** Handlers by the ids of their commands, which package.json contributes. */
export type Handlers = Readonly<Record<`datasetImport.${string}`, Handler>>;

/** Registers commands. This is the error boundary: handlers throw, and their errors are shown here. */
export function registerCommands(handlers: Handlers, messages: Messages): vscode.Disposable {
  const registrations = Object.entries(handlers).map(([id, handle]) =>
    vscode.commands.registerCommand(id, async (target: unknown, selected: unknown) => {
      try {
        await handle(target, selected);
      } catch (error) {
        await messages.error(error);
      }
    }),
  );
  return vscode.Disposable.from(...registrations);
}
