import * as vscode from 'vscode';

/** Min time between two events. VS Code debounces tree changes by 200 ms, so faster events would freeze the tree. */
const PAUSE_MS = 400;

/**
 * Throttles the change events of a tree: the first one is fired at once, those of the following pause together at its
 * end.
 */
export class Redraws<Row> implements vscode.Disposable {
  readonly #pauseMs: number;
  readonly #changed = new vscode.EventEmitter<Row[] | undefined>();
  /** For `onDidChangeTreeData`; undefined stands for all rows. */
  readonly event = this.#changed.event;
  /** The rows of the next event; undefined stands for all rows. */
  #pending: Set<Row> | undefined = new Set();
  #pause: NodeJS.Timeout | undefined;

  constructor(pauseMs = PAUSE_MS) {
    this.#pauseMs = pauseMs;
  }

  rows(rows: Iterable<Row>): void {
    for (const row of rows) this.#pending?.add(row);
    if (this.#pause === undefined) this.#fire();
  }

  all(): void {
    this.#pending = undefined;
    if (this.#pause === undefined) this.#fire();
  }

  dispose(): void {
    clearTimeout(this.#pause);
    this.#changed.dispose();
  }

  #fire(): void {
    this.#pause = undefined;
    const pending = this.#pending;
    if (pending?.size === 0) return;
    this.#pending = new Set();
    this.#pause = setTimeout(() => this.#fire(), this.#pauseMs);
    this.#changed.fire(pending && [...pending]);
  }
}
