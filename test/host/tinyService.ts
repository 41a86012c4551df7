import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A service on loopback with a scripted response for each operation. */
export interface TinyService {
  readonly baseUrl: URL;
  /** The requests in order. */
  readonly requests: { readonly operation: string; readonly accessKey: string; readonly body: string }[];
  close(): Promise<void>;
}

/** Starts a service. `responses` maps the last segment of a path to a response. Other paths get a 404. */
export async function startTinyService(
  responses: Readonly<Record<string, () => string | Promise<string>>>,
): Promise<TinyService> {
  const requests: TinyService['requests'] = [];
  const read = async (request: IncomingMessage) => {
    const operation = request.url?.split('/').at(-1) ?? '';
    const accessKey = String(request.headers['access-key']);
    requests.push({ operation, accessKey, body: await text(request) });
    return responses[operation]?.();
  };
  const server = createServer(async (request, reply) => {
    const response = await read(request);
    reply.writeHead(response === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(response);
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
