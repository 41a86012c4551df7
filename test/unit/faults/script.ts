import { setTimeout as delay } from 'node:timers/promises';
import type { Peer, Script } from '../service/rawServer';

/** What the service does to a connection once it has read enough of the request. */
export type Action = (peer: Peer) => Promise<unknown>;

/** Runs `action` once the service has read the head and this many bytes of the body. */
export function atBodyByte(bodyBytes: number, action: Action): Script {
  return async (peer) => {
    if (await peer.readRequest(bodyBytes)) await action(peer);
  };
}

/** Runs `action` once the service has read the whole request. */
export function afterRequest(action: Action): Script {
  return atBodyByte(Number.POSITIVE_INFINITY, action);
}

/** Uses one script per connection, and the last script for all further connections. */
export function inTurn(...scripts: readonly Script[]): Script {
  return async (peer, count) => (scripts[count - 1] ?? scripts.at(-1))?.(peer, count);
}

/** Resets the connection. */
export const resets: Action = async (peer) => peer.reset();

/** Ends the connection gracefully. */
export const ends: Action = async (peer) => peer.end();

/** Neither reads nor responds. */
export const stalls: Action = async () => {};

/** Reads everything but never responds. */
export const staysSilent: Action = (peer) => peer.readToEnd();

/** Sends these bytes, which don't have to be valid HTTP. */
export function sends(bytes: string | Uint8Array, then: Action = staysSilent): Action {
  return async (peer) => {
    await peer.sendAll(bytes);
    await then(peer);
  };
}

/** Sends only the first `count` bytes. */
export function sendsUpToByte(count: number, bytes: Uint8Array, then: Action = ends): Action {
  return sends(bytes.subarray(0, count), then);
}

/** Sends a head and a body that ends only when the client closes the connection. */
export function sendsWithoutEnd(head: string): Action {
  return async (peer) => {
    await peer.sendAll(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    while (await peer.sendAll(`8000\r\n${' '.repeat(0x8000)}\r\n`));
  };
}

/** Sends `beginning`, and then `piece` every few milliseconds until the client closes the connection. */
export function trickles(beginning: string, piece: string): Action {
  return async (peer) => {
    for (let bytes = beginning; await peer.sendAll(bytes); bytes = piece) await delay(5);
  };
}
