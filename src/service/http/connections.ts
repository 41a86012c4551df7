import type { LookupFunction } from 'node:net';
import tls from 'node:tls';
import type * as Undici from 'undici';
import { isLoopback } from '../contract/baseUrl';
import { Connection } from './connection';
import { withParserRules } from './parserRules';

/** By which way a service is reached. */
export interface RouteSettings {
  /** The proxy to go through; undefined leaves it to the environment's `https_proxy`, `http_proxy`, `no_proxy`. */
  readonly proxy: string | undefined;
  /** Hosts that are reached without the proxy, as in `no_proxy`. */
  readonly noProxy: string | undefined;
  /** The value of Proxy-Authorization. */
  readonly proxyAuthorization: string | undefined;
  /** Whether an https proxy's own certificate is checked; the service's always is. */
  readonly proxyStrictTls: boolean;
  /** Whether the system's certificates are trusted besides Node's own. */
  readonly systemCertificates: boolean;
  /** Resolves host names; Node's own look-up if absent. */
  readonly lookup?: LookupFunction;
}

/** How long a connection that is kept may have been idle when something is sent over it. */
export const MAX_IDLE_MS = 500;
/** After how long undici closes an idle connection: later than any is used, sooner where the service says so. */
const KEPT_MS = 2 * MAX_IDLE_MS;
/** How long no connection of a route is kept where one closed unannounced, or repeated a response. */
const DISTRUST_MS = 600_000;

/** Opens connections, and keeps those that are idle for the next request by the same route. */
export class Connections {
  /** By route, the one that was used last at the end. */
  readonly #idle = new Map<string, Connection[]>();
  /** By route, the latest TLS session, which the next connection resumes. */
  readonly #tlsSessions = new Map<string, Buffer>();
  /** By route, until when each request has a connection of its own, by `performance.now`. */
  readonly #distrustedUntilMs = new Map<string, number>();
  #undici: typeof Undici | undefined;
  #systemTrust: tls.SecureContext | undefined;
  #isDisposed = false;

  /** Takes out one that is kept and as safe as a fresh one; undefined where there is none. */
  takeSafe(url: URL, settings: RouteSettings): Connection | undefined {
    return this.findSafe(url, settings) && this.#idle.get(routeOf(url, settings))?.pop();
  }

  /** The one that {@link takeSafe} would take out. */
  findSafe(url: URL, settings: RouteSettings): Connection | undefined {
    const route = routeOf(url, settings);
    if (performance.now() < (this.#distrustedUntilMs.get(route) ?? 0)) return undefined;
    const last = this.#idle.get(route)?.at(-1);
    return last !== undefined && last.idleMs <= MAX_IDLE_MS ? last : undefined;
  }

  /** Records that a kept connection closed unannounced: soon after a response, so may the next one under a request. */
  closedUnannounced({ route, idleMs }: Connection): void {
    if (idleMs <= MAX_IDLE_MS) this.distrust(route);
  }

  /** Gives each request of a route a connection of its own for a while. */
  distrust(route: string): void {
    this.#distrustedUntilMs.set(route, performance.now() + DISTRUST_MS);
  }

  /** One that connects at its first request. */
  open(url: URL, settings: RouteSettings, connectMs: number): Connection {
    const route = routeOf(url, settings);
    const dispatcher = (connection: Connection) => this.#dispatcher(url, settings, connectMs, connection);
    return new Connection(route, dispatcher, (connection) => this.#drop(connection));
  }

  /** Keeps a connection for the next request, once a response was read from it; closes it where that cannot be. */
  keep(connection: Connection): void {
    if (!connection.isUsable || this.#isDisposed) {
      connection.close();
      return;
    }
    const kept = this.#idle.get(connection.route) ?? [];
    this.#idle.set(connection.route, kept);
    kept.push(connection);
  }

  /** Closes the idle connections. */
  dispose(): void {
    this.#isDisposed = true;
    for (const connection of [...this.#idle.values()].flat()) connection.close();
    this.#idle.clear();
  }

  #drop(connection: Connection): void {
    const kept = this.#idle.get(connection.route) ?? [];
    if (!kept.includes(connection)) return;
    this.closedUnannounced(connection);
    kept.splice(kept.indexOf(connection), 1);
    if (kept.length === 0) this.#idle.delete(connection.route);
    connection.close();
  }

  #dispatcher(url: URL, settings: RouteSettings, connectMs: number, connection: Connection): Undici.Dispatcher {
    this.#undici ??= loadUndici();
    const undici = this.#undici;
    const isSecure = url.protocol === 'https:';
    const trust = settings.systemCertificates && isSecure ? { secureContext: this.#trust() } : {};
    // HTTP/2 writes header names in lower case, and undici repeats by itself what a GOAWAY left open.
    const allowH2 = false;
    const lookup = settings.lookup === undefined ? {} : { lookup: settings.lookup };
    const toProxy = { timeout: connectMs, rejectUnauthorized: true, allowH2, ...trust, ...lookup };
    const session = this.#tlsSessions.get(connection.route);
    const connect = { ...toProxy, ...(session === undefined ? {} : { session }) };
    const common = { connect, pipelining: 1, keepAliveTimeout: KEPT_MS, keepAliveMaxTimeout: KEPT_MS, allowH2 };
    const open = (origin: string | URL, options: Undici.Client.Options): Undici.Client => {
      const { connect } = options;
      const connector = withParserRules(typeof connect === 'function' ? connect : undici.buildConnector(connect ?? {}));
      return new undici.Client(origin, {
        ...common,
        connect: (options, callback) =>
          connector(options, (...result) => {
            const [, socket] = result;
            if (socket) connection.connected(socket);
            if (isSecure) socket?.on('session', (session: Buffer) => this.#tlsSessions.set(connection.route, session));
            callback(...result);
          }),
      });
    };
    if (isLoopback(url)) return open(url.origin, common);
    return new undici.EnvHttpProxyAgent({
      ...common,
      factory: open,
      requestTls: connect,
      proxyTls: { ...toProxy, rejectUnauthorized: settings.proxyStrictTls },
      ...(settings.proxy === undefined ? {} : { httpProxy: settings.proxy, httpsProxy: settings.proxy }),
      ...(settings.noProxy === undefined ? {} : { noProxy: settings.noProxy }),
      ...(settings.proxyAuthorization === undefined ? {} : { token: settings.proxyAuthorization }),
    });
  }

  /** Made once: reading the system's certificates and building a context of them takes tens of milliseconds. */
  #trust(): tls.SecureContext {
    const ca = () => [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
    this.#systemTrust ??= tls.createSecureContext({ ca: ca() });
    return this.#systemTrust;
  }
}

/** Connections by the same route reach the same origin in the same way. */
function routeOf({ origin }: URL, settings: RouteSettings): string {
  const { proxy, noProxy, proxyAuthorization, proxyStrictTls, systemCertificates } = settings;
  return JSON.stringify([origin, proxy, noProxy, proxyAuthorization, proxyStrictTls, systemCertificates]);
}

const dispatcherSlot = Symbol.for('undici.globalDispatcher.2');

/**
 * Loads undici at the first request. It would put a dispatcher of its own into a slot of globalThis that all extensions
 * of the process share; a placeholder occupies the slot while it loads, and is removed then.
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
