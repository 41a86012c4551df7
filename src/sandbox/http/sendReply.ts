import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { RefusedRequest, type Reply } from './response';

/** Sends the reply, as far as its kind lets it arrive. Does nothing where the client has gone. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case 'sent':
    case 'cutShort': {
      const { status, headers, body } = reply;
      response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
      return;
    }
    case 'lost':
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'clientWentAway':
      return;
  }
}

/** Sends an envelope in response to bytes that are not HTTP, too, and closes the connection. */
export function respondMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = (
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new RefusedRequest('tooLongHeaders', 'The headers are too long.')
      : new RefusedRequest('badRequest', 'This is not a whole HTTP request.')
  ).response;
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.end(`${head}Connection: close\r\n\r\n${body}`, () => socket.destroy());
}
