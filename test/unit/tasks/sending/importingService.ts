import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request to the file-task endpoint. */
export interface Post {
  readonly number: number;
  /** The file's name. Empty if the request ended before the name was sent. */
  readonly file: string;
  /** Undefined if the request was incomplete. */
  readonly content: string | undefined;
  /** The client's port. */
  readonly from: number | undefined;
}

/** A response, or a closed connection. */
export type Answer =
  | 'reset'
  | { readonly status?: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

/** A real HTTP server that records each POST and sends the responses that the test sets. */
export class ImportingService {
  readonly posts: Post[] = [];
  /** By default, accepts each file with a new task ID. */
  answer: (post: Post) => Answer | Promise<Answer> = ({ number }) => ({ body: accepted(`task-${number}`) });
  /** Responds to a status check. By default, the response doesn't contain a task status. */
  report: (taskId: string) => Answer | Promise<Answer> = () => ({ body: { code: '0', data: {} } });
  /** The task ID of each status check. */
  readonly checks: string[] = [];
  /** Called before each chunk of an upload is processed. */
  onChunk: ((file: string) => Promise<void>) | undefined;
  inFlight = 0;
  mostInFlight = 0;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  #port = 0;

  static async start(): Promise<ImportingService> {
    const service = new ImportingService();
    await service.goUp();
    return service;
  }

  get baseUrl(): URL {
    return new URL(`http://127.0.0.1:${this.#port}`);
  }

  /** Starts listening, on the same port each time. */
  async goUp(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes all connections and refuses new ones. */
  async goDown(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** File names in the order in which the files arrived. */
  get names(): string[] {
    return this.posts.map(({ file }) => file);
  }

  /** The names of files that arrived in full more than once. */
  get twice(): string[] {
    const whole = this.posts.filter(({ content }) => content !== undefined).map(({ file }) => file);
    return whole.filter((file, index) => whole.indexOf(file) !== index);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.goDown();
  }

  async #check(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { taskId } = (await json(request)) as { taskId: string };
    this.checks.push(taskId);
    send(await this.report(taskId), response);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.endsWith('/query-task')) return this.#check(request, response);
    const number = this.posts.length + 1;
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    const from = request.socket.remotePort;
    const post: { -readonly [Name in keyof Post]: Post[Name] } = { number, file: '', content: undefined, from };
    this.posts.push(post);
    let body = '';
    try {
      for await (const chunk of request.setEncoding('latin1')) {
        await this.onChunk?.(post.file);
        body += chunk;
        if (post.file === '') post.file = /filename="([^"]+)"/.exec(body)?.[1] ?? '';
      }
      const end = body.endsWith('--\r\n') ? body.lastIndexOf('\r\n--') : -1;
      if (end > 0) post.content = body.slice(body.indexOf('\r\n\r\n') + 4, end);
      send(await this.answer(post), response);
    } catch {
      // The connection has closed.
    } finally {
      this.inFlight -= 1;
    }
  }
}

function send(answer: Answer, response: ServerResponse): void {
  if (answer === 'reset') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
}

export function reported(status: string): unknown {
  return { code: '0', message: null, data: { status } };
}

export function accepted(taskId: string): unknown {
  return { code: '0', message: null, data: { taskId } };
}

export function rejected(code: string, message = 'No.'): unknown {
  return { code, message, data: null };
}
