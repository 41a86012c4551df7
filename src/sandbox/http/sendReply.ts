import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Reply, type WrittenResponse, writeResponse } from './reply';
import { refuse } from './response';

/** Sends the reply, as far as its kind lets it arrive. Does nothing where the client has gone. */
export function sendReply(response: ServerResponse, reply: Reply, dripMs: number): void {
  switch (reply.kind) {
    case 'sent':
    case 'cutShort':
      writeHead(response, reply).end(reply.body);
      return;
    case 'sentSlowly':
      drip(writeHead(response, reply), Buffer.from(reply.body), dripMs);
      return;
    case 'lost':
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'clientWentAway':
      return;
  }
}

function writeHead(response: ServerResponse, { status, headers, body }: WrittenResponse): ServerResponse {
  return response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
}

const pieces = 10;

/** Sends the headers at once and the body piece by piece, until it is sent or the connection closed. */
function drip(response: ServerResponse, body: Buffer, dripMs: number): void {
  const pieceBytes = Math.ceil(body.length / pieces);
  let sentBytes = 0;
  response.flushHeaders();
  const timer = setInterval(() => {
    response.write(body.subarray(sentBytes, sentBytes + pieceBytes));
    sentBytes += pieceBytes;
    if (sentBytes < body.length) return;
    response.end();
    clearInterval(timer);
  }, dripMs);
  response.on('close', () => clearInterval(timer));
}

/** Sends an envelope in response to bytes that are not HTTP, too, and closes the connection. */
export function respondMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = writeResponse(
    error.code === 'HPE_HEADER_OVERFLOW'
      ? refuse('tooLongHeaders', 'The headers are too long.')
      : refuse('badRequest', 'This is not a whole HTTP request.'),
  );
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.end(`${head}Connection: close\r\n\r\n${body}`, () => socket.destroy());
}
