import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Order, Summary } from './summary';

/** A POST to file-task. */
export interface Post {
  /** Undefined if the POST ended before the file name was sent. */
  file: string | undefined;
  isWhole: boolean;
  /** The task ID. Undefined if the POST was incomplete. */
  id: string | undefined;
  /** Whether the whole response was passed to the operating system. */
  isAnswered: boolean;
}

/** Max delay before the response starts. There is a second delay of up to this long in the middle of the response. */
const MAX_DELAY_MS = 30;
/** Long enough for a busy machine. */
const WAIT_LIMIT_MS = 60_000;

/** An import service that records each POST and responds slowly, so that windows are killed at every stage of an upload. */
export class CountingService {
  readonly posts: Post[] = [];
  readonly #summaries: Summary[] = [];
  readonly #waiting = new Map<number, ServerResponse>();
  readonly #events = new EventEmitter<{ news: [] }>().setMaxListeners(0);
  readonly #random: () => number;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  private constructor(random: () => number) {
    this.#random = random;
  }

  static async start(random: () => number): Promise<CountingService> {
    const service = new CountingService(random);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The process IDs of all extension hosts so far. */
  get pids(): readonly number[] {
    return this.#summaries.filter(({ event }) => event === 'started').map(({ pid }) => pid);
  }

  /** How many times a window has reported an event. */
  count(event: Summary['event'], pid: number): number {
    return this.#summaries.filter((summary) => summary.event === event && summary.pid === pid).length;
  }

  /**
   * Calls `find` now and after each request until it returns a result. If that takes too long, throws an error that
   * names `what`.
   */
  async until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    const signal = AbortSignal.timeout(WAIT_LIMIT_MS);
    for (;;) {
      const result = find();
      if (result !== undefined && result !== false) return result;
      await once(this.#events, 'news', { signal }).catch((cause) => {
        throw new Error(`Waited ${WAIT_LIMIT_MS / 1000} s for ${what}`, { cause });
      });
    }
  }

  /** Waits until the window is waiting for an order, and then sends it the order. */
  async order(pid: number, order: Order): Promise<void> {
    await this.until('a window that waits for orders', () => this.#waiting.has(pid));
    this.#waiting.get(pid)?.end(JSON.stringify(order));
    this.#waiting.delete(pid);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/file-task')) return this.#import(request, response);
    if (request.url === '/report') {
      const summary = (await json(request)) as Summary;
      this.#summaries.push(summary);
      if (summary.event === 'waiting') this.#waiting.set(summary.pid, response);
      else response.end('{}');
      this.#events.emit('news');
      return;
    }
    request.resume();
    response.end('{"code":"0","message":null,"data":{"status":"SUCCEEDED"}}');
  }

  async #import(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const post: Post = { file: undefined, isWhole: false, id: undefined, isAnswered: false };
    this.posts.push(post);
    this.#events.emit('news');
    response.once('finish', () => {
      post.isAnswered = true;
    });
    let body = '';
    try {
      for await (const chunk of request.setEncoding('latin1')) {
        body += chunk;
        post.file ??= /filename="([^"]+)"/.exec(body)?.[1];
      }
    } catch {
      // The client has closed the connection.
      return;
    }
    post.isWhole = true;
    post.id = `task-${this.posts.length}`;
    await delay(MAX_DELAY_MS * this.#random());
    response.write('{"code":"0","message":null,');
    await delay(MAX_DELAY_MS * this.#random());
    response.end(`"data":{"taskId":"${post.id}"}}`);
  }
}
