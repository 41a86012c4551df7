// A process that runs an import service and counts how many times each file arrives. It closes each connection without
// notice after as many responses as the argument says: some connections immediately and some a little later, and it
// resets others. Sends {"port": …} once it is listening, and replies to any message with the counts.
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Arrived {
  /** The number of distinct files that arrived. */
  readonly files: number;
  /** The number of files that arrived more than once. */
  readonly doubled: number;
  /** The number of connections that the server closed without notice. */
  readonly closes: number;
}

const arrivals = new Map<string, number>();
let closes = 0;

/** Counts a file. Returns a response with the file's name as the task ID. */
function accept(body: string): string {
  const name = /filename="(\d+)\.txt"/.exec(body)?.[1] ?? '';
  arrivals.set(name, (arrivals.get(name) ?? 0) + 1);
  return `{"code":"0","message":null,"data":{"taskId":"${name}"}}`;
}

function serve(socket: Socket): void {
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

const every = Number(process.argv[2]);
const server = createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => process.send?.(counted()));
process.on('disconnect', () => process.exit());
