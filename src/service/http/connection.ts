import { hash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';

/** Max responses that are read over one connection, as it must know all of them again. */
const MAX_RESPONSES = 100;

/**
 * One connection to an origin, for one request after the other. undici closes it where it cannot be kept: where the
 * service says so, where a response came before the whole request had left, or after it was idle for a while.
 */
export class Connection {
  /** Names the origin and the way to it. */
  readonly route: string;
  readonly #makeDispatcher: (connection: Connection) => Dispatcher;
  readonly #onClosed: () => void;
  #dispatcher: Dispatcher | undefined;
  #socket: Socket | undefined;
  /** By `performance.now`; undefined until the first response was read. */
  #idleSinceMs: number | undefined;
  /** The responses that were read over it, each by the hash of its body. */
  readonly #responses = new Set<string>();
  /** The ids of the tasks that they were about. */
  readonly #taskIds = new Set<string>();

  /** `makeDispatcher` gives what makes the connection when it is first used, and passes it to {@link connected}. */
  constructor(
    route: string,
    makeDispatcher: (connection: Connection) => Dispatcher,
    onClosed: (it: Connection) => void,
  ) {
    this.route = route;
    this.#makeDispatcher = makeDispatcher;
    this.#onClosed = () => onClosed(this);
  }

  /** Sends its requests. @throws where the proxy's address is no URL */
  get dispatcher(): Dispatcher {
    this.#dispatcher ??= this.#makeDispatcher(this);
    return this.#dispatcher;
  }

  /** Whether it carried a request before. */
  get isKept(): boolean {
    return this.#idleSinceMs !== undefined;
  }

  /** Whether it can carry another request. */
  get isUsable(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed && this.#responses.size < MAX_RESPONSES;
  }

  /** How long ago the last response was read. */
  get idleMs(): number {
    return this.#idleSinceMs === undefined ? 0 : performance.now() - this.#idleSinceMs;
  }

  /** Records that it stands, also where undici has made it anew. */
  connected(socket: Socket): void {
    this.#socket = socket;
    this.#idleSinceMs = undefined;
    this.#responses.clear();
    this.#taskIds.clear();
    socket.once('close', this.#onClosed);
  }

  /** Records that a response was read; returns whether one was before with the very same body, or about a same task. */
  recordResponse(
    body: Buffer,
    taskIds: readonly string[],
  ): { readonly isSameBody: boolean; readonly isSameTask: boolean } {
    const digest = hash('sha256', body, 'base64');
    const before = {
      isSameBody: this.#responses.has(digest),
      isSameTask: taskIds.some((id) => this.#taskIds.has(id)),
    };
    this.#responses.add(digest);
    for (const id of taskIds) this.#taskIds.add(id);
    return before;
  }

  /** Records that it is idle from now on. */
  rest(): void {
    this.#idleSinceMs = performance.now();
  }

  close(): void {
    this.#dispatcher?.destroy(noLongerUsed).catch(() => {});
  }
}

/** Destroys every dispatcher: without one, undici would create an error, with its stack, for each. */
const noLongerUsed = new Error('The connection is no longer used');
