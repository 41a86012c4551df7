import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to file-task, as far as it arrived. */
export interface Post {
  readonly number: number;
  /** The name in the file's part. */
  readonly file: string;
  /** The content of the file's part; undefined if the request wasn't whole. */
  readonly content: string | undefined;
}

/** How a request is answered: an HTTP response, or the connection is closed. */
export type Answer =
  | 'reset'
  | { readonly status?: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

/** An import service over real sockets that remembers every POST and answers as the test wants. */
export class ImportingService {
  readonly posts: Post[] = [];
  /** Accepts, with an ID of its own for each. */
  answer: (post: Post) => Answer | Promise<Answer> = ({ number }) => ({ body: accepted(`task-${number}`) });
  inFlight = 0;
  mostInFlight = 0;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  static async start(): Promise<ImportingService> {
    const service = new ImportingService();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get baseUrl(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  /** The names of the files, in the order in which they arrived. */
  get names(): string[] {
    return this.posts.map(({ file }) => file);
  }

  /** The files that arrived whole more than once. */
  get twice(): string[] {
    const whole = this.posts.filter(({ content }) => content !== undefined).map(({ file }) => file);
    return whole.filter((file, index) => whole.indexOf(file) !== index);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = this.posts.length + 1;
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    const post: { number: number; file: string; content: string | undefined } = {
      number,
      file: '',
      content: undefined,
    };
    this.posts.push(post);
    let body = '';
    try {
      for await (const chunk of request.setEncoding('latin1')) {
        body += chunk;
        post.file = /filename="([^"]+)"/.exec(body)?.[1] ?? '';
      }
      post.content = /\r\n\r\n([\s\S]*)\r\n--[^\r]*--\r\n$/.exec(body)?.[1];
      const answer = await this.answer(post);
      if (answer === 'reset') {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    } catch {
      // The connection has closed.
    } finally {
      this.inFlight -= 1;
    }
  }
}

export function accepted(taskId: string): unknown {
  return { code: '0', message: null, data: { taskId } };
}

export function rejected(code: string, message = 'No.'): unknown {
  return { code, message, data: null };
}
