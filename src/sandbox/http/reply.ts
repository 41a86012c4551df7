import type { Answer } from './answer';
import { stringifyJson } from './exactJson';

/** An answer as it goes over the wire, without its Content-Length. */
export interface WrittenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the client gets for its request. */
export type Reply =
  | ({ readonly kind: 'sent' | 'sentSlowly' } & WrittenAnswer)
  /** A whole HTTP answer whose body ends too early. */
  | ({ readonly kind: 'cutShort'; readonly wholeBytes: number } & WrittenAnswer)
  /** The request was carried out, and its connection reset instead of this answer. */
  | ({ readonly kind: 'lost' } & WrittenAnswer)
  /** The connection was reset while the request was read. */
  | { readonly kind: 'reset'; readonly readBytes: number; readonly wholeBytes: number | undefined }
  /** Nothing, as the client went away before its request was complete. */
  | { readonly kind: 'clientWentAway' };

/** Writes out an envelope. */
export function writeAnswer({ status, headers, envelope }: Answer): WrittenAnswer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: stringifyJson(envelope) };
}

/** The reply that is an answer, whole and at once. */
export function replyWith(answer: Answer): Reply {
  return { kind: 'sent', ...writeAnswer(answer) };
}
