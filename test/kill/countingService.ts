import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Order, Summary } from './summary';

/** A POST of file-task, as far as it came. */
export interface Post {
  /** The name in the file's part; undefined where it did not come as far. */
  file: string | undefined;
  isWhole: boolean;
  /** The id made for it; undefined where it was not whole. */
  id: string | undefined;
  /** Whether all of the answer was handed to the network. */
  isAnswered: boolean;
}

/** The longest that the service takes before its answer, and again in the middle of it. */
const SLOWEST_MS = 30;
/** The longest that anything is waited for, on a machine that has other things to do. */
const LONGEST_MS = 60_000;

/** An import service that remembers every POST and takes its time, so that a kill meets imports at every stage. */
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

  /** The extension hosts that have started so far. */
  get pids(): readonly number[] {
    return this.#summaries.filter(({ event }) => event === 'started').map(({ pid }) => pid);
  }

  /** How often a window has reported this. */
  count(event: Summary['event'], pid: number): number {
    return this.#summaries.filter((summary) => summary.event === event && summary.pid === pid).length;
  }

  /** Asks at everything that comes in until there is a response; throws, naming what was waited for, where none comes. */
  async until<T>(what: string, ask: () => T | undefined | false): Promise<T> {
    const signal = AbortSignal.timeout(LONGEST_MS);
    for (;;) {
      const response = ask();
      if (response !== undefined && response !== false) return response;
      await once(this.#events, 'news', { signal }).catch((cause) => {
        throw new Error(`Waited ${LONGEST_MS / 1000} s for ${what}`, { cause });
      });
    }
  }

  /** Orders windows at one moment, once all of them wait for an order. */
  async order(orders: ReadonlyMap<number, Order>): Promise<void> {
    await this.until('windows that wait for orders', () => [...orders.keys()].every((pid) => this.#waiting.has(pid)));
    for (const [pid, order] of orders) {
      this.#waiting.get(pid)?.end(JSON.stringify(order));
      this.#waiting.delete(pid);
    }
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
      // The connection is gone: it came no further.
      return;
    }
    post.isWhole = true;
    post.id = `task-${this.posts.length}`;
    await delay(SLOWEST_MS * this.#random());
    response.write('{"code":"0","message":null,');
    await delay(SLOWEST_MS * this.#random());
    response.end(`"data":{"taskId":"${post.id}"}}`);
  }
}
