import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, refuse } from './answer';
import { stringifyJson } from './exactJson';

/** Sends an answer as JSON. To a client that has gone, nothing happens. */
export function sendAnswer(response: ServerResponse, { status, envelope }: Answer): void {
  const body = stringifyJson(envelope);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(status === 405 ? { Allow: 'POST' } : {}),
  });
  response.end(body);
}

/** Answers bytes that are not HTTP with an envelope too (INTERFACE.md, 4.6), and hangs up. */
export function answerMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, envelope } =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? refuse('tooLongHeaders', 'The headers are too long.')
      : refuse('badRequest', 'This is not a whole HTTP request.');
  const body = JSON.stringify(envelope);
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.end(`${head}Connection: close\r\n\r\n${body}`, () => socket.destroy());
}
