import * as vscode from 'vscode';
import type { Messages } from '../platform/messages';

/** Runs a command with the arguments that VS Code passes, and the selected rows of the visible views. */
export type Handler = (args: readonly unknown[], selection: readonly unknown[]) => unknown;

/** Handlers by the names of their commands, which package.json contributes with the prefix `datasetImport.`. */
export type Handlers = Readonly<Record<string, Handler>>;

/**
 * The commands, registered when a window starts. The first use of one loads all handlers. This is the error boundary:
 * whatever a handler throws is shown here.
 */
export class CommandRegistry implements vscode.Disposable {
  readonly #load: () => Promise<unknown>;
  readonly #selection: () => readonly unknown[];
  readonly #handlers = new Map<string, Handler>();
  readonly #registrations: readonly vscode.Disposable[];
  #messages: Pick<Messages, 'error'> | undefined;

  /** `load` must call `handle`. `selection` returns the selected rows of the visible views. */
  constructor(ids: readonly string[], load: () => Promise<unknown>, selection: () => readonly unknown[] = () => []) {
    this.#load = load;
    this.#selection = selection;
    this.#registrations = ids.map((id) =>
      vscode.commands.registerCommand(id, (...args: unknown[]) => this.#run(id, args)),
    );
  }

  /** Adds handlers, whose errors go to `messages`. */
  handle(handlers: Handlers, messages: Pick<Messages, 'error'>): void {
    this.#messages = messages;
    for (const [name, handler] of Object.entries(handlers)) this.#handlers.set(`datasetImport.${name}`, handler);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations).dispose();
  }

  async #run(id: string, args: readonly unknown[]): Promise<void> {
    try {
      await this.#load();
    } catch {
      return; // The loader has shown the error.
    }
    const handler = this.#handlers.get(id);
    if (handler === undefined) return;
    try {
      await handler(args, this.#selection());
    } catch (error) {
      await this.#messages?.error(error);
    }
  }
}
