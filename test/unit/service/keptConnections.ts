import type { Socket } from 'node:net';
import type { Script } from './rawServer';

const HEAD_END = '\r\n\r\n';

/** The literal bytes of a response that keeps the connection open. `headers` are complete header lines. */
export function keptResponse(body: string, ...headers: string[]): string {
  return ['HTTP/1.1 200 OK', `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n');
}

/** Calls `respond` after each complete request on a connection. */
export function onRequest(respond: (socket: Socket, request: string) => void): Script {
  return async ({ socket }) => {
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
      if (received.length < received.indexOf(HEAD_END) + HEAD_END.length + length) return;
      const request = received;
      received = '';
      respond(socket, request);
    });
  };
}
