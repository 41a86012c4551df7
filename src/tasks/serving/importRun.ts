import type { Destination } from '../destination';
import type { CheckedSource } from '../sending/checkedSource';
import type { EndedPhase, Source } from '../trackedTask';

/** How far a run is, in imports and bytes. */
export interface RunProgress {
  readonly ended: number;
  readonly total: number;
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** How many files were not imported with a run, though the user had chosen them. */
export interface LeftOutCounts {
  /** Skipped, as their content was imported before. */
  readonly duplicates: number;
  /** Left out for any other reason. */
  readonly files: number;
}

/** How one import of a run ended. */
export interface ImportResult {
  readonly key: number;
  readonly end: EndedPhase;
}

/** In which window a person began imports, by its id, and their batch. */
export interface BegunElsewhere {
  readonly window: string;
  readonly batch: string | undefined;
}

/** What a run may differ in from one that a person began in this window with all that they had chosen. */
export interface RunFacts {
  readonly begunElsewhere?: BegunElsewhere;
  readonly leftOut?: LeftOutCounts | undefined;
}

/** Imports that were queued together, and how far they are. */
export class ImportRun {
  readonly destination: Destination;
  /** By the clock's `monotonicMs`. */
  readonly beganMs: number;
  /** The other window in which a person began it; undefined for this one. */
  readonly begunElsewhere: BegunElsewhere | undefined;
  readonly #leftOut: LeftOutCounts;
  #toQueue = { files: 0, bytes: 0 };
  #notQueued = 0;
  #alreadyImporting = 0;
  #isStopped = false;
  readonly #sources = new Map<number, Source>();
  readonly #sent = new Map<number, number>();
  readonly #results = new Map<number, ImportResult>();
  #endedBytes = 0;
  #totalBytes = 0;

  constructor(
    destination: Destination,
    beganMs: number,
    { begunElsewhere, leftOut = { duplicates: 0, files: 0 } }: RunFacts = {},
  ) {
    this.destination = destination;
    this.beganMs = beganMs;
    this.begunElsewhere = begunElsewhere;
    this.#leftOut = leftOut;
  }

  get dataset(): string {
    return this.destination.dataset;
  }

  get leftOut(): LeftOutCounts {
    return this.#leftOut;
  }

  /** How many of its files were not queued, as that was canceled or failed. */
  get notQueued(): number {
    return this.#notQueued;
  }

  /** How many files were skipped because another import of them was started since the user saw them. */
  get alreadyImporting(): number {
    return this.#alreadyImporting;
  }

  get results(): readonly ImportResult[] {
    return [...this.#results.values()];
  }

  /** The keys of all its imports. */
  get keys(): readonly number[] {
    return [...this.#sources.keys()];
  }

  /** The keys of its imports that have not ended. */
  get open(): readonly number[] {
    return this.keys.filter((key) => !this.#results.has(key));
  }

  get hasEnded(): boolean {
    return this.#toQueue.files === 0 && this.#results.size === this.#sources.size;
  }

  get progress(): RunProgress {
    const underWay = [...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0);
    return {
      ended: this.#results.size,
      total: this.#sources.size + this.#toQueue.files,
      sentBytes: this.#endedBytes + underWay,
      totalBytes: this.#totalBytes + this.#toQueue.bytes,
    };
  }

  /** The imports of which bytes were sent, and whether all of them were, so that only the response is missing. */
  get underWay(): { readonly name: string; readonly isSent: boolean }[] {
    return [...this.#sent].flatMap(([key, sentBytes]) => {
      const source = this.#sources.get(key);
      return source === undefined || sentBytes === 0
        ? []
        : [{ name: source.name, isSent: sentBytes === source.sizeBytes }];
    });
  }

  /** Begins to queue files: until that is done, or given up, the run has not ended. */
  beginQueuing(files: readonly CheckedSource[]): void {
    this.#toQueue = { files: files.length, bytes: sizeOf(files) };
  }

  /** Notes that a step of its files was queued. */
  queued(files: readonly CheckedSource[]): void {
    const { files: count, bytes } = this.#toQueue;
    this.#toQueue = { files: count - files.length, bytes: bytes - sizeOf(files) };
  }

  /** Counts files that were skipped as already being imported. */
  skip(files: number): void {
    this.#alreadyImporting += files;
  }

  /** Whether the rest of its files is not to be queued. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Lets the rest of its files not be queued, where that is not done yet. */
  stopQueuing(): void {
    this.#isStopped = this.#toQueue.files > 0;
  }

  /** No more of its files are queued. */
  endQueuing(): void {
    this.#notQueued = this.#toQueue.files;
    this.#toQueue = { files: 0, bytes: 0 };
  }

  /** Adds an import. */
  expect(key: number, source: Source): void {
    if (this.#sources.has(key)) return;
    this.#sources.set(key, source);
    this.#totalBytes += source.sizeBytes;
  }

  /** Sets how much of an import was sent, at most the size of its file. */
  sent(key: number, sentBytes: number): void {
    if (this.#isOpen(key)) this.#sent.set(key, Math.min(sentBytes, this.#sizeOf(key)));
  }

  /** Records the end of an import; only the first one counts. */
  ended(key: number, end: EndedPhase): void {
    if (!this.#isOpen(key)) return;
    this.#results.set(key, { key, end });
    this.#sent.delete(key);
    this.#endedBytes += this.#sizeOf(key);
  }

  /** Removes an import that has not ended, as it is not in the list any more. */
  forget(key: number): void {
    if (!this.#isOpen(key)) return;
    this.#totalBytes -= this.#sizeOf(key);
    this.#sources.delete(key);
    this.#sent.delete(key);
  }

  #isOpen(key: number): boolean {
    return this.#sources.has(key) && !this.#results.has(key);
  }

  #sizeOf(key: number): number {
    return this.#sources.get(key)?.sizeBytes ?? 0;
  }
}

function sizeOf(files: readonly CheckedSource[]): number {
  return files.reduce((sum, { source }) => sum + source.sizeBytes, 0);
}

/** Only the first of several files were queued: these are imported. */
export class PartlyQueuedError extends Error {
  override readonly name = 'PartlyQueuedError';
  readonly queued: number;
  readonly total: number;

  /** `cause` is why the others were not. */
  constructor(queued: number, total: number, cause: unknown) {
    super(`Only ${queued} of ${total} files were queued.`, { cause });
    this.queued = queued;
    this.total = total;
  }
}
