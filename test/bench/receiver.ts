// A separate process that runs an import service. It does as little as possible, so that a benchmark measures the
// client. It parses only request headers and accepts every file. Arguments: the response delay in milliseconds, and
// "https:" for TLS. Sends {"port": …} once it is listening, and replies to each message with the number of requests,
// bytes and connections since the last message.
import { createServer, type Socket } from 'node:net';
import { tlsServer } from '../unit/service/certificates';

const [responseMs, protocol] = [Number(process.argv[2]), process.argv[3]];
let counted = { posts: 0, bodyBytes: 0, connections: 0 };
let responses = 0;

function receive(socket: Socket): void {
  counted.connections++;
  let head = '';
  let bodyLeft = 0;
  let keep = true;
  let isImport = true;
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    for (let rest: Buffer = chunk; rest.length > 0; ) {
      if (bodyLeft === 0) {
        const before = head.length;
        head += rest.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        rest = rest.subarray(end + 4 - before);
        bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        keep = !/\r\nconnection: *close/i.test(head);
        isImport = /\r\ncontent-type: *multipart/i.test(head);
        if (/\r\nexpect: *100-continue/i.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
        head = '';
      }
      const received = Math.min(bodyLeft, rest.length);
      rest = rest.subarray(received);
      bodyLeft -= received;
      if (isImport) counted.bodyBytes += received;
      if (bodyLeft > 0) continue;
      if (isImport) counted.posts++;
      if (responseMs === 0) respond(socket, keep);
      else setTimeout(respond, responseMs, socket, keep);
    }
  });
}

function respond(socket: Socket, keep: boolean): void {
  const body = `{"code":"0","message":null,"data":{"taskId":"${++responses}"}}`;
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  if (keep) socket.write(`${head}\r\n${body}`);
  else socket.end(`${head}Connection: close\r\n\r\n${body}`);
}

const server =
  protocol === 'https:'
    ? tlsServer('loopback').on('secureConnection', receive)
    : createServer({ noDelay: true }, receive);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.({ port: address?.port });
});
process.on('message', () => {
  process.send?.(counted);
  counted = { posts: 0, bodyBytes: 0, connections: 0 };
});
process.on('disconnect', () => process.exit());
