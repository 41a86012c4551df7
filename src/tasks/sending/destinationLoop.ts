import type { SourceError } from '../../service/errors';
import type { ImportService } from '../../service/importService';
import type { Target } from '../../service/request/requests';
import { isForbidden, type Outcome } from '../../service/response/outcome';
import type { ImportStore } from '../store/importStore';
import type { Begin, DestinationRow, End, NextImport, PutBack } from '../store/model';
import { wait } from '../timing/clock';
import { backoffMs } from '../timing/retrying';
import { isPassing } from './files';
import type { Gate } from './gate';
import { causeOf, importEnd } from './importEnd';
import { ReadAhead, type ReadAheadPorts } from './readAhead';
import { type Upload, type UploadPorts, uploadFile } from './uploadFile';

/**
 * How many imports to prepare and mark as sending at a time. If the window is killed, these imports become unconfirmed.
 */
const GROUP = 8;
/** A file that is in use or being written is retried after 1, 2, 4… seconds, for about a minute. */
const FILE_RETRY_MS = 1000;
const MAX_FILE_RETRIES = 6;

export interface LoopPorts extends UploadPorts, ReadAheadPorts {
  readonly store: Pick<ImportStore, 'next' | 'begin' | 'end' | 'putBack'>;
  readonly service: Pick<ImportService, 'fileTask' | 'distrustConnections'>;
  /** Whether this window holds the lease and no other window can treat it as expired. */
  isServing(): boolean;
  newAttempt(): string;
  /** Returns the target to send files to, or undefined if the gate was paused or the loop is about to be closed. */
  target(): Promise<Target | undefined>;
  /** Called when a row, an upload's progress or the pause has changed. This happens often. */
  onChange(): void;
  /** Called after the store has failed and sending has been paused. */
  onFault(error: unknown): void;
}

/** An import that this window has marked as sending or is about to mark. */
interface Claimed extends Upload {
  readonly next: NextImport;
  readonly attempt: string;
}

interface Sending extends Claimed {
  readonly stop: AbortController;
  mayHaveSent: boolean;
  sentBytes: number;
}

/** When to retry a file that is in use or being written. */
interface Waiting {
  readonly import: number;
  readonly tries: number;
  readonly untilMs: number;
}

/**
 * Sends a destination's queued imports. The table is the queue: the loop lists the next few imports, reads the small
 * files among them and marks those imports as sending in one commit, so that an upload slot never waits for the disk.
 *
 * Who may send, and why is nothing uploaded twice? Only the window that holds the lease may mark an import (`begin`),
 * and it marks each import before sending its first byte. Right before the first byte, the loop checks that its lease
 * cannot have expired. A marked import is queued again only if nothing was sent, or if the service's response means
 * that it should be tried again. If this window dies instead, its marked imports become unconfirmed, and the user
 * decides what to do with them.
 */
export class DestinationLoop {
  readonly #ahead: ReadAhead;
  /**
   * Imports that are ready to send. Those with small files are already marked as sending. Those with large files are
   * marked once they get an upload slot.
   */
  #ready: Claimed[] = [];
  readonly #sending = new Set<Sending>();
  /** Keyed by file row. */
  readonly #waiting = new Map<number, Waiting>();
  /** Attempts that were canceled while they were being marked as sending. */
  readonly #stopped = new Set<string>();
  readonly #storing = new Set<Promise<unknown>>();
  /** How many writes have failed and are being retried. */
  #unsaved = 0;
  #holds = 0;
  /** Whether the queue may contain more imports. */
  #mayHaveMore = true;
  /** Whether the queue may contain a file that was queued on its own. */
  #mayHaveSingle = true;
  #isClosed = false;
  #changed = Promise.withResolvers<void>();
  #isAbandoned = false;
  /** Aborted to retry failed writes right away. */
  #retrying = new AbortController();
  readonly #ended: Promise<void>;

  constructor(
    private readonly ports: LoopPorts,
    private readonly destination: DestinationRow,
    private readonly gate: Gate,
  ) {
    this.#ahead = new ReadAhead(ports, destination.id, () => this.#unmarked());
    this.#ended = this.#run();
  }

  /** True if no import is ready to send or being sent, and no outcome is being stored. */
  get isIdle(): boolean {
    return this.#ready.length + this.#sending.size + this.#storing.size === 0;
  }

  /** Bytes sent so far, keyed by file row. */
  get progress(): ReadonlyMap<number, number> {
    return new Map([...this.#sending].map(({ next, sentBytes }) => [next.file, sentBytes]));
  }

  /** Call this when something may have been queued, or when the gate may have opened. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#mayHaveSingle = true;
    this.#ahead.expire();
    this.#changed.resolve();
  }

  /** Prevents new uploads until `release` is called, for example while the store cancels imports. */
  hold(): void {
    this.#holds += 1;
  }

  release(): void {
    this.#holds -= 1;
    this.#changed.resolve();
  }

  /** Stops canceled attempts. If an attempt hasn't sent anything yet, the store records its import as canceled. */
  async stop(attempts: ReadonlySet<string>): Promise<void> {
    for (const { attempt, stop } of this.#sending) if (attempts.has(attempt)) stop.abort();
    for (const attempt of attempts) this.#stopped.add(attempt);
    const unsent = this.#ready.filter(({ attempt }) => attempts.has(attempt));
    this.#ready = this.#ready.filter((one) => !unsent.includes(one));
    if (unsent.length > 0) await this.#putBack(unsent);
  }

  /** Stops starting uploads, and requeues marked imports. Uploads in flight may finish. */
  close(): void {
    this.retryWrites();
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { mayHaveSent, stop } of this.#sending) if (!mayHaveSent) stop.abort();
    this.#changed.resolve();
  }

  /** Resolves once all uploads have ended and their outcomes are stored. */
  async settled(): Promise<void> {
    await this.#ended;
    while (this.#storing.size > 0) await Promise.allSettled(this.#storing);
  }

  /** Stops retrying failed writes, because the window is closing. */
  abandon(): void {
    this.#isAbandoned = true;
    this.retryWrites();
  }

  /** Retries failed writes without waiting for their backoff. */
  retryWrites(): void {
    this.#retrying.abort();
    if (!this.#isAbandoned) this.#retrying = new AbortController();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#begin();
      const { promise } = this.#changed;
      if (!this.#maySend || this.gate.state !== 'open') await this.#putBackReady();
      const isFilled = this.#needsMore && (await this.#fill());
      if (isFilled || this.#isClosed) continue;
      const forget = this.#alarm();
      await promise;
      forget();
      this.#changed = Promise.withResolvers();
    }
    await this.#putBackReady();
  }

  /** Wakes the loop when the pause ends or a waiting file is due. */
  #alarm(): () => void {
    const nowMs = this.ports.clock.monotonicMs();
    const times = [...this.#waiting.values()].map(({ untilMs }) => untilMs - nowMs).filter((ms) => ms > 0);
    const pauseMs = this.gate.waitMs;
    const inMs = Math.min(...times, pauseMs > 0 ? pauseMs : Number.POSITIVE_INFINITY);
    return inMs === Number.POSITIVE_INFINITY ? () => {} : this.ports.clock.after(inMs, () => this.wake());
  }

  get #maySend(): boolean {
    return !this.#isClosed && this.#unsaved === 0 && this.ports.isServing() && this.gate.waitMs === 0;
  }

  /** Whether to prepare more imports. While the gate lets imports through one at a time, prepare only one. */
  get #needsMore(): boolean {
    if (!this.#maySend || this.#holds > 0 || !this.#mayHaveMore) return false;
    if (this.gate.state !== 'open') return this.gate.room(false) > 0;
    // A file that was queued on its own has an extra slot, so that it doesn't wait behind a slow folder.
    const hasSlotForSingle = this.#mayHaveSingle && this.gate.room(true) > this.gate.room(false);
    return this.#ready.length < GROUP || (this.#ready.length < 2 * GROUP && hasSlotForSingle);
  }

  /** Starts as many uploads as the gate allows. */
  #begin(): void {
    while (this.#maySend && this.#holds === 0) {
      const at = this.#ready.findIndex(({ next }) => this.gate.room(next.single) > 0);
      const [first] = at === -1 ? [] : this.#ready.splice(at, 1);
      if (first === undefined) return;
      this.#track(this.#send(first));
    }
  }

  /**
   * Prepares the next imports, and marks those with small files as sending. Returns whether the loop should check again
   * right away.
   */
  async #fill(): Promise<boolean> {
    const isFull = this.#ready.length >= GROUP;
    this.#mayHaveMore = false;
    this.#mayHaveSingle = false;
    try {
      if ((await this.ports.target()) === undefined) return false;
      const taken = isFull ? this.#ahead.takeSingle() : this.#ahead.take(this.gate.state === 'open' ? GROUP : 1);
      const claimed: Claimed[] = [];
      for (const { file, ...one } of await taken) {
        if (file.kind === 'failed') await this.#endOrWait(one.next, file.error);
        else claimed.push({ ...one, file, attempt: this.ports.newAttempt() });
      }
      this.#stopped.clear();
      const attempts = new Set(await this.#mark(claimed.filter(({ file }) => file.kind === 'small')));
      const marked = claimed.filter(({ attempt, file }) => file.kind === 'large' || attempts.has(attempt));
      this.#ready.push(...marked);
      await this.stop(this.#stopped);
      // If the store didn't mark an import, don't retry right away: another window may have canceled it.
      this.#mayHaveMore ||= this.#ahead.mayHaveMore && marked.length === claimed.length;
      return marked.length > 0 || this.#mayHaveMore;
    } catch (error) {
      this.#onFault(error);
      return false;
    }
  }

  /**
   * File rows that `next` should skip: files that are waiting for a retry, and large files, which aren't marked as
   * sending until later.
   */
  #unmarked(): number[] {
    const nowMs = this.ports.clock.monotonicMs();
    const waiting = [...this.#waiting].filter(([, { untilMs }]) => untilMs > nowMs).map(([file]) => file);
    const large = [...this.#ready, ...this.#sending].filter(({ file }) => file.kind === 'large');
    return [...waiting, ...large.map(({ next }) => next.file)];
  }

  /** Marks imports as sending. Returns the attempts that may proceed. @throws StoreFault */
  async #mark(claimed: readonly Claimed[]): Promise<string[]> {
    if (claimed.length === 0) return [];
    const attempts = claimed.map(({ next, attempt, file }): Begin => {
      const { sizeBytes, modifiedMs, sha256 = null } = file;
      return { import: next.import, attempt, content: { sizeBytes, modifiedMs, sha256 } };
    });
    try {
      return await this.ports.store.begin(attempts);
    } catch (error) {
      // The store may have marked the imports before it failed.
      void this.#putBack(claimed);
      throw error;
    }
  }

  async #send(claimed: Claimed): Promise<void> {
    const one: Sending = { ...claimed, stop: new AbortController(), mayHaveSent: false, sentBytes: 0 };
    const { import: id } = one.next;
    this.#sending.add(one);
    this.gate.begin(id);
    try {
      const isMarked = one.file.kind === 'small' || (await this.#mark([one])).length > 0;
      const target = isMarked ? await this.ports.target() : undefined;
      if (target === undefined) {
        this.gate.drop(id);
        if (isMarked) await this.#putBack([one]);
      } else await this.#upload(one, target);
    } catch (error) {
      this.gate.drop(id);
      this.#onFault(error);
    } finally {
      this.#sending.delete(one);
      this.#begin();
      this.#changed.resolve();
      this.ports.onChange();
    }
  }

  async #upload(one: Sending, target: Target): Promise<void> {
    const { next, stop } = one;
    const { import: id } = next;
    const uploaded = await uploadFile(this.ports, target, one, {
      signal: stop.signal,
      atFirstByte: () => {
        if (stop.signal.aborted || this.#isClosed || !this.ports.isServing() || !this.gate.maySend(id)) {
          stop.abort();
          throw new Error('The file must not be sent now.');
        }
        one.mayHaveSent = true;
      },
      onSent: (sentBytes) => {
        one.sentBytes = sentBytes;
        if (this.gate.sending(id)) this.wake();
        this.ports.onChange();
      },
    });
    if (uploaded.kind === 'later') {
      this.gate.drop(id);
      return this.#endOrWait(next, uploaded.error, one);
    }
    this.#waiting.delete(next.file);
    const { outcome, content } = uploaded;
    if (outcome.kind === 'notUploaded' && stop.signal.aborted) {
      this.gate.drop(id);
      // If the user canceled the import, the store records it as canceled instead of queuing it again.
      this.#track(this.#putBack([one]));
      return;
    }
    const ending = this.gate.end(id, outcome, await this.#hasOther(one, outcome));
    if (ending === 'putBack') this.#track(this.#putBack([one], outcome));
    else {
      const end = importEnd(one.attempt, outcome, { sentBytes: one.sentBytes, content, brake: this.gate.brake });
      const cause = ending === 'blocked' && end.cause ? { ...end.cause, blocked: true } : end.cause;
      this.#track(this.#end({ ...end, ...(cause && { cause }) }));
    }
  }

  /**
   * After a 403, whether another import is queued or in flight. Its outcome can show whether the key or only this file
   * is rejected. After any other outcome, returns true without looking.
   */
  async #hasOther({ next }: Sending, outcome: Outcome<unknown>): Promise<boolean> {
    if (outcome.kind !== 'rejected' || !isForbidden(outcome) || this.#ready.length + this.#sending.size > 1)
      return true;
    const destination = this.destination.id;
    const others = await this.ports.store.next({ destination, count: 1, except: [next.file] }).catch(() => []);
    return others.length > 0;
  }

  async #end(end: End): Promise<void> {
    const stored = await this.#untilStored(() => this.ports.store.end(end));
    if (stored?.cause?.name === 'RepeatedId') this.ports.service.distrustConnections();
    this.ports.onChange();
  }

  /** Ends an import whose file can't be sent. */
  async #endUnsent(next: NextImport, error: SourceError): Promise<void> {
    const attempt = this.ports.newAttempt();
    this.#waiting.delete(next.file);
    if ((await this.ports.store.begin([{ import: next.import, attempt }])).length === 0) return;
    const outcome = { kind: 'notUploaded', cause: error } as const;
    const end = importEnd(attempt, outcome, { sentBytes: 0, content: undefined, brake: this.gate.brake });
    this.#track(this.#end(end));
  }

  /**
   * Retries a file for about a minute if it is in use or being written. Otherwise, ends the import. Pass `marked` if
   * the import has already been marked.
   */
  async #endOrWait(next: NextImport, error: SourceError, marked?: Claimed): Promise<void> {
    const before = this.#waiting.get(next.file);
    const tries = before?.import === next.import ? before.tries + 1 : 1;
    if (marked !== undefined) await this.#putBack([marked]);
    if (!isPassing(error) || tries > MAX_FILE_RETRIES) return this.#endUnsent(next, error);
    const untilMs = this.ports.clock.monotonicMs() + FILE_RETRY_MS * 2 ** (tries - 1);
    this.#waiting.set(next.file, { import: next.import, tries, untilMs });
  }

  async #putBackReady(): Promise<void> {
    if (this.#ready.length > 0) await this.#putBack(this.#ready.splice(0));
  }

  /** Queues imports again, either because nothing was sent or because their `outcome` calls for another try. */
  async #putBack(claimed: readonly Claimed[], outcome?: Outcome<unknown>): Promise<void> {
    const marked = claimed.filter((one) => one.file.kind === 'small' || this.#sending.has(one as Sending));
    const answer = outcome?.kind === 'rejected' ? causeOf(outcome) : undefined;
    const tried = outcome !== undefined;
    const back = marked.map(({ attempt }): PutBack => ({ attempt, tried, ...(answer && { answer }) }));
    if (back.length > 0) await this.#untilStored(() => this.ports.store.putBack(back));
    this.wake();
    this.ports.onChange();
  }

  /** Retries a write until it succeeds. Until then, no uploads start. */
  async #untilStored<Result>(write: () => Promise<Result>): Promise<Result | undefined> {
    const { clock } = this.ports;
    for (let failures = 0; ; ) {
      try {
        const result = await write();
        if (failures > 0) this.#unsaved -= 1;
        return result;
      } catch (error) {
        if (failures === 0) this.#unsaved += 1;
        failures += 1;
        this.#onFault(error);
        await wait(clock, backoffMs(failures, clock.random), this.#retrying.signal);
        if (this.#isAbandoned) return undefined;
      }
    }
  }

  #onFault(error: unknown): void {
    this.#mayHaveMore = true;
    this.gate.fail('store', null);
    this.ports.onFault(error);
  }

  /** Lets a step run in the background. `settled` waits for all such steps. */
  #track(step: Promise<unknown>): void {
    this.#storing.add(step);
    void step.finally(() => {
      this.#storing.delete(step);
      this.#changed.resolve();
    });
  }
}
