import type { Script } from './rawServer';

/** The envelope of INTERFACE.md 4.6, with a task id where it is likely to be recognized. */
export const TAKEN = '{"code":"0","message":null,"data":{"taskId":"T1"}}';

/** The literal bytes of a response after which no other comes; `headers` are whole lines. */
export function response(status: string, body: string | Uint8Array, ...headers: string[]): Buffer {
  const bytes = Buffer.from(body);
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${bytes.length}`, 'Connection: close', ...headers, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n')), bytes]);
}

/** Reads the whole request, then sends these bytes and waits for the client to go. */
export function answering(bytes: string | Uint8Array): Script {
  return async (peer) => {
    await peer.readRequest();
    peer.send(bytes);
    await peer.readToEnd();
  };
}

/** The envelope of INTERFACE.md 4.6 for the nth import, each with a task ID of its own. */
export function accepted(count: number): string {
  return TAKEN.replace('T1', `T${count}`);
}

/** Accepts whatever it is sent, one request a connection. */
export const taking: Script = (peer, count) =>
  answering(response('200 OK', accepted(count), 'Content-Type: application/json'))(peer, count);
