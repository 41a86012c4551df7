import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { METHOD } from '../contract/contract';
import { ConnectError, ConnectionLostError } from '../errors';
import type { Connection } from './connection';
import { Connections, MAX_IDLE_MS, type RouteSettings } from './connections';
import { Exchange, type HttpResult, type Responded, type TimeOuts } from './exchange';

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
  /** It is not sent over a kept connection. */
  readonly isAlone?: true;
}

/** How one request is watched and stopped. */
interface PostWatch {
  readonly signal: AbortSignal;
  readonly onSent: (sentBytes: number) => void;
}

/** What was read in a response. */
interface ReadResponse {
  /**
   * The tasks that it is about. With none, a repetition of it could not be distinguished from the response to the next request,
   * so that the connection is closed.
   */
  readonly taskIds: readonly string[];
}

/** What became of one request, and what was read in its response. */
type Posted<Read> = Exclude<HttpResult, Responded> | ReadAs<Read>;

interface ReadAs<Read> extends Responded {
  readonly read: Read;
  /** Whether the response repeats one that came over the same connection before: it may be another request's. */
  readonly isRepeated: boolean;
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
   * Sends a POST, once, and reads its response. Over a kept connection where that is as safe as over a fresh one: what
   * may have left in part is never sent again. Redirects are not followed. What goes wrong with the request is in the
   * result; only what `read` throws is thrown.
   */
  async post<Read extends ReadResponse>(
    request: PostRequest,
    watch: PostWatch,
    read: (responded: Responded) => Promise<Read>,
  ): Promise<Posted<Read>> {
    const { url, isQuery, isAlone } = request;
    let settings: HttpSettings;
    try {
      settings = this.#settings();
    } catch (cause) {
      return { sentBytes: 0, error: new ConnectError('other', url.host, { cause }) };
    }
    const once = { ...request, beforeBody: calledOnce(request.beforeBody) };
    const post = (connection: Connection) => this.#postOver(connection, once, settings.timeOuts, watch, read);
    const connections = this.#connections;
    const kept = isAlone ? undefined : connections.takeSafe(url, settings);
    if (kept !== undefined) {
      const result = await post(kept);
      if (!isDead(result)) return result;
      connections.closedUnannounced(kept);
      if (result.sentBytes > 0 && !isQuery) return result;
    }
    return post(connections.open(url, settings, settings.timeOuts.connectMs));
  }

  /** Whether a request would be sent over a kept connection. */
  isConnected(url: URL): boolean {
    try {
      return this.#connections.findSafe(url, this.#settings()) !== undefined;
    } catch {
      // Settings that cannot be read are reported where the request is sent.
      return false;
    }
  }

  /** Closes the connections that are idle. */
  dispose(): void {
    this.#connections.dispose();
  }

  async #postOver<Read extends ReadResponse>(
    connection: Connection,
    request: PostRequest,
    timeOuts: TimeOuts,
    { signal, onSent }: PostWatch,
    read: (responded: Responded) => Promise<Read>,
  ): Promise<Posted<Read>> {
    const { url, headers, bodyBytes } = request;
    const responseMs = request.isQuery ? timeOuts.queryMs : timeOuts.responseMs;
    const exchange = new Exchange(url, { ...timeOuts, responseMs }, signal, onSent);
    try {
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
    if ('response' in result) return this.#read(connection, request, result, read);
    connection.close();
    return result;
  }

  /** Reads a response, and keeps the connection for the next request where that is safe. */
  async #read<Read extends ReadResponse>(
    connection: Connection,
    { url, isQuery }: PostRequest,
    responded: Responded,
    read: (responded: Responded) => Promise<Read>,
  ): Promise<Posted<Read>> {
    const { response, sentBytes } = responded;
    if (connection.isKept && sentBytes === 0) {
      // It was there before the request.
      connection.close();
      return { sentBytes, error: new ConnectionLostError('reset', url.host) };
    }
    connection.rest();
    const result = await read(responded);
    const { isSameBody, isSameTask } = connection.recordResponse(response.body, result.taskIds);
    // Each import begins tasks of its own, while queries may be about the same one.
    const isRepeated = isSameBody || (isSameTask && !isQuery);
    if (isRepeated && !isQuery) this.#connections.distrust(connection.route);
    // After a repetition, what comes next may be the response to this request.
    if (isRepeated || result.taskIds.length === 0) connection.close();
    else this.#connections.keep(connection);
    return { ...responded, read: result, isRepeated };
  }
}

/** Whether a kept connection turned out to be dead. */
function isDead(result: Posted<unknown>): boolean {
  if (!('error' in result)) return false;
  const { error } = result;
  return error.name === 'ConnectionLostError' && (error.reason === 'reset' || error.reason === 'truncated');
}

function calledOnce<T>(call: (() => Promise<T>) | undefined): (() => Promise<T>) | undefined {
  let called: Promise<T> | undefined;
  return call && (() => (called ??= call()));
}

/** undici asks for the first chunk once it is connected, and sends the headers with it. */
async function* bytesOf({ beforeBody, body }: PostRequest, connection: Connection): AsyncGenerator<Uint8Array> {
  await beforeBody?.();
  if (connection.isKept) {
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
