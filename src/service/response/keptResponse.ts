import { parseJson, stringifyJson } from '../json/json';
import type { Outcome } from './outcome';

/** Max bytes stored of a response; the store has two of each task. */
const MAX_KEPT_BYTES = 64 * 1024;

/**
 * The service's response as JSON text, as it is stored with a task; undefined if no envelope came. A longer text is cut: it
 * is still shown to people, but isn't read again.
 */
export function keptResponse(outcome: Outcome<unknown>): string | undefined {
  const envelope =
    outcome.kind === 'accepted'
      ? outcome.response.envelope
      : outcome.kind === 'rejected' && outcome.rejection.by === 'envelope'
        ? outcome.rejection.response.envelope
        : undefined;
  if (envelope === undefined) return undefined;
  const text = stringifyJson(envelope);
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_KEPT_BYTES) return text;
  // The last character may be cut in two.
  return `${bytes.toString('utf8', 0, MAX_KEPT_BYTES - 6).replace(/\uFFFD$/, '')}…`;
}

/** A stored response for people: indented, or as it is if it was cut. */
export function shownResponse(text: string): string {
  try {
    return stringifyJson(parseJson(text), 2);
  } catch {
    return text;
  }
}
