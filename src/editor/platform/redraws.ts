import * as vscode from 'vscode';

/** Min time between two events. VS Code debounces tree changes by 200 ms, so faster events would freeze the tree. */
const PAUSE_MS = 400;

/** Reads what the rows will show, or all rows, before they are redrawn; resolves to those of them that are redrawn. */
type Prepare<Row> = (rows: Row[] | undefined) => Promise<Row[] | undefined>;

/**
 * Throttles the change events of a tree: the first one is fired at once, those of the following pause together at its
 * end.
 */
export class Redraws<Row> implements vscode.Disposable {
  readonly #pauseMs: number;
  readonly #prepare: Prepare<Row> | undefined;
  readonly #changed = new vscode.EventEmitter<Row[] | undefined>();
  /** For `onDidChangeTreeData`; undefined stands for all rows. */
  readonly event = this.#changed.event;
  /** The rows of the next event; undefined stands for all rows. */
  #pending: Set<Row> | undefined = new Set();
  #fired = Promise.withResolvers<void>();
  #asked = Promise.resolve();
  /** Whether rows are being prepared, or the pause after them is not over. */
  #isBusy = false;
  #isDisposed = false;
  #pause: NodeJS.Timeout | undefined;

  constructor(pauseMs = PAUSE_MS, prepare?: Prepare<Row>) {
    this.#pauseMs = pauseMs;
    this.#prepare = prepare;
  }

  rows(rows: Iterable<Row>): void {
    for (const row of rows) this.#pending?.add(row);
    this.#next();
  }

  all(): void {
    this.#pending = undefined;
    this.#next();
  }

  /** Resolves once what was asked for last is redrawn, as far as it has to be. */
  drawn(): Promise<void> {
    return this.#asked;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#pause);
    this.#changed.dispose();
    this.#fired.resolve();
  }

  #next(): void {
    this.#asked = this.#fired.promise;
    if (this.#isBusy) return;
    if (this.#prepare === undefined) this.#begin();
    else {
      this.#isBusy = true;
      // What is asked for in this turn is prepared together.
      queueMicrotask(() => this.#begin());
    }
  }

  #begin(): void {
    const rows = this.#pending && [...this.#pending];
    const { resolve } = this.#fired;
    this.#pending = new Set();
    this.#fired = Promise.withResolvers();
    this.#isBusy = rows === undefined || rows.length > 0;
    if (!this.#isBusy) resolve();
    else if (this.#prepare === undefined) this.#fire(rows, resolve);
    else {
      const fire = (prepared: Row[] | undefined) => this.#fire(prepared, resolve);
      // Rows that could not be prepared are read while they are redrawn.
      void this.#prepare(rows).then(fire, () => fire(rows));
    }
  }

  #fire(rows: Row[] | undefined, fired: () => void): void {
    if (!this.#isDisposed) {
      this.#pause = setTimeout(() => this.#begin(), this.#pauseMs);
      if (rows === undefined || rows.length > 0) this.#changed.fire(rows);
    }
    fired();
  }
}
