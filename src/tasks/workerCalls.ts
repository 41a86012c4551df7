import { type MessagePort, Worker } from 'node:worker_threads';

/** A call, from the host to the worker. */
interface Call {
  readonly id: number;
  readonly operation: string;
  readonly argument: unknown;
}

/** From the worker: the answer to a call, or an unsolicited notice. Errors are plain data. */
type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown }
  | { readonly notice: unknown };

interface Pending {
  readonly call: Call;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Whether the call was repeated because the worker ended before it answered. */
  repeated: boolean;
}

export interface WorkerSetup {
  /** The script, and the data it starts with. */
  readonly program: string;
  readonly data: unknown;
  /** Turns an error's data, or the error that ended the worker, into an error. */
  asError(error: unknown): Error;
  onNotice?(notice: unknown): void;
}

/**
 * Calls operations in a worker, in order. The first call starts the worker. If it ends by itself, it is started again, and
 * unanswered calls are repeated once. A worker without unanswered calls doesn't keep the process alive.
 */
export class WorkerCalls {
  readonly #setup: WorkerSetup;
  readonly #pending = new Map<number, Pending>();
  /** Calls of this turn of the event loop. */
  readonly #unposted: Call[] = [];
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(setup: WorkerSetup) {
    this.#setup = setup;
  }

  call(operation: string, argument: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = { id: ++this.#lastId, operation, argument };
      this.#pending.set(call.id, { call, resolve, reject, repeated: false });
      if (this.#unposted.push(call) === 1) setImmediate(() => this.#post());
    });
  }

  /** Posts the calls of one turn of the event loop as one message, because messages cost more than calls. */
  #post(): void {
    const calls = this.#unposted.splice(0);
    if (calls.length === 0) return;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(calls);
  }

  /** Ends the worker. Calls without an answer are rejected. A later call starts it again. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#unposted.length = 0;
    this.#rejectAll([...this.#pending.values()], new Error('The worker ended.'));
    await worker?.terminate();
  }

  #start(): Worker {
    const { program, data } = this.#setup;
    const worker = new Worker(program, { workerData: data });
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
      this.#setup.onNotice?.(answer.notice);
      return;
    }
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#worker?.unref();
    if ('error' in answer) pending?.reject(this.#setup.asError(answer.error));
    else pending?.resolve(answer.result);
  }

  #onExit(failure: unknown): void {
    this.#worker = undefined;
    const pending = [...this.#pending.values()];
    this.#rejectAll(
      pending.filter(({ repeated }) => repeated),
      failure,
    );
    const unanswered = pending.filter(({ repeated, call }) => !repeated && !this.#unposted.includes(call));
    for (const one of unanswered) one.repeated = true;
    this.#unposted.unshift(...unanswered.map(({ call }) => call));
    this.#post();
  }

  #rejectAll(pending: readonly Pending[], error: unknown): void {
    for (const { call, reject } of pending) {
      this.#pending.delete(call.id);
      reject(this.#setup.asError(error));
    }
  }
}

/**
 * The worker's side: answers calls. `asData` turns an error into plain data. `transferOf` finds buffers in a result that can
 * be transferred instead of copied.
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
    // Answers of one turn are one message, too. Don't wait for the next turn, which may begin with a commit.
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
