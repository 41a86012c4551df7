import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { readForm } from './readForm';
import { RejectedRequest } from './rejectedRequest';
import { type L10n, SandboxTasks } from './sandboxTasks';

export interface SandboxOptions {
  readonly l10n: L10n;
  /** Called with one line for each request and its response. */
  readonly log?: (line: string) => void;
  /** The duration of each of a task's three stages. */
  readonly stageMs?: number;
  /** The current time in milliseconds. */
  readonly now?: () => number;
}

/** A running sandbox. */
export type Sandbox = Readonly<Awaited<ReturnType<typeof startSandbox>>>;

type Data = Readonly<Record<string, unknown>>;

type Operation = (request: IncomingMessage) => Promise<Data>;

/** Starts a server on 127.0.0.1 that implements INTERFACE.md. */
export async function startSandbox(options: SandboxOptions) {
  const { stageMs = 1000, now = Date.now, l10n, log = () => {} } = options;
  const accessKey = `sandbox-${randomBytes(18).toString('base64url')}`;
  const operations = operationsOn(new SandboxTasks(now, stageMs, l10n), l10n);
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = await carryOut(() => route(request, operations, accessKey)(request));
    // A client that is still sending would see a broken connection instead of the response, so read everything first.
    if (!request.readableEnded && !request.destroyed) await once(request.resume(), 'end');
    if (!request.complete) return;
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    response.end(body);
    log(`${request.method} ${request.url} → HTTP ${status} ${body}`);
  };
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  /** Stops immediately and closes open connections. */
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, accessKey, close };
}

function operationsOn(tasks: SandboxTasks, l10n: L10n): ReadonlyMap<string, Operation> {
  const fileTask = async (request: IncomingMessage) => {
    const taskId = randomUUID();
    tasks.add(taskId, await readForm(request));
    return { taskId };
  };
  const queryTask = async (request: IncomingMessage) => {
    const { taskId } = await readJson(request);
    if (typeof taskId !== 'string')
      throw new RejectedRequest(400, l10n.t('The body must be an object whose "taskId" is a string.'));
    const report = tasks.report(taskId);
    if (report === undefined)
      throw new RejectedRequest(200, l10n.t('There is no task {0}.', JSON.stringify(taskId)), '1003');
    return report;
  };
  // The sandbox never calls the webhook, because INTERFACE.md doesn't show the payload.
  const setWebhook = async (request: IncomingMessage) => {
    const { url } = await readJson(request);
    if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new RejectedRequest(400, 'The body must be an object whose "url" is an http or https URL.');
    return { url };
  };
  return new Map<string, Operation>([
    ['/openapi/open/v1/file-task', fileTask],
    ['/openapi/open/v1/query-task', queryTask],
    ['/openapi/open/v1/set-webhook', setWebhook],
  ]);
}

/** Runs an operation and wraps its result or error in the envelope. */
async function carryOut(run: () => Promise<Data>): Promise<{ readonly status: number; readonly body: string }> {
  try {
    return { status: 200, body: JSON.stringify({ code: '0', message: null, data: await run() }) };
  } catch (error) {
    const { status, code, message } =
      error instanceof RejectedRequest ? error : new RejectedRequest(500, String(error));
    return { status, body: JSON.stringify({ code, message, data: null }) };
  }
}

/** Finds a request's operation, and checks everything except the body. @throws RejectedRequest */
function route(request: IncomingMessage, operations: ReadonlyMap<string, Operation>, accessKey: string): Operation {
  const { headers, method, url = '' } = request;
  const operation = operations.get(url.split('?', 1)[0] ?? '');
  if (operation === undefined) throw new RejectedRequest(404, `The paths are ${[...operations.keys()].join(', ')}.`);
  if (method !== 'POST') throw new RejectedRequest(405, `All operations use POST, not ${method}.`);
  if (headers['access-key'] !== accessKey) throw new RejectedRequest(401, 'The Access-Key is missing or wrong.');
  return operation;
}

/** Reads a JSON object. Any other JSON value yields an object without the expected members. @throws RejectedRequest */
async function readJson(request: IncomingMessage): Promise<Data> {
  try {
    return { ...((await json(request)) as Data | null) };
  } catch (error) {
    throw new RejectedRequest(400, `The body is not JSON: ${error}.`);
  }
}
