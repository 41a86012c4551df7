import * as vscode from 'vscode';
import type { Messages } from './messages';

/** What a command does. VS Code gives the clicked thing and, in lists, all that are selected. */
export type Handler = (target: unknown, selected: unknown) => unknown;

/**
 * Registers commands, named without the extension's prefix. This is the one error boundary: handlers throw, and nobody
 * else catches in order to show.
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
