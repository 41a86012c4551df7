import type { Socket } from 'node:net';
import tls from 'node:tls';
import type * as Undici from 'undici';
import type { Exchange, TimeOuts } from './exchange';
import type { RouteSettings } from './route';

/** How long to wait for one address before we try the next. Node's default of 250 ms is too short for a distant server. */
const ADDRESS_ATTEMPT_MS = 2500;

/**
 * A point in time, according to both the monotonic clock and the wall clock, because the monotonic clock may stop while
 * the machine sleeps.
 */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** One connection in a pool. It carries one request at a time. */
export interface Connection {
  /** When the last response ended; undefined if the connection is new. */
  idleSince: Moment | undefined;
  /** The socket's first error. undici reports only the last one. */
  error: Error | undefined;
}

/** How a pool reaches its service. */
export interface Route extends Omit<RouteSettings, 'proxy' | 'noProxy'> {
  readonly origin: string;
  /** Undefined if the service is reached directly. */
  readonly proxy: URL | undefined;
  readonly timeOuts: TimeOuts;
}

/**
 * The undici pools, one for each route. A pool opens a connection for each concurrent request, so requests never wait for each
 * other.
 */
export class Pools {
  readonly #pools = new Map<string, Undici.Dispatcher>();
  #systemTrust: tls.SecureContext | undefined;

  constructor(private readonly maxIdleMs: number) {}

  of(route: Route): Undici.Dispatcher {
    const key = JSON.stringify(route);
    const pool = this.#pools.get(key) ?? this.#make(route);
    this.#pools.set(key, pool);
    return pool;
  }

  /** Whether a pool is still in use. */
  has(pool: Undici.Dispatcher): boolean {
    return [...this.#pools.values()].includes(pool);
  }

  /** Makes later requests use a new pool. Requests in flight can still finish. */
  retire(pool: Undici.Dispatcher): void {
    for (const [key, each] of this.#pools) if (each === pool) this.#pools.delete(key);
    pool.close().catch(() => {});
  }

  close(): void {
    for (const pool of this.#pools.values()) this.retire(pool);
  }

  #make(route: Route): Undici.Dispatcher {
    const { origin, proxy } = route;
    const { connectMs } = route.timeOuts;
    const { buildConnector, Client, Pool, ProxyAgent } = loadUndici();
    const toProxy = {
      timeout: connectMs,
      // With HTTP/2, header names would be sent in lower case, and undici would resend requests after a GOAWAY.
      allowH2: false,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.min(ADDRESS_ATTEMPT_MS, Math.ceil(connectMs / 2)),
      ...(route.lookup && { lookup: route.lookup }),
      ...(route.systemCertificates ? { secureContext: this.#trust() } : {}),
    };
    const connect = { ...toProxy, rejectUnauthorized: true };
    const pooling = {
      allowH2: false,
      pipelining: 1,
      // Otherwise, undici would keep a connection open for as long as the `Keep-Alive` header allows.
      keepAliveTimeout: this.maxIdleMs,
      keepAliveMaxTimeout: this.maxIdleMs,
    };
    const factory = (url: string | URL, options: object): Undici.Client => {
      const { connect, ...rest } = options as Undici.Client.Options;
      const connector = skipUnaskedContinue(typeof connect === 'function' ? connect : buildConnector(connect ?? {}));
      const connection: Connection = { idleSince: undefined, error: undefined };
      const client = new Client(url, {
        ...rest,
        connect: (to, callback) => {
          Object.assign(connection, { idleSince: undefined, error: undefined });
          connector(to, (...result) => {
            result[1]?.once('error', (error) => {
              connection.error = error;
            });
            callback(...result);
          });
        },
      });
      const dispatch = client.dispatch.bind(client);
      client.dispatch = (request, handler) => {
        (handler as Exchange).connection = connection;
        return dispatch(request, handler);
      };
      return client;
    };
    const poolOf = (url: string | URL, { connect }: Pick<Undici.Pool.Options, 'connect'>) =>
      new Pool(url, { ...pooling, ...(connect && { connect }), factory });
    if (proxy === undefined) return poolOf(origin, { connect });
    if (proxy.protocol.startsWith('socks')) return poolOf(origin, { connect: this.#throughSocks(proxy, connect) });
    return new ProxyAgent({
      uri: proxy.href,
      factory: (url, options) => poolOf(url, options),
      requestTls: connect,
      proxyTls: { ...toProxy, rejectUnauthorized: route.proxyStrictTls },
      ...(route.proxyAuthorization === undefined ? {} : { token: route.proxyAuthorization }),
    });
  }

  /** Connects through a SOCKS5 proxy. undici's own agent would ignore our pooling options. */
  #throughSocks(proxy: URL, options: Undici.buildConnector.BuildOptions): Undici.buildConnector.connector {
    const { buildConnector, Socks5ProxyAgent } = loadUndici();
    const toProxy = { connectTimeout: options.timeout };
    const agent = new Socks5ProxyAgent(proxy.href.replace('socks5h:', 'socks5:'), toProxy as object) as unknown as {
      createSocks5Connection(host: string, port: number): Promise<Socket>;
    };
    const connect = buildConnector(options);
    return (to, callback) => {
      const isSecure = to.protocol === 'https:';
      agent.createSocks5Connection(to.hostname, Number(to.port) || (isSecure ? 443 : 80)).then(
        (socket) => (isSecure ? connect({ ...to, httpSocket: socket }, callback) : callback(null, socket)),
        (error: Error) => callback(error, null),
      );
    };
  }

  /** Cached, because it takes tens of milliseconds to read the system's certificates and build a context from them. */
  #trust(): tls.SecureContext {
    const ca = () => [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
    this.#systemTrust ??= tls.createSecureContext({ ca: ca() });
    return this.#systemTrust;
  }
}

/** The part of undici's HTTP/1.1 parser that we use. */
interface Parser {
  onHeadersComplete(status: number, upgrade: boolean, keepsAlive: boolean): number;
}

/**
 * Wraps a connector so that connections ignore an unsolicited `100 Continue`, as RFC 9110 requires. undici closes the
 * connection when it receives a 100, but ignores a 102, so we turn a 100 into a 102.
 */
function skipUnaskedContinue(connect: Undici.buildConnector.connector): Undici.buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      callback(...result);
      const [, socket] = result;
      // undici stores the parser on the socket, under a symbol.
      const slot = Object.getOwnPropertySymbols(socket ?? {}).find(({ description }) => description === 'parser');
      const parser: Parser | null | undefined = socket && slot && Reflect.get(socket, slot);
      if (!parser) return;
      const onHeadersComplete = parser.onHeadersComplete.bind(parser);
      parser.onHeadersComplete = (status, ...rest) => onHeadersComplete(status === 100 ? 102 : status, ...rest);
    });
}

const dispatcherSlot = Symbol.for('undici.globalDispatcher.2');

/**
 * Loads undici on the first request. Later calls are fast, because `require` caches it. undici would put its dispatcher
 * into a global that all extensions share, so a placeholder occupies that global while undici loads.
 */
function loadUndici(): typeof Undici {
  if (Object.hasOwn(globalThis, dispatcherSlot)) return require('undici');
  Object.defineProperty(globalThis, dispatcherSlot, { value: {}, configurable: true });
  try {
    return require('undici');
  } finally {
    Reflect.deleteProperty(globalThis, dispatcherSlot);
  }
}
