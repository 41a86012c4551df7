import * as vscode from 'vscode';
import type { Messages } from './messages';

/** Runs a command. VS Code passes the clicked item and, in lists, all selected ones. */
export type Handler = (target: unknown, selected: unknown) => unknown;

/**
 * Registers commands, named without the prefix `datasetImport.`. This is the error boundary: handlers throw, and their
 * errors are shown here.
 */
export function registerCommands(handlers: Readonly<Record<string, Handler>>, messages: Messages): vscode.Disposable {
  const registrations = Object.entries(handlers).map(([name, handle]) =>
    vscode.commands.registerCommand(`datasetImport.${name}`, async (target: unknown, selected: unknown) => {
      try {
        await handle(target, selected);
      } catch (error) {
        await messages.error(error);
      }
    }),
  );
  return vscode.Disposable.from(...registrations);
}
