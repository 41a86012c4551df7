import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import { readForm } from '../../../../unit/service/readForm';
import type { Speech } from './shape';

export const ACCESS_KEY = 'shapes-key-0123456789';

/** An import that a service received. */
export interface ReceivedImport {
  readonly accessKey: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The parts of the form as text; the file is among them. */
  readonly form: Readonly<Record<string, string>>;
  readonly fileName: string;
}

/** An import that the service accepted, and the stage of its task. */
export interface Life {
  readonly number: number;
  stage: number;
}

/** A service with a shape on loopback. It recognizes a task by the exact body of the query. */
export class ShapeService {
  /** All imports that it received, whether or not it accepted them. */
  readonly imports: ReceivedImport[] = [];
  /** The bodies of all queries. */
  readonly queries: string[] = [];
  /** By the names of their files. */
  readonly lives = new Map<string, Life>();
  readonly baseUrl: URL;
  readonly accessKey = ACCESS_KEY;
  readonly #shape: Speech;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(shape: Speech, server: ReturnType<typeof createServer>) {
    this.#shape = shape;
    this.#server = server;
    this.baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  static async start(shape: Speech): Promise<ShapeService> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const service = new ShapeService(shape, server);
    server.on('request', async (request, reply) => {
      const { status, body } = await service.#respond(request);
      reply.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    return service;
  }

  get url(): string {
    return this.baseUrl.origin;
  }

  /** The initial name of its dataset. */
  get host(): string {
    return this.baseUrl.host;
  }

  /** Moves all tasks to a stage. */
  moveOn(stage: number): void {
    for (const life of this.lives.values()) life.stage = stage;
  }

  /** The true state of a file's task. */
  truthOf(fileName: string): KnownMeaning | undefined {
    const life = this.lives.get(fileName);
    return life && this.#shape.tells[life.stage]?.[1];
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #respond(request: IncomingMessage): Promise<{ readonly status: number; readonly body: string }> {
    const body = await buffer(request);
    const accessKey = String(request.headers['access-key']);
    const isImport = request.url?.endsWith('/file-task') ?? false;
    if (!isImport) this.queries.push(body.toString());
    const received = isImport ? await readImport(request, accessKey, body) : undefined;
    if (received !== undefined) this.imports.push(received);
    if (accessKey !== ACCESS_KEY) return { status: 401, body: rejection('Access-Key is invalid') };
    const fault = received && this.#shape.lacks?.(received);
    if (fault !== undefined) return { status: 200, body: rejection(fault) };
    return { status: 200, body: received === undefined ? this.#tell(body.toString()) : this.#begin(received) };
  }

  #begin({ fileName }: ReceivedImport): string {
    const life = { number: this.lives.size + 1, stage: 0 };
    this.lives.set(fileName, life);
    return accepted(this.#shape.begins?.(life.number) ?? usualId(life.number));
  }

  #tell(body: string): string {
    const { query = usualId, tells, unknown } = this.#shape;
    const life = [...this.lives.values()].find(({ number }) => [query(number)].flat().includes(body));
    const [data] = (life && tells[life.stage]) ?? [];
    if (life === undefined || data === undefined) return rejection(unknown?.(body) ?? 'task not found');
    return accepted(typeof data === 'string' ? data : data(life.number, body));
  }
}

async function readImport(request: IncomingMessage, accessKey: string, body: Buffer): Promise<ReceivedImport> {
  const parts = await readForm({ head: `content-type: ${request.headers['content-type']}`, body });
  return {
    accessKey,
    headers: request.headers as Record<string, string | undefined>,
    form: Object.fromEntries(parts.map(({ name, content }) => [name, content.toString()])),
    // A quote in a file name is escaped like in browsers.
    fileName: (parts.find(({ fileName }) => fileName !== undefined)?.fileName ?? '').replaceAll('%22', '"'),
  };
}

/** The default ID of the n-th task, in responses and queries. */
function usualId(task: number): string {
  return `{"taskId":"t-${task}"}`;
}

function accepted(data: string): string {
  return `{"code":"0","message":null,"data":${data}}`;
}

function rejection(message: string): string {
  return JSON.stringify({ code: '400', message, data: null });
}
