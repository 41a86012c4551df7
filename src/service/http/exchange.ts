import type { Dispatcher } from 'undici';
import {
  BadResponseError,
  CanceledError,
  ConnectError,
  ConnectionLostError,
  type ServiceError,
  SourceError,
} from '../errors';

/** How long to wait, in milliseconds. */
export interface TimeOuts {
  readonly connectMs: number;
  /** While sending and while a response is arriving: the longest silence. */
  readonly idleMs: number;
  /** From the last byte that was sent to the last one of the response, whatever arrives meanwhile. */
  readonly responseMs: number;
  /** The same for a query, which can simply be asked again. */
  readonly queryMs: number;
}

/** A response whose body has not been parsed. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Set if the body ended early or was too large to read: only its beginning is here. Never with a 2xx. */
  readonly isCut?: true;
}

/** The response to one request, and how many bytes of the request's body were handed to the network. */
export interface Responded {
  readonly sentBytes: number;
  readonly response: HttpResponse;
}

/** What became of one request. */
export type HttpResult = Responded | { readonly sentBytes: number; readonly error: ServiceError };

const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * One request and its response, watched: counts the bytes that leave, ends the wait when either side falls silent or
 * the user cancels, and stops reading a response that is too large. Resolves once, never rejects.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<HttpResult>;
  readonly #settle: (result: HttpResult) => void;
  readonly #url: URL;
  readonly #timeOuts: TimeOuts;
  readonly #signal: AbortSignal;
  readonly #onSent: (sentBytes: number) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #watchdog: NodeJS.Timeout | undefined;
  /** Limits the response as a whole: one that drips would refresh the watchdog for ever. */
  #deadline: NodeJS.Timeout | undefined;
  /** The reason that the watchdog gives. */
  #silence: ConnectionLostError['reason'] | undefined;
  #ended = false;
  #sentBytes = 0;
  #status = 0;
  #headers: HttpResponse['headers'] = {};
  #chunks: Buffer[] = [];
  #responseBytes = 0;

  constructor(url: URL, timeOuts: TimeOuts, signal: AbortSignal, onSent: (sentBytes: number) => void) {
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    this.result = promise;
    this.#settle = resolve;
    this.#url = url;
    this.#timeOuts = timeOuts;
    this.#signal = signal;
    this.#onSent = onSent;
    signal.addEventListener('abort', this.#cancel);
    const cause = `no connection within ${timeOuts.connectMs} ms`;
    this.#failAfter(timeOuts.connectMs, () => new ConnectError('timedOut', url.host, { cause }));
    if (signal.aborted) this.#cancel();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new CanceledError());
    else this.#expectWithin(this.#timeOuts.idleMs, 'stalled');
  }

  onBodySent(chunk: Buffer | string): void {
    this.#sentBytes += Buffer.byteLength(chunk);
    this.#expectWithin(this.#timeOuts.idleMs, 'stalled');
    this.#onSent(this.#sentBytes);
  }

  onRequestSent(): void {
    if (this.#status === 0) clearTimeout(this.#watchdog);
    this.#beginDeadline();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpResponse['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#beginDeadline();
    this.#expectWithin(this.#timeOuts.idleMs, 'truncated');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#responseBytes += chunk.length;
    if (this.#responseBytes > MAX_RESPONSE_BYTES) {
      this.#fail(new BadResponseError('tooLarge', this.#status, ''));
    } else {
      this.#chunks.push(chunk);
      this.#expectWithin(this.#timeOuts.idleMs, 'truncated');
    }
  }

  onResponseEnd(): void {
    this.#end({ response: this.#response });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail(this.#named(error));
  }

  readonly #cancel = () => this.#fail(new CanceledError());

  #expectWithin(ms: number, otherwise: ConnectionLostError['reason']): void {
    if (this.#silence === otherwise && !this.#ended) this.#watchdog?.refresh();
    else this.#failAfter(ms, () => new ConnectionLostError(otherwise, this.#url.host));
    this.#silence = otherwise;
  }

  #beginDeadline(): void {
    if (this.#ended) return;
    this.#deadline ??= setTimeout(() => {
      this.#fail(new ConnectionLostError(this.#status === 0 ? 'silent' : 'truncated', this.#url.host));
    }, this.#timeOuts.responseMs);
  }

  #failAfter(ms: number, error: () => ServiceError): void {
    if (this.#ended) return;
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#fail(error()), ms);
  }

  get #response(): HttpResponse {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) };
  }

  /** Ends with the error, unless a status line other than 2xx came: it says enough without the rest of the body. */
  #fail(error: ServiceError): void {
    this.#end(this.#status >= 300 ? { response: { ...this.#response, isCut: true } } : { error });
    this.#controller?.abort(error);
  }

  #end(how: { response: HttpResponse } | { error: ServiceError }): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#watchdog);
    clearTimeout(this.#deadline);
    this.#signal.removeEventListener('abort', this.#cancel);
    this.#settle({ sentBytes: this.#sentBytes, ...how });
  }

  #named(error: Error): ServiceError {
    if (error instanceof SourceError || error.cause instanceof SourceError)
      return (error.cause ?? error) as SourceError;
    if (error instanceof CanceledError) return error;
    // A parser's error holds the bytes that it could not read, which may contain the key.
    Reflect.deleteProperty(error, 'data');
    if (this.#controller === undefined) {
      return new ConnectError(connectReason(error), askedHost(error, this.#url), { cause: error });
    }
    if (isProxyRefusal(error)) return new ConnectError('proxy', this.#url.host, { cause: error });
    return new ConnectionLostError(this.#status === 0 ? 'reset' : 'truncated', this.#url.host, { cause: error });
  }
}

/** Whether a proxy refused to forward a plain http request. */
function isProxyRefusal(error: Error): boolean {
  return /Proxy Authentication Required/.test(error.message);
}

/** What the system says of a connection that could not be made. */
interface SystemError extends Error {
  readonly code?: string;
  /** A name that was not found. */
  readonly hostname?: string;
  /** Where the connection was to go. */
  readonly address?: string;
  readonly port?: number;
}

/** Where there are several addresses, there is an error for each. */
function systemError(error: Error): SystemError {
  return error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
}

/** The host that could not be reached: the proxy's where its name or port differs from the service's. */
function askedHost(error: Error, { protocol, hostname, port, host }: URL): string {
  const asked = systemError(error);
  if (asked.hostname !== undefined && asked.hostname !== hostname) return asked.hostname;
  const ownPort = Number(port) || (protocol === 'https:' ? 443 : 80);
  if (asked.address === undefined || asked.port === undefined || asked.port === ownPort) return host;
  return `${asked.address.includes(':') ? `[${asked.address}]` : asked.address}:${asked.port}`;
}

function connectReason(error: Error): ConnectError['reason'] {
  const inner = systemError(error);
  const code = String(inner.code ?? '');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timedOut';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL') return 'unreachable';
  if (code === 'ECONNRESET') return 'reset';
  // The service's address is a valid URL here, so an invalid one is the proxy's.
  if (/^UND_ERR_PRX|Proxy|Invalid URL/.test(code + inner.name + inner.message)) return 'proxy';
  return /CERT|INVALID_CA|INVALID_PURPOSE|^ERR_TLS|^ERR_SSL|^EPROTO|^UNABLE_TO|ISSUER|SIGNATURE|^CRL/.test(code)
    ? 'tls'
    : 'other';
}
