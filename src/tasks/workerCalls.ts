import { type MessagePort, Worker } from 'node:worker_threads';

/** A message from the host to the worker. */
interface Call {
  readonly id: number;
  readonly operation: string;
  readonly argument: unknown;
}

/** A message from the worker: the answer to a call, or an unsolicited notice. Errors are plain data. */
type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown }
  | { readonly notice: unknown };

interface Pending {
  readonly call: Call;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the call was retried because the worker exited without answering. */
  repeated: boolean;
}

export interface WorkerSetup {
  /** The path of the worker's script. */
  readonly program: string;
  /** The script's `workerData`. */
  readonly data: unknown;
  /** Converts the error data of a failed call, or the error that ended the worker, to an Error. */
  asError(error: unknown): Error;
  onNotice?(notice: unknown): void;
}

/**
 * Calls operations in a worker, in order. The first call starts the worker. If the worker exits on its own, it is
 * restarted, and each unanswered call is retried once. A worker without unanswered calls doesn't keep the process
 * alive.
 */
export class WorkerCalls {
  readonly #pending = new Map<number, Pending>();
  /** Calls made in the current turn of the event loop. */
  readonly #unposted: Call[] = [];
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(private readonly setup: WorkerSetup) {}

  call(operation: string, argument: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = { id: ++this.#lastId, operation, argument };
      this.#pending.set(call.id, { call, resolve, reject, repeated: false });
      if (this.#unposted.push(call) === 1) setImmediate(() => this.#post());
    });
  }

  /** Posts all calls from one turn of the event loop as a single message, because each message is expensive. */
  #post(): void {
    const calls = this.#unposted.splice(0);
    if (calls.length === 0) return;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(calls);
  }

  /** Ends the worker and rejects unanswered calls. The next call starts a new worker. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#unposted.length = 0;
    this.#rejectAll([...this.#pending.values()], new Error('The worker ended.'));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.setup.program, { workerData: this.setup.data });
    let failure: unknown = new Error('The worker ended.');
    worker.on('message', (answers: Answer[]) => {
      for (const answer of answers) this.#onAnswer(answer);
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#onExit(failure);
    });
    return worker;
  }

  #onAnswer(answer: Answer): void {
    if ('notice' in answer) {
      this.setup.onNotice?.(answer.notice);
      return;
    }
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#worker?.unref();
    if ('error' in answer) pending?.reject(this.setup.asError(answer.error));
    else pending?.resolve(answer.result);
  }

  #onExit(failure: unknown): void {
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    const lost = pending.filter(({ repeated }) => repeated);
    this.#rejectAll(lost, failure);
    const unanswered = pending.filter(({ repeated, call }) => !repeated && !this.#unposted.includes(call));
    for (const one of unanswered) one.repeated = true;
    this.#unposted.unshift(...unanswered.map(({ call }) => call));
    this.#post();
  }

  #rejectAll(pending: readonly Pending[], error: unknown): void {
    for (const { call, reject } of pending) {
      this.#pending.delete(call.id);
      reject(this.setup.asError(error));
    }
  }
}

/**
 * Answers calls in the worker. `asData` converts an error to plain data. `transferOf` finds the buffers in a result that can be
 * transferred instead of copied.
 */
export function answerCalls(
  port: MessagePort,
  perform: (operation: string, argument: unknown) => Promise<unknown>,
  asData: (error: unknown) => unknown,
  transferOf: (result: unknown) => readonly ArrayBuffer[] = () => [],
): void {
  let unposted: Answer[] = [];
  const answer = (one: Answer) => {
    if (unposted.push(one) > 1) return;
    // Send all answers from one turn of the event loop as a single message, but don't wait for the next turn, because
    // it may start with a slow commit.
    queueMicrotask(() => {
      const answers = unposted;
      unposted = [];
      const buffers = answers.flatMap((each) => ('result' in each ? transferOf(each.result) : []));
      port.postMessage(answers, buffers);
    });
  };
  port.on('message', (calls: Call[]) => {
    for (const { id, operation, argument } of calls) {
      perform(operation, argument).then(
        (result) => answer({ id, result }),
        (error: unknown) => answer({ id, error: asData(error) }),
      );
    }
  });
}
