import type { IncomingMessage } from 'node:http';
import { FirstBytes } from './readText';

const shownBytes = 1024;

/** The body of one request: read once, counted, and its beginning kept as it came. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #first = new FirstBytes(shownBytes);
  #bytes = 0;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** How long the body is by its Content-Length; undefined where the request has none. */
  get announcedBytes(): number | undefined {
    const length = this.#request.headers['content-length'];
    return length === undefined ? undefined : Number(length);
  }

  /** How many bytes have been read so far. */
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
   * half read would close its connection, and a client still sending would see that instead of its response.
   */
  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      this.#take(chunk);
      yield chunk;
    }
  }

  /** Reads what is left and drops it. */
  async drain(): Promise<void> {
    for await (const _ of this.chunks());
  }

  /** Reads so many bytes and leaves the rest: for a request whose connection is cut next. Throws when the client goes away. */
  async readFirst(bytes: number): Promise<void> {
    if (bytes === 0) return;
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      this.#take(chunk.subarray(0, bytes - this.#bytes));
      if (this.#bytes === bytes) return;
    }
  }

  #take(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#first.add(chunk);
  }
}
