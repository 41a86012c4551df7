import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Part, readForm } from '../unit/service/readForm';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the response to send, or undefined to send no response. */
type Script = (request: ReceivedRequest) => ScriptedResponse | undefined;

/** A successful response. `data` is JSON text, so that every digit is sent unchanged. */
export function value(data: string): ScriptedResponse {
  return { body: `{"code":"0","message":null,"data":${data}}` };
}

/** A response that rejects the request. */
export function rejected(code: string, message: string | null, status = 200): ScriptedResponse {
  return { status, body: JSON.stringify({ code, message, data: null }) };
}

/**
 * A local service whose responses a test can script. By default, it accepts every file, creates a task for it
 * ("task-1", "task-2"…), and reports every task as succeeded.
 */
export class ScriptedService {
  /** Complete requests, in the order received. */
  readonly requests: ReceivedRequest[] = [];
  fileTask: Script = () => value(`{"taskId":"task-${this.imports.length}"}`);
  queryTask: Script = () => value('{"status":"SUCCEEDED"}');
  readonly #server: Server = createServer();

  private constructor() {
    this.#server.on('request', (request, reply) => void this.#serve(request, reply).catch(() => reply.destroy()));
  }

  /** Starts a service before the tests in a `describe`, and closes it after them. */
  static duringTests(): ScriptedService {
    const service = new ScriptedService();
    before(() => service.#listen());
    after(() => service.close());
    return service;
  }

  /** Starts a service on a free port. */
  static async start(): Promise<ScriptedService> {
    const service = new ScriptedService();
    await service.#listen();
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  get imports(): readonly ReceivedRequest[] {
    return this.requests.filter(({ path }) => path.endsWith('/file-task'));
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async #serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = { path, headers: request.headers, body: Buffer.concat(chunks) };
    this.requests.push(received);
    const response = (path.endsWith('/file-task') ? this.fileTask : this.queryTask)(received);
    if (response === undefined) return;
    reply.writeHead(response.status ?? 200, { 'Content-Type': 'application/json', ...response.headers });
    reply.end(response.body);
  }
}

/** The file in a file-task request, as parsed by an independent parser. */
export async function fileOf(request: ReceivedRequest | undefined): Promise<Part> {
  if (request === undefined) throw new Error('The request did not arrive.');
  const head = `content-type: ${request.headers['content-type']}`;
  const file = (await readForm({ head, body: request.body })).find(({ fileName }) => fileName !== undefined);
  if (file === undefined) throw new Error('The form has no file.');
  return file;
}

/** The file names in file-task requests, in alphabetical order. */
export async function namesOf(imports: readonly ReceivedRequest[]): Promise<(string | undefined)[]> {
  return (await Promise.all(imports.map(fileOf))).map(({ fileName }) => fileName).sort();
}
