import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';

/** How long a connection that is kept may have been idle when something is sent over it that cannot be repeated. */
export const MAX_IDLE_MS = 500;

/**
 * One connection to an origin, for one request after the other. undici closes it where it cannot be kept: where the
 * service says so, where a response came before the whole request had left, or after it was idle for a few seconds.
 */
export class Connection {
  /** Names the origin and the way to it. */
  readonly route: string;
  readonly dispatcher: Dispatcher;
  readonly #onClosed: () => void;
  #socket: Socket | undefined;
  /** By `performance.now`; undefined until the first response was read. */
  #idleSinceMs: number | undefined;

  /** `dispatcher` makes the connection when it is first used, and tells it to {@link connected}. */
  constructor(route: string, dispatcher: (connection: Connection) => Dispatcher, onClosed: (it: Connection) => void) {
    this.route = route;
    this.#onClosed = () => onClosed(this);
    this.dispatcher = dispatcher(this);
  }

  /** Whether it carried a request before. */
  get isKept(): boolean {
    return this.#idleSinceMs !== undefined;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed;
  }

  /** How long ago the last response was read. */
  get idleMs(): number {
    return this.#idleSinceMs === undefined ? 0 : performance.now() - this.#idleSinceMs;
  }

  /** Records that it stands, also where undici has made it anew. */
  connected(socket: Socket): void {
    this.#socket = socket;
    this.#idleSinceMs = undefined;
    socket.once('close', this.#onClosed);
  }

  /** Records that a response was read whole. */
  rest(): void {
    this.#idleSinceMs = performance.now();
  }

  close(): void {
    this.dispatcher.destroy(noLongerUsed).catch(() => {});
  }
}

/** Destroys every dispatcher: without one, undici would create an error, with its stack, for each. */
const noLongerUsed = new Error('The connection is no longer used');
