import type { ServerResponse } from 'node:http';
import type { Reply } from './response';

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
