import { type Answer, refuse } from '../http/answer';
import type { ReceivedPart } from '../http/readForm';
import { type Reply, replyWith, type WrittenAnswer, writeAnswer } from '../http/reply';
import type { RequestBody } from '../http/requestBody';

/** What goes wrong with a request: on its way, at the service, or on the way of its answer. */
export type Trouble =
  | { readonly kind: 'none' }
  /** The connection is reset once this share of the body is read; of a body of unknown length nothing is read. */
  | { readonly kind: 'reset'; readonly afterShare: number }
  /** The request is read to its end, and nothing is made of it. */
  | { readonly kind: 'turnedAway'; readonly answer: WrittenAnswer }
  /** The request is carried out, and its answer does not arrive, or half of it, or a few bytes at a time. */
  | { readonly kind: 'answerLost' | 'answerCutShort' | 'answerSlow' };

/** A request that was read to its end; calling `answer` is what carries it out. */
export interface ReadRequest {
  readonly parts: readonly ReceivedPart[];
  readonly answer: () => Answer;
}

/** What the sandbox made of a request. */
export interface Handled {
  readonly reply: Reply;
  readonly parts: readonly ReceivedPart[];
}

/** A request that is turned away with an envelope. */
export function turnAway(...why: Parameters<typeof refuse>): Trouble {
  return { kind: 'turnedAway', answer: writeAnswer(refuse(...why)) };
}

/** Carries out a request as far as its trouble lets it. Throws when the client goes away. */
export async function carryOut(
  trouble: Trouble,
  body: RequestBody,
  readRequest: () => Promise<ReadRequest>,
): Promise<Handled> {
  if (trouble.kind === 'reset') {
    const { announcedBytes } = body;
    await body.readFirst(Math.floor((announcedBytes ?? 0) * trouble.afterShare));
    return { reply: { kind: 'reset', readBytes: body.bytes, wholeBytes: announcedBytes }, parts: [] };
  }
  const { parts, answer } = await readRequest();
  return { reply: replyDespite(trouble, answer), parts };
}

function replyDespite(trouble: Exclude<Trouble, { kind: 'reset' }>, answer: () => Answer): Reply {
  switch (trouble.kind) {
    case 'none':
      return replyWith(answer());
    case 'turnedAway':
      return { kind: 'sent', ...trouble.answer };
    case 'answerLost':
      return { kind: 'lost', ...writeAnswer(answer()) };
    case 'answerCutShort':
      return cutShort(writeAnswer(answer()));
    case 'answerSlow':
      return { kind: 'sentSlowly', ...writeAnswer(answer()) };
  }
}

function cutShort(answer: WrittenAnswer): Reply {
  const wholeBytes = Buffer.byteLength(answer.body);
  return { kind: 'cutShort', ...answer, body: answer.body.slice(0, answer.body.length / 2), wholeBytes };
}
