import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { METHOD } from '../contract/contract';
import { ConnectError } from '../errors';
import { type Connection, MAX_IDLE_MS } from './connection';
import { Connections, type RouteSettings } from './connections';
import { Exchange, type HttpResult, type TimeOuts } from './exchange';

/** How requests reach the network. */
export interface HttpSettings extends RouteSettings {
  readonly timeOuts: TimeOuts;
}

/** One POST. */
export interface PostRequest {
  readonly url: URL;
  /** Sent spelled as they are here. */
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or what gives the bytes from the first one on at each call. */
  readonly body: string | (() => AsyncIterable<Uint8Array>);
  /** Goes into Content-Length. */
  readonly bodyBytes: number;
  /** Called once, over a connection that stands; no byte leaves before it resolves, nor where it rejects. */
  readonly beforeBody?: (() => Promise<void>) | undefined;
  /** It can be asked again, and its response has the shorter time-out of queries. */
  readonly isQuery?: true;
}

/** How one request is watched and stopped. */
interface PostWatch {
  readonly signal: AbortSignal;
  readonly onSent: (sentBytes: number) => void;
}

/** The only way to the network. */
export class Http {
  /** The wall clock, in milliseconds since 1970: a response may name a time. */
  readonly now: () => number;
  readonly #settings: () => HttpSettings;
  readonly #connections = new Connections();

  /** `settings` is asked at each request, so that a change of proxy holds from the next one on. */
  constructor(settings: () => HttpSettings, now: () => number = Date.now) {
    this.now = now;
    this.#settings = settings;
  }

  /**
   * Sends a POST, once. Over a kept connection where that is as safe as over a fresh one: what may have left in part is
   * never sent again. Redirects are not followed. Never throws: what went wrong is in the result.
   */
  async post(request: PostRequest, signal: AbortSignal, onSent: (sentBytes: number) => void): Promise<HttpResult> {
    const { url, isQuery } = request;
    let settings: HttpSettings;
    try {
      settings = this.#settings();
    } catch (cause) {
      return { sentBytes: 0, error: new ConnectError('other', url.host, { cause }) };
    }
    const once = { ...request, beforeBody: calledOnce(request.beforeBody) };
    const post = (connect: () => Connection) => this.#postOver(connect, once, settings.timeOuts, { signal, onSent });
    const connections = this.#connections;
    const kept = isQuery ? connections.takeKept(url, settings) : connections.takeSafe(url, settings);
    if (kept !== undefined) {
      const result = await post(() => kept);
      if (!isDead(result)) return result;
      connections.closedUnannounced(kept);
      if (result.sentBytes > 0 && !isQuery) return result;
    }
    return post(() => connections.open(url, settings, settings.timeOuts.connectMs));
  }

  /** Whether a request that cannot be repeated would be sent over a kept connection. */
  isConnected(url: URL): boolean {
    try {
      return this.#connections.findSafe(url, this.#settings()) !== undefined;
    } catch {
      // Settings that cannot be read are told where the request is sent.
      return false;
    }
  }

  /** Closes the connections that are idle. */
  dispose(): void {
    this.#connections.dispose();
  }

  async #postOver(
    connect: () => Connection,
    request: PostRequest,
    timeOuts: TimeOuts,
    { signal, onSent }: PostWatch,
  ): Promise<HttpResult> {
    const { url, headers, bodyBytes } = request;
    const answerMs = request.isQuery ? timeOuts.queryMs : timeOuts.answerMs;
    const exchange = new Exchange(url, { ...timeOuts, answerMs }, signal, onSent);
    let connection: Connection | undefined;
    try {
      connection = connect();
      if (!signal.aborted) {
        connection.dispatcher.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: METHOD,
            headers: { ...headers, 'Content-Length': String(bodyBytes) },
            // undici sends any async iterable; its types name only streams.
            body: bytesOf(request, connection) as unknown as Readable,
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          exchange,
        );
      }
    } catch (error) {
      // The proxy's address is no URL, or undici refuses a header.
      exchange.onResponseError(undefined, error as Error);
    }
    const result = await exchange.result;
    if ('response' in result && connection !== undefined) this.#connections.keep(connection);
    else connection?.close();
    return result;
  }
}

/** Whether a kept connection turned out to be dead, or said something before a byte was sent. */
function isDead(result: HttpResult): boolean {
  if ('response' in result) return result.sentBytes === 0;
  const { error } = result;
  return error.name === 'ConnectionLostError' && (error.reason === 'reset' || error.reason === 'truncated');
}

function calledOnce<T>(call: (() => Promise<T>) | undefined): (() => Promise<T>) | undefined {
  let called: Promise<T> | undefined;
  return call && (() => (called ??= call()));
}

/** undici asks for the first chunk once it is connected, and sends the headers with it. */
async function* bytesOf(
  { beforeBody, body, isQuery }: PostRequest,
  connection: Connection,
): AsyncGenerator<Uint8Array> {
  await beforeBody?.();
  if (connection.isKept && !isQuery) {
    await turnOfEventLoop();
    if (connection.idleMs > MAX_IDLE_MS) throw new Error('The connection was idle for too long');
  }
  if (typeof body === 'string') yield Buffer.from(body);
  else yield* body();
}

/** The first one may come before anything that arrived is read, the second one comes after. */
async function turnOfEventLoop(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
