import type { IncomingMessage } from 'node:http';
import { FirstBytes } from './firstBytes';

const shownBytes = 1024;

/** The body of one request: read once, counted, and its beginning kept as it came. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #first = new FirstBytes(shownBytes);
  #bytes = 0;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** How many bytes have come so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The beginning of the body as text, of a short one all of it. */
  get start(): string {
    return this.#first.text();
  }

  /** Whether `start` is less than has come. */
  get cut(): boolean {
    return this.#bytes > shownBytes;
  }

  /** Whether the request came to its end; false for a client that went away. */
  get complete(): boolean {
    return this.#request.complete;
  }

  /**
   * The chunks as they arrive; throws when the client goes away. Whoever begins reads to the end: leaving a request
   * half read would close its connection, and a client still sending would see that instead of its answer.
   */
  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      this.#bytes += chunk.length;
      this.#first.add(chunk);
      yield chunk;
    }
  }

  /** Reads what is left and drops it. */
  async drain(): Promise<void> {
    for await (const _ of this.chunks());
  }
}
