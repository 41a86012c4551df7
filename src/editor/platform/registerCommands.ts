import * as vscode from 'vscode';
import type { Handler } from '../commandTable';
import type { Messages } from './messages';

/** Registers commands. This is the one error boundary: handlers throw, and nobody else catches in order to show. */
export function registerCommands(table: Readonly<Record<string, Handler>>, messages: Messages): vscode.Disposable {
  const registrations = Object.entries(table).map(([name, handle]) =>
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
