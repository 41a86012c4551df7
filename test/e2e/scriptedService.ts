import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Part, readForm } from '../unit/service/readForm';

/** A request as it came. */
export interface ReceivedRequest {
  readonly path: string;
  /** In the order and the spelling in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What is answered. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Undefined leaves the request without a response. */
type Script = (request: ReceivedRequest) => ScriptedAnswer | undefined;

/** The answer that a request was carried out; `data` as JSON text, so that its digits are the very ones sent. */
export function value(data: string): ScriptedAnswer {
  return { body: `{"code":"0","message":null,"data":${data}}` };
}

/** The answer of a service that says no. */
export function refused(code: string, message: string | null, status = 200): ScriptedAnswer {
  return { status, body: JSON.stringify({ code, message, data: null }) };
}

/**
 * A service on loopback that answers what a test wants. At first it takes every file as a task ("task-1", "task-2"…),
 * calls every task succeeded, and takes any webhook.
 */
export class ScriptedService {
  /** What came, in the order in which it was whole. */
  readonly requests: ReceivedRequest[] = [];
  fileTask: Script = () => value(`{"taskId":"task-${this.imports.length}"}`);
  queryTask: Script = () => value('{"status":"SUCCEEDED"}');
  setWebhook: Script = () => value('{}');
  /** Where true, imports that begin are neither read nor answered. */
  stallsUploads = false;
  /** How many imports were left so, of which some of the body had come. */
  stalledUploads = 0;
  readonly #server: Server = createServer();

  private constructor() {
    this.#server.on('request', (request, reply) => void this.#serve(request, reply).catch(() => reply.destroy()));
  }

  /** One that runs from before the tests of a describe until after them. */
  static duringTests(): ScriptedService {
    const service = new ScriptedService();
    before(() => service.#listen(0));
    after(() => service.close());
    return service;
  }

  /** Starts one, on a port that is free where none is given. */
  static async start(port = 0): Promise<ScriptedService> {
    const service = new ScriptedService();
    await service.#listen(port);
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

  /** The file-task requests. */
  get imports(): readonly ReceivedRequest[] {
    return this.#of('/file-task');
  }

  /** The bodies of the query-task requests, as text. */
  get queries(): readonly string[] {
    return this.#of('/query-task').map(({ body }) => body.toString());
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  #of(path: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.path.endsWith(path));
  }

  async #serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const isImport = path.endsWith('/file-task');
    if (isImport && this.stallsUploads) {
      request.once('readable', () => this.stalledUploads++);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const names = request.rawHeaders.filter((_text, index) => index % 2 === 0);
    const headers = names.map((name, index) => [name, request.rawHeaders[2 * index + 1] ?? ''] as const);
    const received = { path, headers, body: Buffer.concat(chunks) };
    this.requests.push(received);
    const script = isImport ? this.fileTask : path.endsWith('/set-webhook') ? this.setWebhook : this.queryTask;
    const response = script(received);
    if (response === undefined) return;
    reply.writeHead(response.status ?? 200, { 'Content-Type': 'application/json', ...response.headers });
    reply.end(response.body);
  }
}

/** The value of a request's header, whatever its case. */
export function header(request: ReceivedRequest, name: string): string | undefined {
  return request.headers.find((candidate) => candidate[0].toLowerCase() === name.toLowerCase())?.[1];
}

/** The file in a file-task request, as a parser sees it that is none of ours. */
export async function fileOf(request: ReceivedRequest | undefined): Promise<Part> {
  if (request === undefined) throw new Error('No such request came.');
  const head = request.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  const file = (await readForm({ head, body: request.body })).find(({ fileName }) => fileName !== undefined);
  if (file === undefined) throw new Error('There is no file in the form.');
  return file;
}

/** The names of the files in file-task requests, in alphabetical order. */
export async function namesOf(imports: readonly ReceivedRequest[]): Promise<(string | undefined)[]> {
  return (await Promise.all(imports.map(fileOf))).map(({ fileName }) => fileName).sort();
}
