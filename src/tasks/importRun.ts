import type { Outcome } from '../service/outcome';
import type { BegunTask } from '../service/taskReport';
import { type Failure, type KeptRefusal, keptRefusal, type Source } from './trackedTask';

/** What is counted of a run. */
export interface RunProgress {
  readonly ended: number;
  readonly total: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
}

type Accepted = Extract<Outcome<BegunTask>, { readonly kind: 'accepted' }>;
type Rejected = Extract<Outcome<BegunTask>, { readonly kind: 'rejected' }>;

/**
 * How one import of a run ended: as the service or the way to it had it, or without a try. Without the whole answer: a
 * long run would hold thousands of them until its end.
 */
export type ImportEnd =
  | Omit<Accepted, 'answer'>
  | (Omit<Rejected, 'refusal'> & { readonly refusal: KeptRefusal })
  | Exclude<Outcome<BegunTask>, Accepted | Rejected>
  | { readonly kind: 'notTried'; readonly failure: Failure };

/** One import of a run that has ended. */
export interface ImportResult {
  readonly key: number;
  readonly end: ImportEnd;
}

/** Imports that are sent together, from the first to the end of the last. */
export class ImportRun {
  readonly dataset: string;
  /** By the clock's `monotonicMs`. */
  readonly beganMs: number;
  /** Whether a window that is gone had begun it. */
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

  /** The imports that have ended. */
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

  /** One more import belongs to it. */
  expect(key: number, { sizeBytes }: Source): void {
    if (this.#sizes.has(key)) return;
    this.#sizes.set(key, sizeBytes);
    this.#totalBytes += sizeBytes;
  }

  /** How much of an import has left; never more than its file. */
  sent(key: number, sentBytes: number): void {
    if (this.#isOpen(key)) this.#sent.set(key, Math.min(sentBytes, this.#sizes.get(key) ?? 0));
  }

  /** An import has ended. Its first end counts, and what comes after it does not. */
  ended(key: number, end: Outcome<BegunTask> | ImportEnd): void {
    if (!this.#isOpen(key)) return;
    this.#results.set(key, { key, end: withoutAnswer(end) });
    this.#sent.delete(key);
    this.#endedBytes += this.#sizes.get(key) ?? 0;
  }

  /** An import that has not ended is no longer this window's to send. */
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

function withoutAnswer(end: Outcome<BegunTask> | ImportEnd): ImportEnd {
  switch (end.kind) {
    case 'accepted':
      return { kind: 'accepted', taken: end.taken, ...(end.isEarly ? { isEarly: true } : {}) };
    case 'rejected':
      return { ...end, refusal: keptRefusal(end.refusal) };
    case 'notSent':
    case 'unconfirmed':
    case 'notTried':
      return end;
  }
}
