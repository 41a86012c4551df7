import * as vscode from 'vscode';
import type { Messages } from '../platform/messages';

/** What a command gets where VS Code passes no row: the selected rows, which are meant where the command fits them. */
export interface SelectedRows {
  readonly selectedRows: readonly unknown[];
}

/** Runs a command. VS Code passes the clicked item and, in lists, all selected ones. */
type Handler = (target: unknown, selected: unknown) => unknown;

/** Handlers by the ids of their commands, which package.json contributes. */
export type Handlers = Readonly<Record<`datasetImport.${string}`, Handler>>;

/**
 * The commands, registered from the start of a window; the first use of one loads the handlers of all. This is the error
 * boundary: handlers throw, and their errors are shown here.
 */
export class Commands implements vscode.Disposable {
  readonly #load: () => Promise<unknown>;
  readonly #selectionFor: (id: string) => readonly unknown[];
  readonly #handlers = new Map<string, Handler>();
  readonly #registrations: readonly vscode.Disposable[];

  /**
   * Once `load` resolves, every one of the `ids` has its handler. `selectionFor` gives the selected rows that a command may
   * mean where VS Code passes no row.
   */
  constructor(
    ids: readonly string[],
    load: () => Promise<unknown>,
    selectionFor: (id: string) => readonly unknown[] = () => [],
  ) {
    this.#load = load;
    this.#selectionFor = selectionFor;
    this.#registrations = ids.map((id) =>
      vscode.commands.registerCommand(id, (...args: unknown[]) => this.#run(id, args)),
    );
  }

  /** The ids of the commands that have a handler. */
  get handled(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  /** Adds handlers; what they throw goes to `messages`. */
  handle(handlers: Handlers, messages: Pick<Messages, 'error'>): void {
    for (const [id, handle] of Object.entries(handlers)) {
      this.#handlers.set(id, async (target, selected) => {
        try {
          await handle(target, selected);
        } catch (error) {
          await messages.error(error);
        }
      });
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#registrations).dispose();
  }

  async #run(id: string, args: readonly unknown[]): Promise<void> {
    try {
      await this.#load();
    } catch {
      return; // shown by the loader
    }
    const [target, selected] = args;
    await this.#handlers.get(id)?.(target ?? this.#selection(id, args), selected);
  }

  /**
   * A key and the palette pass nothing and mean the selected rows; so does a click on one of several selected ones. A single
   * row that VS Code was drawing anew as it was clicked comes as no row too, and may be another one than the selected.
   */
  #selection(id: string, args: readonly unknown[]): SelectedRows | undefined {
    const meansSelection = args.length === 0 || Array.isArray(args[1]);
    const selectedRows = meansSelection ? this.#selectionFor(id) : [];
    return selectedRows.length === 0 ? undefined : { selectedRows };
  }
}
