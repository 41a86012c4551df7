import { setTimeout as delay } from 'node:timers/promises';
import type { Peer, Script } from '../service/rawServer';

/** What a service does to a connection once it has read as much of the request as it wants. */
export type Deed = (peer: Peer) => Promise<unknown>;

/** Reads the head and this many bytes of the body, then does it. */
export function atBodyByte(bodyBytes: number, deed: Deed): Script {
  return async (peer) => {
    if (await peer.readRequest(bodyBytes)) await deed(peer);
  };
}

/** Reads the whole request, then does it. */
export function afterRequest(deed: Deed): Script {
  return atBodyByte(Number.POSITIVE_INFINITY, deed);
}

/** Reads the request in sips, so that whoever sends it has to wait, then does it. */
export function afterSlowReading(deed: Deed, pauseMs = 1): Script {
  return async (peer) => {
    if (!(await peer.readRequest(0))) return;
    for (let read = -1; peer.bodyBytes > read; ) {
      read = peer.bodyBytes;
      await delay(pauseMs);
      if (!(await peer.readRequest(read + 1))) return;
    }
    await deed(peer);
  };
}

/** To the first connection the first script, and so on; to all further ones the last. */
export function inTurn(...scripts: readonly [Script, ...Script[]]): Script {
  return (peer, count) => (scripts[count - 1] ?? scripts.at(-1) ?? scripts[0])(peer, count);
}

/** Breaks the connection off. */
export const resets: Deed = async (peer) => peer.reset();

/** Ends the connection in good order. */
export const ends: Deed = async (peer) => peer.end();

/** Reads no more and says nothing. */
export const stalls: Deed = async () => {};

/** Takes all that still comes and says nothing. */
export const staysSilent: Deed = (peer) => peer.readToEnd();

/** Sends these bytes, early or late, whole or cut off: whatever they are. */
export function says(bytes: string | Uint8Array, then: Deed = staysSilent): Deed {
  return async (peer) => {
    await peer.sendAll(bytes);
    await then(peer);
  };
}

/** Sends so many bytes of these, then breaks off. */
export function saysUpToByte(count: number, bytes: Uint8Array, then: Deed = ends): Deed {
  return says(bytes.subarray(0, count), then);
}

/** Sends this head, then a body that never ends, for as long as the client takes it. */
export function saysWithoutEnd(head: string): Deed {
  return async (peer) => {
    await peer.sendAll(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n`);
    while (await peer.sendAll(`8000\r\n${' '.repeat(0x8000)}\r\n`));
  };
}

/** Sends this, then a drop again and again, a little apart, for as long as the client takes it. */
export function drips(beginning: string, drop: string): Deed {
  return async (peer) => {
    for (let bytes = beginning; await peer.sendAll(bytes); bytes = drop) await delay(5);
  };
}
