import type { RawServer, Script } from './rawServer';

/** The envelope from section 4.6 of INTERFACE.md, with a recognizable task ID. */
export const ACCEPTED = '{"code":"0","message":null,"data":{"taskId":"T1"}}';

/** The literal bytes of a response with `Connection: close`. `headers` are complete header lines. */
export function response(status: string, body: string | Uint8Array, ...headers: string[]): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${bytes.length}`, 'Connection: close', ...headers, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n')), bytes]);
}

/** Reads the whole request, sends these bytes, and waits until the client closes the connection. */
export function answering(bytes: string | Uint8Array): Script {
  return async (peer) => {
    await peer.readRequest();
    peer.send(bytes);
    await peer.readToEnd();
  };
}

/** The envelope from section 4.6 of INTERFACE.md, with the task ID `T1`, `T2` and so on. */
export function accepted(count: number): string {
  return ACCEPTED.replace('T1', `T${count}`);
}

/** Accepts everything, one request per connection. */
export const acceptsAll: Script = (peer, count) =>
  answering(response('200 OK', accepted(count), 'Content-Type: application/json'))(peer, count);

/** A proxy that opens a tunnel to this service. */
export function tunnelingTo({ port }: RawServer): Script {
  return async (peer) => {
    await peer.readRequest();
    peer.send('HTTP/1.1 200 Connection established\r\n\r\n');
    await peer.tunnelTo(port);
  };
}
