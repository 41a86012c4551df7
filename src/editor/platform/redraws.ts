import { type Disposable, EventEmitter } from 'vscode';

/** Throttles change events: fires the first change immediately, and combines later changes until the pause ends. */
export class Redraws<Row> implements Disposable {
  readonly #pauseMs: number;
  readonly #changed = new EventEmitter<Row[] | undefined>();
  /** Fires with the changed rows, or with undefined for all rows. */
  readonly event = this.#changed.event;
  /** The rows for the next event, or undefined for all rows. */
  #pending: Set<Row> | undefined = new Set();
  #pause: NodeJS.Timeout | undefined;

  constructor(pauseMs: number) {
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
    const rows = this.#pending && [...this.#pending];
    this.#pending = new Set();
    this.#pause = undefined;
    if (rows?.length === 0) return;
    this.#pause = setTimeout(() => this.#fire(), this.#pauseMs);
    this.#changed.fire(rows);
  }
}
