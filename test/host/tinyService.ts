import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TinyRequest {
  /** The last segment of the path. */
  readonly operation: string;
  readonly accessKey: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A local service with a scripted response for each operation. */
export interface TinyService {
  readonly baseUrl: URL;
  /** The requests received, in order. */
  readonly requests: readonly TinyRequest[];
  close(): Promise<void>;
}

/** The body of a response, an HTTP status without a body, or both. */
export type TinyResponse = string | number | readonly [status: number, body: string];

/** Starts a service. `responses` contains a function for each operation. Other operations get a 404. */
export async function startTinyService(
  responses: Readonly<Record<string, (request: TinyRequest) => TinyResponse | Promise<TinyResponse>>>,
): Promise<TinyService> {
  const requests: TinyRequest[] = [];
  const respond = async (incoming: IncomingMessage) => {
    const { url, headers } = incoming;
    const operation = url?.split('/').at(-1) ?? '';
    const request = { operation, accessKey: String(headers['access-key']), headers, body: await text(incoming) };
    requests.push(request);
    return (await responses[operation]?.(request)) ?? 404;
  };
  const server = createServer(async (request, reply) => {
    const response = await respond(request);
    const whole = typeof response === 'number' ? ([response, ''] as const) : response;
    const [status, body] = typeof whole === 'string' ? [200, whole] : whole;
    reply.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
