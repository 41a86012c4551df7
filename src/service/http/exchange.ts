import type { Dispatcher } from 'undici';
import type { ServiceError } from '../errors';
import { BadResponseError, CanceledError, ConnectError, ConnectionLostError, SourceError } from '../errors';
import type { Connection } from './pools';

/** Timeouts in milliseconds. */
export interface TimeOuts {
  readonly connectMs: number;
  /** How long a connection may be idle while we are sending or while a response is arriving. */
  readonly idleMs: number;
  /**
   * The time limit from the last byte of the request to the last byte of the response. Receiving part of the response
   * doesn't reset it.
   */
  readonly responseMs: number;
  /** Used instead of `responseMs` for queries, because they are safe to retry. */
  readonly queryMs: number;
}

/** A response whose body has not been parsed. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Set if `body` is incomplete, because the response was truncated or too large. Never set for a 2xx response. */
  readonly isCut?: true;
}

/**
 * A response, and how many bytes of the request body had been sent when it arrived. If nothing had been sent, the response
 * isn't for this request.
 */
export interface Responded {
  readonly sentBytes: number;
  readonly response: HttpResponse;
}

/** The result of one request. */
export type HttpResult = Responded | { readonly sentBytes: number; readonly error: ServiceError };

export const MAX_RESPONSE_BYTES = 1024 * 1024;

export interface ExchangeOptions {
  readonly url: URL;
  readonly proxy: URL | undefined;
  readonly timeOuts: Pick<TimeOuts, 'connectMs' | 'idleMs' | 'responseMs'>;
  readonly signal: AbortSignal;
  readonly onSent: ((sentBytes: number) => void) | undefined;
  /** Called when a whole response has been read from a connection. */
  readonly onResponded: (connection: Connection) => void;
}

/**
 * One request and its response. Counts the bytes sent, gives up if the connection stalls or the user cancels, and stops reading
 * a response that is too large. `result` never rejects.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settling = Promise.withResolvers<HttpResult>();
  readonly result = this.#settling.promise;
  /** Set by the pool when a connection takes the request. */
  connection: Connection | undefined;
  /** Whether the connection was used for an earlier request. */
  isOnKeptConnection = false;
  /**
   * Whether a response began before anything was sent. Such a response is either a late or duplicate response to an earlier
   * request, or unsolicited.
   */
  isStray = false;
  #controller: Dispatcher.DispatchController | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  /**
   * Limits the total response time, because a response that trickles in would keep resetting the watchdog forever.
   */
  #deadline: NodeJS.Timeout | undefined;
  #ended = false;
  #sentBytes = 0;
  #status = 0;
  #headers: HttpResponse['headers'] = {};
  #chunks: Buffer[] = [];
  #responseBytes = 0;

  constructor(private readonly options: ExchangeOptions) {
    const { url, timeOuts, signal } = options;
    signal.addEventListener('abort', this.#cancel);
    const cause = `no connection within ${timeOuts.connectMs} ms`;
    this.#failAfter(timeOuts.connectMs, () => new ConnectError('timedOut', url.host, { cause }));
    if (signal.aborted) this.#cancel();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.isOnKeptConnection = this.connection?.idleSince !== undefined;
    if (this.#ended) controller.abort(new CanceledError());
    else this.#expectWithin(this.options.timeOuts.idleMs, 'stalled');
  }

  onBodySent(chunk: Buffer | string): void {
    this.#sentBytes += Buffer.byteLength(chunk);
    this.#expectWithin(this.options.timeOuts.idleMs, 'stalled');
    this.options.onSent?.(this.#sentBytes);
  }

  onRequestSent(): void {
    if (this.#status === 0) clearTimeout(this.#watchdog);
    this.#beginDeadline();
  }

  /** Called when the first byte of a response arrives. */
  onResponseStarted(): void {
    if (this.#sentBytes > 0) return;
    this.isStray = true;
    if (this.isOnKeptConnection) this.#fail(new ConnectionLostError('reset', this.options.url.host));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#beginDeadline();
    this.#expectWithin(this.options.timeOuts.idleMs, 'truncated');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#responseBytes += chunk.length;
    if (this.#responseBytes > MAX_RESPONSE_BYTES) {
      this.#fail(new BadResponseError('tooLarge', this.#status, ''));
    } else {
      this.#chunks.push(chunk);
      this.#expectWithin(this.options.timeOuts.idleMs, 'truncated');
    }
  }

  onResponseEnd(): void {
    if (this.connection && !this.#ended) this.options.onResponded(this.connection);
    this.#end({ response: this.#response });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail(this.#named(error));
  }

  readonly #cancel = () => this.#fail(new CanceledError());

  #expectWithin(ms: number, otherwise: ConnectionLostError['reason']): void {
    this.#failAfter(ms, () => new ConnectionLostError(otherwise, this.options.url.host));
  }

  #beginDeadline(): void {
    if (this.#ended) return;
    this.#deadline ??= setTimeout(() => {
      this.#fail(new ConnectionLostError(this.#status === 0 ? 'silent' : 'truncated', this.options.url.host));
    }, this.options.timeOuts.responseMs);
  }

  #failAfter(ms: number, error: () => ServiceError): void {
    if (this.#ended) return;
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#fail(error()), ms);
  }

  get #response(): HttpResponse {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) };
  }

  /**
   * Ends the exchange with this error. If a status other than 2xx has arrived, ends it with the incomplete response
   * instead, because the status is all we need.
   */
  #fail(error: ServiceError): void {
    this.#end(this.#status >= 300 ? { response: { ...this.#response, isCut: true } } : { error });
    this.#controller?.abort(error);
  }

  #end(outcome: { response: HttpResponse } | { error: ServiceError }): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#watchdog);
    clearTimeout(this.#deadline);
    this.options.signal.removeEventListener('abort', this.#cancel);
    this.#settling.resolve({ sentBytes: this.#sentBytes, ...outcome });
  }

  #named(error: Error): ServiceError {
    if (error instanceof SourceError || error.cause instanceof SourceError)
      return (error.cause ?? error) as SourceError;
    if (error instanceof CanceledError) return error;
    const { url, proxy } = this.options;
    // If Node reports an error for each of a host's addresses, use the first one.
    const system: NodeJS.ErrnoException =
      error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
    const code = String(system.code ?? '');
    // The parser's error contains the bytes that it couldn't parse, which may contain the key.
    Reflect.deleteProperty(error, 'data');
    if (this.#controller === undefined && this.connection?.idleSince !== undefined) {
      // A reused connection broke before undici sent anything on it.
      this.isOnKeptConnection = true;
      return new ConnectionLostError('reset', url.host, { cause: error });
    }
    if (this.#controller === undefined) {
      const reason = connectReason(code, error);
      // Node's error includes a host name or address only if Node couldn't reach that host. If there is a proxy, the
      // host is the proxy.
      const isProxy = reason.startsWith('proxy') || 'hostname' in system || 'address' in system;
      return new ConnectError(reason, isProxy ? (proxy ?? url).host : url.host, { cause: error });
    }
    if (PROXY_LOGIN.test(error.message)) return new ConnectError('proxyLogin', (proxy ?? url).host, { cause: error });
    // In TLS 1.3, our handshake is complete before the service checks our certificate. If the service rejects the certificate,
    // it doesn't read the request.
    if (!this.isOnKeptConnection && CERTIFICATE_ALERT.test((this.connection?.error ?? error).message))
      return new ConnectError('clientCertificate', url.host, { cause: error });
    if (code === 'UND_ERR_HEADERS_OVERFLOW') return new BadResponseError('largeHeaders', this.#status, '');
    // undici puts the parser's message in parentheses. If the parser fails before the end of a body, undici reports a
    // length mismatch instead.
    const isLength = code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && this.#status === 0;
    if (error.name === 'HTTPParserError' || isLength)
      return new BadResponseError('notHttp', this.#status, /\((.*)\)$/.exec(error.message)?.[1] ?? error.message);
    return new ConnectionLostError(this.#status === 0 ? 'reset' : 'truncated', url.host, { cause: error });
  }
}

/**
 * A service ended the handshake because our certificate is invalid, rejected or missing, or was issued by an unknown CA.
 */
const CERTIFICATE_ALERT = /SSL alert number (?:40|42|48|49|116)\b/;

/** A proxy responded with 407 to a plain http request or to CONNECT. The only way to tell is the message of undici's error. */
const PROXY_LOGIN = /^Proxy Authentication Required|^Proxy response \(407\)/;

function connectReason(code: string, error: Error): ConnectError['reason'] {
  if (PROXY_LOGIN.test(error.message) || /^UND_ERR_SOCKS5_AUTH/.test(code)) return 'proxyLogin';
  if (/^UND_ERR_(?:PRX|SOCKS5)/.test(code) || /^Proxy response/.test(error.message)) return 'proxy';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timedOut';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL') return 'unreachable';
  if (code === 'ECONNRESET') return 'reset';
  if (/SSL alert number 116\b/.test(error.message)) return 'clientCertificate';
  return /CERT|INVALID_CA|INVALID_PURPOSE|^ERR_TLS|^ERR_SSL|^EPROTO|^UNABLE_TO|ISSUER|SIGNATURE|^CRL/.test(code)
    ? 'tls'
    : 'other';
}
