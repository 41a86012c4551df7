import { Worker } from 'node:worker_threads';
import { type FileMatcher, PATTERN_SETTINGS, type ReasonAgainst } from './fileMatcher';
import { type FileRules, PatternsTooComplexError } from './fileRules';

/** Max time that a call may take. */
const DEADLINE_MS = 5000;

/** So few that usual patterns are done with them long before the deadline, and that the host is not held up. */
const PATHS_IN_BATCH = 500;

const NO_SOURCE = -1;

/** Parts of a list that are few enough paths for one call of a MatchThread. */
export function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += PATHS_IN_BATCH) yield items.slice(start, start + PATHS_IN_BATCH);
}

/** What the thread is started with. */
export interface MatchSetup {
  readonly sensitive: readonly string[];
  /** Shared: the index of the source of patterns that is used right now, or `noSource`. */
  readonly currentSource: Int32Array;
  readonly noSource: number;
}

type Method = Exclude<keyof FileMatcher, symbol>;

/** A message to the thread. */
export interface MatchCall {
  readonly method: Method;
  readonly args: readonly unknown[];
}

/**
 * A FileMatcher in a thread of its own, since hostile patterns can take it for ever. Where a call is not done at its
 * deadline, or patterns cannot be compiled, the thread ends, and every call @throws PatternsTooComplexError. `end` it.
 */
export class MatchThread {
  readonly #worker: Worker;
  readonly #deadline: NodeJS.Timeout;
  readonly #currentSource = new Int32Array(new SharedArrayBuffer(4)).fill(NO_SOURCE);
  /** What the sources of patterns are called. */
  readonly #sources = [...PATTERN_SETTINGS];
  /** In the order of their calls. */
  readonly #pending: PromiseWithResolvers<unknown>[] = [];
  #ended: Error | undefined;

  /** `sensitive` are the globs for `sensitiveAmong`. */
  constructor(sensitive: readonly string[], deadlineMs = DEADLINE_MS) {
    const setup: MatchSetup = { sensitive, currentSource: this.#currentSource, noSource: NO_SOURCE };
    this.#worker = new Worker(require.resolve('./matchProgram'), { workerData: setup });
    this.#worker.on('message', (result) => {
      this.#deadline.refresh();
      this.#pending.shift()?.resolve(result);
    });
    this.#worker.on('error', (cause) => this.#fail(cause));
    // Repeats, as a thread that is only starting is not to blame.
    this.#deadline = setInterval(() => this.#fail(), deadlineMs);
  }

  /** As those of FileMatcher. */
  async addFolder(top: string, rules: FileRules): Promise<void> {
    await this.#call('addFolder', top, rules);
  }

  /** As that of FileMatcher; `source` is what the file is called in a message. */
  async addIgnoreFile(top: string, folder: string, text: string, source: string): Promise<void> {
    await this.#call('addIgnoreFile', top, folder, text, this.#sources.push(source) - 1);
  }

  /** As that of FileMatcher. */
  reasonsAgainst(top: string, paths: readonly string[]): Promise<(ReasonAgainst | undefined)[]> {
    return this.#call('reasonsAgainst', top, paths);
  }

  /** As that of FileMatcher. */
  async sensitiveAmong(fullPaths: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.#call('sensitiveAmong', fullPaths));
  }

  /** Ends the thread; what it has not responded to fails. */
  end(reason = new Error('The thread that matches paths has ended.')): void {
    this.#ended ??= reason;
    clearInterval(this.#deadline);
    void this.#worker.terminate();
    for (const { reject } of this.#pending.splice(0)) reject(this.#ended);
  }

  #fail(cause?: Error): void {
    const source = this.#sources[this.#currentSource[0] ?? NO_SOURCE];
    if (source !== undefined) this.end(new PatternsTooComplexError(source, { cause }));
    else if (cause !== undefined) this.end(cause);
  }

  #call<Name extends Method>(
    method: Name,
    ...args: Parameters<FileMatcher[Name]>
  ): Promise<ReturnType<FileMatcher[Name]>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const pending = Promise.withResolvers<ReturnType<FileMatcher[Name]>>();
    this.#pending.push(pending as PromiseWithResolvers<unknown>);
    if (this.#pending.length === 1) this.#deadline.refresh();
    const call: MatchCall = { method, args };
    this.#worker.postMessage(call);
    return pending.promise;
  }
}
