// A process that runs an import service and counts how many times each file arrives. The argument is "node" for Node's
// http server, or a number for a raw server that closes each connection without notice after that many responses. The
// raw server closes some connections immediately and some a little later, and resets others. Sends {"port": …} once it
// is listening, and replies to any message with the counts.
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Arrived } from './startPostServer';

const arrivals = new Map<string, number>();
let closes = 0;

/** Counts a file. Returns a response with the file's name as the task ID. */
function accept(body: string): string {
  const name = /filename="(\d+)\.txt"/.exec(body)?.[1] ?? '';
  arrivals.set(name, (arrivals.get(name) ?? 0) + 1);
  return `{"code":"0","message":null,"data":{"taskId":"${name}"}}`;
}

function nodeServer(): Server {
  return createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end(accept(Buffer.concat(chunks).toString('latin1')));
    });
  });
}

function closingServer(every: number): Server {
  return createServer({ noDelay: true }, (socket) => serve(socket, every));
}

function serve(socket: Socket, every: number): void {
  let received = '';
  let responses = 0;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const head = received.indexOf('\r\n\r\n');
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1]);
    if (head === -1 || received.length < head + 4 + length) return;
    const accepted = accept(received);
    received = '';
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${accepted.length}\r\n\r\n${accepted}`);
    responses += 1;
    if (responses % every === 0) closeUnannounced(socket);
  });
}

function closeUnannounced(socket: Socket): void {
  closes += 1;
  const way = closes % 3;
  if (way === 0) socket.end();
  else if (way === 1) setTimeout(() => socket.end(), closes % 5);
  else setTimeout(() => socket.resetAndDestroy(), closes % 7);
}

function counted(): Arrived {
  const times = [...arrivals.values()];
  const result = { files: times.length, doubled: times.filter((each) => each > 1).length, closes };
  arrivals.clear();
  closes = 0;
  return result;
}

const kind = process.argv[2] ?? '';
const server = kind === 'node' ? nodeServer() : closingServer(Number(kind));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => process.send?.(counted()));
process.on('disconnect', () => process.exit());
