import type { SandboxResponse } from './response';

/** A response as it goes over the wire, without its Content-Length. */
export interface WrittenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the client gets for its request. */
export type Reply =
  | ({ readonly kind: 'sent' | 'sentSlowly' } & WrittenResponse)
  /** A whole HTTP response whose body ends too early. */
  | ({ readonly kind: 'cutShort'; readonly wholeBytes: number } & WrittenResponse)
  /** The request was carried out, and its connection reset instead of this response. */
  | ({ readonly kind: 'lost' } & WrittenResponse)
  /** The connection was reset while the request was read. */
  | { readonly kind: 'reset'; readonly readBytes: number; readonly wholeBytes: number | undefined }
  /** Nothing, as the client went away before its request was complete. */
  | { readonly kind: 'clientWentAway' };

/** Writes out an envelope. */
export function writeResponse({ status, headers, envelope }: SandboxResponse): WrittenResponse {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(envelope) };
}

/** The reply that is a response, whole and at once. */
export function replyWith(response: SandboxResponse): Reply {
  return { kind: 'sent', ...writeResponse(response) };
}
