import type { Disposable } from 'vscode';

/**
 * Passes on what has changed: the first change at once, those that follow closely together, once nothing has changed for a
 * while or once changes have gone on for long.
 */
export class Lull<Item> implements Disposable {
  readonly #quietMs: number;
  readonly #longestMs: number;
  readonly #pass: (items: readonly Item[] | undefined) => void;
  /** Undefined stands for all items. */
  #pending: Set<Item> | undefined = new Set();
  /** When changes were passed last, by `performance.now()`. */
  #passedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { quietMs, longestMs }: { readonly quietMs: number; readonly longestMs: number },
    pass: (items: readonly Item[] | undefined) => void,
  ) {
    this.#quietMs = quietMs;
    this.#longestMs = longestMs;
    this.#pass = pass;
  }

  add(items: readonly Item[]): void {
    for (const item of items) this.#pending?.add(item);
    if (items.length > 0) this.#wait();
  }

  addAll(): void {
    this.#pending = undefined;
    this.#wait();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const now = performance.now();
    clearTimeout(this.#timer);
    if (now - this.#passedMs > this.#longestMs) this.#end();
    else this.#timer = setTimeout(() => this.#end(), Math.min(this.#quietMs, this.#passedMs + this.#longestMs - now));
  }

  #end(): void {
    const items = this.#pending && [...this.#pending];
    this.#pending = new Set();
    this.#passedMs = performance.now();
    this.#pass(items);
  }
}
