import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import { readForm } from '../../../../unit/service/readForm';
import type { ServiceBehavior } from './shape';

export const ACCESS_KEY = 'shapes-key-0123456789';

/** An import that a service received. */
export interface ReceivedImport {
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The form parts as text, including the file. */
  readonly form: Readonly<Record<string, string>>;
  readonly fileName: string;
}

/** An import that the service accepted, and the stage of its task. */
export interface ShapeTask {
  readonly number: number;
  stage: number;
}

/** A local service with a given shape. It recognizes a task by the exact query body. */
export class ShapeService {
  /** The bodies of all queries it has received. */
  readonly queries: string[] = [];
  /** Tasks by file name. */
  readonly tasks = new Map<string, ShapeTask>();
  readonly baseUrl: URL;
  readonly #shape: ServiceBehavior;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(shape: ServiceBehavior, server: ReturnType<typeof createServer>) {
    this.#shape = shape;
    this.#server = server;
    this.baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  static async start(shape: ServiceBehavior): Promise<ShapeService> {
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

  /** The true state of a file's task. */
  truthOf(fileName: string): KnownMeaning | undefined {
    const task = this.tasks.get(fileName);
    return task && this.#shape.reports[task.stage]?.[1];
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
    const received = isImport ? await readImport(request, body) : undefined;
    if (accessKey !== ACCESS_KEY) return { status: 401, body: rejection('Access-Key is invalid') };
    const fault = received && this.#shape.missing?.(received);
    if (fault !== undefined) return { status: 200, body: rejection(fault) };
    return {
      status: 200,
      body: received === undefined ? this.#respondToQuery(body.toString()) : this.#accept(received),
    };
  }

  #accept({ fileName }: ReceivedImport): string {
    const task = { number: this.tasks.size + 1, stage: 0 };
    this.tasks.set(fileName, task);
    return accepted(this.#shape.importData?.(task.number) ?? usualId(task.number));
  }

  #respondToQuery(body: string): string {
    const { query = usualId, reports, unknown } = this.#shape;
    const task = [...this.tasks.values()].find(({ number }) => [query(number)].flat().includes(body));
    const [data] = (task && reports[task.stage]) ?? [];
    if (task === undefined || data === undefined) return rejection(unknown?.(body) ?? 'task not found');
    return accepted(typeof data === 'string' ? data : data(task.number, body));
  }
}

async function readImport(request: IncomingMessage, body: Buffer): Promise<ReceivedImport> {
  const parts = await readForm({ head: `content-type: ${request.headers['content-type']}`, body });
  return {
    headers: request.headers as Record<string, string | undefined>,
    form: Object.fromEntries(parts.map(({ name, content }) => [name, content.toString()])),
    // Quotes in file names are escaped, as in browsers.
    fileName: (parts.find(({ fileName }) => fileName !== undefined)?.fileName ?? '').replaceAll('%22', '"'),
  };
}

/** The default JSON with the nth task's ID, used in responses and queries. */
function usualId(task: number): string {
  return `{"taskId":"t-${task}"}`;
}

function accepted(data: string): string {
  return `{"code":"0","message":null,"data":${data}}`;
}

function rejection(message: string): string {
  return JSON.stringify({ code: '400', message, data: null });
}
