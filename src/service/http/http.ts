import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { METHOD } from '../contract/contract';
import { ConnectError, ConnectionLostError } from '../errors';
import { Exchange, type HttpResult, type TimeOuts } from './exchange';
import { type Moment, Pools, type Route } from './pools';
import { proxyFor, type RouteSettings } from './route';

/** How requests reach the network. */
export interface HttpSettings extends RouteSettings {
  readonly timeOuts: TimeOuts;
}

/** One POST request. */
export interface PostRequest {
  readonly url: URL;
  /** Header names are sent exactly as written. */
  readonly headers: Readonly<Record<string, string>>;
  /** A string, or a function that yields the bytes. Each call starts from the beginning. */
  readonly body: string | (() => AsyncIterable<Uint8Array>);
  /** The Content-Length. */
  readonly bodyBytes: number;
  /** Set for a query, which is safe to retry and has a shorter timeout. */
  readonly isQuery?: true;
  /** Whether to close the connection after the response. */
  readonly isLastOnConnection?: boolean;
}

/** How the caller observes and cancels a request. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly onSent?: (sentBytes: number) => void;
  /** Called in the same turn of the event loop that writes the first byte. If it throws, nothing is sent. */
  readonly atFirstByte?: () => void;
}

/** Clocks in milliseconds. */
export interface HttpClock {
  /** The wall clock, for the dates in responses. */
  now(): number;
  /** The monotonic clock, which never goes backward. */
  monotonicMs(): number;
}

/** Services close idle connections after a few seconds, and we may not notice in time. Half a second is safe. */
const MAX_IDLE_MS = 500;

const systemHttpClock: HttpClock = { now: () => Date.now(), monotonicMs: () => performance.now() };

/** Sends all of the extension's requests. */
export class Http {
  readonly #pools: Pools;

  /**
   * Reads `settings` for each request, so a changed proxy applies to the next request. Reuses connections that have
   * been idle for at most `maxIdleMs`.
   */
  constructor(
    private readonly settings: () => HttpSettings,
    readonly clock: HttpClock = systemHttpClock,
    private readonly maxIdleMs = MAX_IDLE_MS,
  ) {
    this.#pools = new Pools(maxIdleMs);
  }

  /**
   * Sends a POST and reads its response. Doesn't follow redirects. Never rejects: errors are in the result.
   *
   * If a reused connection turns out to be dead, sends the request again, but only if nothing was sent or the request is a
   * query.
   */
  async post(request: PostRequest, watch: Watch): Promise<HttpResult> {
    const { url } = request;
    let route: Route;
    let pool: Dispatcher;
    try {
      const settings = this.settings();
      route = { ...settings, origin: url.origin, proxy: proxyFor(url, settings) };
      pool = this.#pools.of(route);
    } catch (cause) {
      const error = cause instanceof ConnectError ? cause : new ConnectError('other', url.host, { cause });
      return { sentBytes: 0, error };
    }
    const sendOver = async (pool: Dispatcher) => {
      const exchange = this.#exchange(request, pool, route, watch);
      const result = await exchange.result;
      // undici frees a connection one turn of the event loop after the response. Until then, a request would open another
      // connection.
      await setImmediate();
      return { result, isOnKeptConnection: exchange.isOnKeptConnection };
    };
    const { result, isOnKeptConnection } = await sendOver(pool);
    if (!isOnKeptConnection || !isDead(result) || (result.sentBytes > 0 && !request.isQuery)) return result;
    this.#pools.retire(pool);
    return (await sendOver(this.#pools.of(route))).result;
  }

  /** Closes all connections. A connection in use is closed after its response. Later requests open new connections. */
  closeConnections(): void {
    this.#pools.close();
  }

  #exchange(request: PostRequest, pool: Dispatcher, { proxy, timeOuts }: Route, watch: Watch): Exchange {
    const { url, headers, bodyBytes } = request;
    const exchange = new Exchange({
      signal: watch.signal,
      onSent: watch.onSent,
      url,
      proxy,
      timeOuts: request.isQuery ? { ...timeOuts, responseMs: timeOuts.queryMs } : timeOuts,
      onResponded: (connection) => {
        connection.idleSince = { monotonicMs: this.clock.monotonicMs(), wallMs: this.clock.now() };
      },
    });
    if (watch.signal.aborted) return exchange;
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: METHOD,
      headers: { ...headers, 'accept-encoding': 'identity', 'content-length': String(bodyBytes) },
      // undici accepts any async iterable, but its types allow only streams.
      body: this.#bytesOf(request, exchange, pool, watch.atFirstByte) as unknown as Readable,
      reset: request.isLastOnConnection === true,
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    try {
      pool.dispatch(options, exchange);
    } catch (error) {
      // undici rejected a header.
      exchange.onResponseError(undefined, error as Error);
    }
    return exchange;
  }

  /** Whether an idle connection can be reused. Checks both clocks, because the machine may have slept. */
  #isUsable({ monotonicMs, wallMs }: Moment): boolean {
    return Math.max(this.clock.monotonicMs() - monotonicMs, this.clock.now() - wallMs) <= this.maxIdleMs;
  }

  /**
   * Yields the body. undici asks for the first chunk once it has a connection, and sends the headers together with that
   * chunk, so this is the last chance to stop before anything is sent.
   *
   * A FIN, an RST or a stray response may be waiting to be read. Waiting for two turns of the event loop (the first one
   * may end before the sockets are polled) lets undici read it and fail the request before anything is sent.
   */
  async *#bytesOf(
    { url, body }: PostRequest,
    exchange: Exchange,
    pool: Dispatcher,
    atFirstByte = () => {},
  ): AsyncGenerator<Uint8Array> {
    const chunks = (typeof body === 'string' ? textBytes(body) : body())[Symbol.asyncIterator]();
    try {
      const first = await chunks.next();
      await setImmediate();
      await setImmediate();
      // If the machine slept or the event loop was blocked, undici may not have closed an idle connection in time.
      const idleSince = exchange.connection?.idleSince;
      const isUsable = idleSince === undefined || (this.#pools.has(pool) && this.#isUsable(idleSince));
      if (!isUsable || exchange.isStray) throw new ConnectionLostError('reset', url.host);
      atFirstByte();
      for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value;
    } finally {
      await chunks.return?.();
    }
  }
}

/** Whether a connection died before a whole response arrived. */
function isDead(result: HttpResult): boolean {
  const error = 'error' in result ? result.error : undefined;
  return error?.name === 'ConnectionLostError' && (error.reason === 'reset' || error.reason === 'truncated');
}

async function* textBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
