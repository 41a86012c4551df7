import type { EndedPhase, Source } from '../trackedTask';

/** How far a run is, in imports and bytes. */
export interface RunProgress {
  readonly ended: number;
  readonly total: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** How one import of a run ended. */
export interface ImportResult {
  readonly key: number;
  readonly end: EndedPhase;
  /** Whether the service rejected the access key. */
  readonly isBadKey: boolean;
}

/** Imports that were queued together, and how far they are. */
export class ImportRun {
  readonly dataset: string;
  /** By the clock's `monotonicMs`. */
  readonly beganMs: number;
  /** Whether it was taken over from a window that is gone. */
  readonly isAdopted: boolean;
  readonly #sizes = new Map<number, number>();
  readonly #sent = new Map<number, number>();
  readonly #results = new Map<number, ImportResult>();
  #endedBytes = 0;
  #totalBytes = 0;

  constructor(dataset: string, beganMs: number, isAdopted: boolean) {
    this.dataset = dataset;
    this.beganMs = beganMs;
    this.isAdopted = isAdopted;
  }

  get results(): readonly ImportResult[] {
    return [...this.#results.values()];
  }

  /** The keys of all its imports. */
  get keys(): readonly number[] {
    return [...this.#sizes.keys()];
  }

  get hasEnded(): boolean {
    return this.#results.size === this.#sizes.size;
  }

  get progress(): RunProgress {
    const underWay = [...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0);
    return {
      ended: this.#results.size,
      total: this.#sizes.size,
      sentBytes: this.#endedBytes + underWay,
      totalBytes: this.#totalBytes,
    };
  }

  /** Adds an import. */
  expect(key: number, { sizeBytes }: Source): void {
    if (this.#sizes.has(key)) return;
    this.#sizes.set(key, sizeBytes);
    this.#totalBytes += sizeBytes;
  }

  /** Sets how much of an import was sent, at most the size of its file. */
  sent(key: number, sentBytes: number): void {
    if (this.#isOpen(key)) this.#sent.set(key, Math.min(sentBytes, this.#sizes.get(key) ?? 0));
  }

  /** Records the end of an import; only the first one counts. */
  ended(key: number, end: EndedPhase, isBadKey = false): void {
    if (!this.#isOpen(key)) return;
    this.#results.set(key, { key, end, isBadKey });
    this.#sent.delete(key);
    this.#endedBytes += this.#sizes.get(key) ?? 0;
  }

  /** Removes an import that has not ended, as another window or run sends it. */
  forget(key: number): void {
    if (!this.#isOpen(key)) return;
    this.#totalBytes -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
    this.#sent.delete(key);
  }

  #isOpen(key: number): boolean {
    return this.#sizes.has(key) && !this.#results.has(key);
  }
}
