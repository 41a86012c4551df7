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

/** One POST. */
export interface PostRequest {
  readonly url: URL;
  /** Sent with this spelling. */
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or a function that yields the bytes; each call begins at the start. */
  readonly body: string | (() => AsyncIterable<Uint8Array>);
  /** The Content-Length. */
  readonly bodyBytes: number;
  /** Called in the turn of the event loop in which the first byte is written. Nothing is sent if it throws. */
  readonly atFirstByte?: (() => void) | undefined;
  /** A query may be repeated, and has a shorter timeout. */
  readonly isQuery?: true;
  /** The connection is closed after the response. */
  readonly isLastOnConnection?: boolean;
}

/** How the caller observes and cancels a request. */
interface PostWatch {
  readonly signal: AbortSignal;
  readonly onSent: (sentBytes: number) => void;
}

/** The clocks of requests, in milliseconds. */
export interface HttpClock {
  /** The wall clock, because responses contain dates. */
  now(): number;
  /** Only moves forward. */
  monotonicMs(): number;
}

/** Services close idle connections after some seconds, and we may not notice in time. Half a second is safe. */
const MAX_IDLE_MS = 500;

const systemHttpClock: HttpClock = { now: () => Date.now(), monotonicMs: () => performance.now() };

/** The only way to the network. */
export class Http {
  readonly clock: HttpClock;
  readonly #settings: () => HttpSettings;
  readonly #maxIdleMs: number;
  readonly #pools: Pools;
  /** When an origin's response turned out to be another request's, by the monotonic clock. */
  readonly #distrustedMs = new Map<string, number>();

  /**
   * `settings` are read for each request, so a changed proxy applies from the next one on. A connection may be idle for
   * `maxIdleMs`.
   */
  constructor(settings: () => HttpSettings, clock: HttpClock = systemHttpClock, maxIdleMs = MAX_IDLE_MS) {
    this.clock = clock;
    this.#settings = settings;
    this.#maxIdleMs = maxIdleMs;
    this.#pools = new Pools(maxIdleMs);
  }

  /**
   * Sends a POST and reads its response. Redirects are not followed. Never rejects: errors are in the result.
   *
   * Sends it a second time only if a kept connection turned out to be dead before anything was sent, or if it is a query.
   */
  async post(request: PostRequest, watch: PostWatch): Promise<HttpResult> {
    const { url } = request;
    let route: Route;
    let pool: Dispatcher;
    try {
      const settings = this.#settings();
      route = { ...settings, origin: url.origin, proxy: proxyFor(url, settings) };
      pool = this.#pools.of(route);
    } catch (cause) {
      const error = cause instanceof ConnectError ? cause : new ConnectError('other', url.host, { cause });
      return { sentBytes: 0, error };
    }
    const sendOver = async (pool: Dispatcher) => {
      const exchange = this.#exchange(request, pool, route, watch);
      const result = await exchange.result;
      // undici frees a connection one turn after its response. A request sent before would open another one.
      await setImmediate();
      return { result, isOnKeptConnection: exchange.isOnKeptConnection };
    };
    const { result, isOnKeptConnection } = await sendOver(pool);
    if (!isOnKeptConnection || !isDead(result) || (result.sentBytes > 0 && !request.isQuery)) return result;
    this.#pools.retire(pool);
    return (await sendOver(this.#pools.of(route))).result;
  }

  /** Stops using the existing connections, because one of them returned another request's response. */
  distrustConnections({ origin }: URL): void {
    this.#distrustedMs.set(origin, this.clock.monotonicMs());
  }

  /** Closes the idle connections. */
  dispose(): void {
    this.#pools.dispose();
  }

  #exchange(request: PostRequest, pool: Dispatcher, { proxy, timeOuts }: Route, watch: PostWatch): Exchange {
    const { url, headers, bodyBytes } = request;
    const exchange = new Exchange({
      ...watch,
      url,
      proxy,
      timeOuts: request.isQuery ? { ...timeOuts, responseMs: timeOuts.queryMs } : timeOuts,
      onResponded: (connection) => {
        connection.idleSince = { monotonicMs: this.clock.monotonicMs(), wallMs: this.clock.now() };
      },
    });
    if (watch.signal.aborted) return exchange;
    try {
      pool.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: METHOD,
          headers: { ...headers, 'accept-encoding': 'identity', 'content-length': String(bodyBytes) },
          // undici sends any async iterable; its types name only streams.
          body: this.#bytesOf(request, exchange) as unknown as Readable,
          reset: request.isLastOnConnection === true,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        exchange,
      );
    } catch (error) {
      // undici rejects a header.
      exchange.onResponseError(undefined, error as Error);
    }
    return exchange;
  }

  /** Whether a connection that has been idle since then can be reused. Both clocks, because the machine may have slept. */
  #isUsable(origin: string, { monotonicMs, wallMs }: Moment): boolean {
    const idleMs = Math.max(this.clock.monotonicMs() - monotonicMs, this.clock.now() - wallMs);
    return idleMs <= this.#maxIdleMs && monotonicMs > (this.#distrustedMs.get(origin) ?? Number.NEGATIVE_INFINITY);
  }

  /**
   * The last gate before the network: undici asks for the first chunk once it has a connection, and sends the headers
   * together with that chunk.
   *
   * A FIN, a RST or a stray response may be waiting to be read. The event loop turns twice first (the first turn may come
   * before the sockets are polled), so that undici sees it and fails the request while nothing was sent.
   */
  async *#bytesOf({ url, atFirstByte, body }: PostRequest, exchange: Exchange): AsyncGenerator<Uint8Array> {
    const chunks = (typeof body === 'string' ? textBytes(body) : body())[Symbol.asyncIterator]();
    try {
      const first = await chunks.next();
      await setImmediate();
      await setImmediate();
      // If the machine slept or the event loop was blocked, undici hasn't closed an idle connection in time.
      const idleSince = exchange.connection?.idleSince;
      const isUsable = idleSince === undefined || this.#isUsable(url.origin, idleSince);
      if (!isUsable || exchange.isStray) throw new ConnectionLostError('reset', url.host);
      atFirstByte?.();
      for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value;
    } finally {
      await chunks.return?.();
    }
  }
}

/** Whether a connection died before a whole response arrived. */
function isDead(result: HttpResult): boolean {
  if (!('error' in result)) return false;
  const { error } = result;
  return error.name === 'ConnectionLostError' && (error.reason === 'reset' || error.reason === 'truncated');
}

async function* textBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
