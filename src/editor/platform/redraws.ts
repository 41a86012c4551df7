import * as vscode from 'vscode';

/** VS Code draws nothing for as long as changes of a tree come less than 200 ms apart, so ours come twice as far apart. */
const REST_MS = 400;

/**
 * Tells VS Code which rows of a tree to draw anew: at once after a rest, and what changes within the rest together at
 * its end. Whatever redraws a tree goes through its one instance.
 */
export class Redraws<Row> implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Row[] | undefined>();
  /** For `onDidChangeTreeData`; undefined stands for all rows. */
  readonly event = this.#changed.event;
  /** What is to be drawn at the end of the rest; undefined where all rows are. */
  #waiting: Set<Row> | undefined = new Set();
  #rest: NodeJS.Timeout | undefined;

  /** Draws rows anew. */
  rows(rows: Iterable<Row>): void {
    for (const row of rows) this.#waiting?.add(row);
    if (this.#rest === undefined) this.#draw();
  }

  /** Draws every row anew. */
  all(): void {
    this.#waiting = undefined;
    if (this.#rest === undefined) this.#draw();
  }

  dispose(): void {
    clearTimeout(this.#rest);
    this.#changed.dispose();
  }

  #draw(): void {
    this.#rest = undefined;
    const waiting = this.#waiting;
    if (waiting?.size === 0) return;
    this.#waiting = new Set();
    this.#rest = setTimeout(() => this.#draw(), REST_MS);
    this.#changed.fire(waiting && [...waiting]);
  }
}
