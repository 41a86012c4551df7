import type { ReceivedPart } from '../http/readForm';
import { type Reply, replyWith, type WrittenResponse, writeResponse } from '../http/reply';
import type { RequestBody } from '../http/requestBody';
import { refuse, type SandboxResponse } from '../http/response';

/** What goes wrong with a request: on its way, at the service, or on the way of its response. */
export type Fault =
  | { readonly kind: 'none' }
  /** The connection is reset once this share of the body is read; of a body of unknown length nothing is read. */
  | { readonly kind: 'reset'; readonly afterShare: number }
  /** The request is read to its end and not carried out. */
  | { readonly kind: 'turnedAway'; readonly response: WrittenResponse }
  /** The request is carried out; its response does not arrive, or only half of it, or a few bytes at a time. */
  | { readonly kind: 'responseLost' | 'responseCutShort' | 'responseSlow' };

/** A request that was read to its end; calling `response` is what carries it out. */
export interface ReadRequest {
  readonly parts: readonly ReceivedPart[];
  readonly response: () => SandboxResponse;
}

/** What the sandbox made of a request. */
export interface Handled {
  readonly reply: Reply;
  readonly parts: readonly ReceivedPart[];
}

/** A request that is turned away with an envelope. */
export function turnAway(...why: Parameters<typeof refuse>): Fault {
  return { kind: 'turnedAway', response: writeResponse(refuse(...why)) };
}

/** Carries out a request as far as its fault lets it. Throws when the client goes away. */
export async function carryOut(
  fault: Fault,
  body: RequestBody,
  readRequest: () => Promise<ReadRequest>,
): Promise<Handled> {
  if (fault.kind === 'reset') {
    const { announcedBytes } = body;
    await body.readFirst(Math.floor((announcedBytes ?? 0) * fault.afterShare));
    return { reply: { kind: 'reset', readBytes: body.bytes, wholeBytes: announcedBytes }, parts: [] };
  }
  const { parts, response } = await readRequest();
  return { reply: replyDespite(fault, response), parts };
}

function replyDespite(fault: Exclude<Fault, { kind: 'reset' }>, response: () => SandboxResponse): Reply {
  switch (fault.kind) {
    case 'none':
      return replyWith(response());
    case 'turnedAway':
      return { kind: 'sent', ...fault.response };
    case 'responseLost':
      return { kind: 'lost', ...writeResponse(response()) };
    case 'responseCutShort':
      return cutShort(writeResponse(response()));
    case 'responseSlow':
      return { kind: 'sentSlowly', ...writeResponse(response()) };
  }
}

function cutShort(response: WrittenResponse): Reply {
  const wholeBytes = Buffer.byteLength(response.body);
  return { kind: 'cutShort', ...response, body: response.body.slice(0, response.body.length / 2), wholeBytes };
}
