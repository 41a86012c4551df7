import { type MessagePort, Worker } from 'node:worker_threads';

/** A call, from the host to the worker. */
interface Call {
  readonly id: number;
  readonly operation: string;
  readonly argument: unknown;
}

/** From the worker: the answer to a call, or a notice that nobody asked for. Errors are plain data. */
type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: unknown }
  | { readonly notice: unknown };

interface Pending {
  readonly call: Call;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** Whether it was repeated, because the worker ended before it answered. */
  repeated: boolean;
}

export interface WorkerSetup {
  /** The script, and the data it starts with. */
  readonly program: string;
  readonly data: unknown;
  /** Turns the data of an error into an error; gets the error with which the worker ended, too. */
  asError(error: unknown): Error;
  onNotice?(notice: unknown): void;
}

/**
 * Calls operations in a worker, in order. The first call starts it. If it ends by itself, it is started again and gets the
 * calls that it hasn't answered, each of them once more at most. It doesn't keep the process alive once all are answered.
 */
export class WorkerCalls {
  readonly #setup: WorkerSetup;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(setup: WorkerSetup) {
    this.#setup = setup;
  }

  call(operation: string, argument: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = { id: ++this.#lastId, operation, argument };
      this.#worker ??= this.#start();
      this.#worker.postMessage(call);
      this.#worker.ref();
      this.#pending.set(call.id, { call, resolve, reject, repeated: false });
    });
  }

  /** Ends the worker. Calls without an answer are rejected. A later call starts it again. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#rejectAll([...this.#pending.values()], new Error('The worker ended.'));
    await worker?.terminate();
  }

  #start(): Worker {
    const { program, data } = this.#setup;
    const worker = new Worker(program, { workerData: data });
    let failure: unknown = new Error('The worker ended.');
    worker.on('message', (answer: Answer) => this.#onAnswer(answer));
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
    for (const one of pending.filter(({ repeated }) => !repeated)) {
      one.repeated = true;
      this.#worker ??= this.#start();
      this.#worker.postMessage(one.call);
    }
  }

  #rejectAll(pending: readonly Pending[], error: unknown): void {
    for (const { call, reject } of pending) {
      this.#pending.delete(call.id);
      reject(this.#setup.asError(error));
    }
  }
}

/**
 * The worker's side: answers the calls that arrive. `asData` turns an error into plain data, `transferOf` finds the
 * buffers of a result that can be moved instead of copied.
 */
export function answerCalls(
  port: MessagePort,
  perform: (operation: string, argument: unknown) => Promise<unknown>,
  asData: (error: unknown) => unknown,
  transferOf: (result: unknown) => readonly ArrayBuffer[] = () => [],
): void {
  port.on('message', ({ id, operation, argument }: Call) => {
    perform(operation, argument).then(
      (result) => port.postMessage({ id, result }, transferOf(result)),
      (error: unknown) => port.postMessage({ id, error: asData(error) }),
    );
  });
}
