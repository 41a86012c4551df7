import type { Readable } from 'node:stream';
import tls from 'node:tls';
import type * as Undici from 'undici';
import { isLoopback } from '../contract/baseUrl';
import { METHOD } from '../contract/contract';
import { ConnectError } from '../errors';
import { Exchange, type HttpResult, type TimeOuts } from './exchange';
import { readingPastContinue } from './interimResponses';

/** How requests reach the network. */
export interface HttpSettings {
  readonly timeOuts: TimeOuts;
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
}

/** One POST. The body is sent once; its length goes into Content-Length. */
export interface PostRequest {
  readonly url: URL;
  /** Sent spelled as they are here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array>;
  readonly bodyBytes: number;
  /** Its response has the shorter time-out of queries. */
  readonly isQuery?: true;
}

/** The only way to the network. */
export class Http {
  /** The wall clock, in milliseconds since 1970: a response may name a time. */
  readonly now: () => number;
  readonly #settings: () => HttpSettings;
  #undici: typeof Undici | undefined;
  #systemTrust: tls.SecureContext | undefined;

  /** `settings` is asked at each request, so that a change of proxy holds from the next one on. */
  constructor(settings: () => HttpSettings, now: () => number = Date.now) {
    this.now = now;
    this.#settings = settings;
  }

  /**
   * Sends a POST over a connection of its own, as a kept-alive one may die just as it is used again, and file-task
   * cannot be repeated. Redirects are not followed. Never throws: what went wrong is in the result.
   */
  async post(request: PostRequest, signal: AbortSignal, onSent: (sentBytes: number) => void): Promise<HttpResult> {
    const { url } = request;
    let settings: HttpSettings;
    try {
      settings = this.#settings();
    } catch (cause) {
      return { sentBytes: 0, error: new ConnectError('other', url.host, { cause }) };
    }
    const { timeOuts } = settings;
    const answerMs = request.isQuery ? timeOuts.queryMs : timeOuts.answerMs;
    const exchange = new Exchange(url, { ...timeOuts, answerMs }, signal, onSent);
    if (signal.aborted) return exchange.result;
    let dispatcher: Undici.Dispatcher | undefined;
    try {
      dispatcher = this.#open(url, settings);
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: METHOD,
          headers: { ...request.headers, 'Content-Length': String(request.bodyBytes) },
          // undici sends any async iterable; its types name only streams.
          body: request.body as string | Readable,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        exchange,
      );
    } catch (error) {
      // The proxy's address is no URL, or undici refuses a header.
      exchange.onResponseError(undefined, error as Error);
    }
    const result = await exchange.result;
    dispatcher?.destroy(exchangeEnded).catch(() => {});
    return result;
  }

  #open(url: URL, settings: HttpSettings): Undici.Dispatcher {
    this.#undici ??= loadUndici();
    const undici = this.#undici;
    const trust = settings.systemCertificates && url.protocol === 'https:' ? { secureContext: this.#trust() } : {};
    // HTTP/2 writes header names in lower case, and undici repeats by itself what a GOAWAY left open.
    const allowH2 = false;
    const connect = { timeout: settings.timeOuts.connectMs, rejectUnauthorized: true, allowH2, ...trust };
    const open = (origin: string | URL, options: Undici.Client.Options): Undici.Client => {
      const { connect } = options;
      const connector = typeof connect === 'function' ? connect : undici.buildConnector(connect ?? {});
      return new undici.Client(origin, { ...options, connect: readingPastContinue(connector) });
    };
    // To undici, a pipelining of 0 means one request per connection.
    if (isLoopback(url)) return open(url.origin, { connect, pipelining: 0, allowH2 });
    return new undici.EnvHttpProxyAgent({
      factory: open,
      connect,
      pipelining: 0,
      allowH2,
      requestTls: connect,
      proxyTls: { ...connect, rejectUnauthorized: settings.proxyStrictTls },
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

/** Destroys every dispatcher: without one, undici would create an error, with its stack, for each. */
const exchangeEnded = new Error('The exchange has ended');

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
