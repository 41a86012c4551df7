import { type BadResponseError, type ServiceError, UnexpectedError } from '../errors';
import { isJsonObject, type Json, type JsonObject, parseJson, stringifyJson } from '../json/json';

/** A complete response from the service, with all access keys masked. */
export interface ServiceResponse {
  readonly envelope: JsonObject;
  /** How the response deviates from the documented envelope, even though its meaning is clear. For the log. */
  readonly deviations: readonly string[];
}

/** How the service rejected a request. */
export type Rejection =
  | { readonly by: 'envelope'; readonly status: number; readonly code: string; readonly message: string | null }
  | { readonly by: 'status'; readonly status: number; readonly excerpt: string }
  | { readonly by: 'redirect'; readonly status: number; readonly target: string };

/** The service rejected the request. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly rejection: Rejection;
  /** Absent if the response has no envelope. */
  readonly response?: ServiceResponse;
  /** Whether the service rejects the access key: HTTP 401, or a code that the contract declares. */
  readonly badKey: boolean;
  /** Whether the service asks us to try again later: HTTP 408, 425 or 429, or a code that the contract declares. */
  readonly tryLater: boolean;
  /** How long the response asks us to wait. Absent if it doesn't ask, or if the rejection concerns only this request. */
  readonly retryAfterMs?: number;
}

/** The result of reading a response. */
export type Reading =
  | { readonly kind: 'accepted'; readonly response: ServiceResponse }
  | Rejected
  | { readonly kind: 'unconfirmed'; readonly cause: BadResponseError };

/** How an operation ended. */
export type Outcome<Value> =
  | { readonly kind: 'accepted'; readonly response: ServiceResponse; readonly value: Value }
  | Rejected
  | { readonly kind: 'notUploaded'; readonly cause: ServiceError }
  | {
      readonly kind: 'unconfirmed';
      readonly cause: ServiceError;
      /** How long the response asks us to wait. Absent if it doesn't ask, or if there is no response. */
      readonly retryAfterMs?: number;
    };

/** The outcome after an unexpected error. The whole request may have been sent. */
export function unexpected(cause: unknown): Outcome<never> {
  return { kind: 'unconfirmed', cause: new UnexpectedError({ cause }) };
}

/**
 * Whether this is a 403 whose code the contract doesn't declare. Either the access key is invalid, or a gateway blocks
 * this one file.
 */
export function isForbidden({ rejection, badKey, tryLater }: Rejected): boolean {
  return rejection.status === 403 && !badKey && !tryLater;
}

/** Whether a new access key may help. */
export function mayBeBadKey(outcome: Rejected): boolean {
  return outcome.badKey || isForbidden(outcome);
}

/** Max size of a stored response. The store keeps two responses for each task. */
const MAX_STORED_BYTES = 64 * 1024;

/**
 * Returns the envelope as JSON text for the store, or undefined if there is none. Text that is too long is truncated, so it can
 * be shown but not parsed.
 */
export function storedResponse(outcome: Outcome<unknown>): string | undefined {
  const response = 'response' in outcome ? outcome.response : undefined;
  if (response === undefined) return undefined;
  const text = stringifyJson(response.envelope);
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_STORED_BYTES) return text;
  // The text may have been cut in the middle of a character.
  return `${bytes.toString('utf8', 0, MAX_STORED_BYTES - 6).replace(/\uFFFD$/, '')}…`;
}

/** Parses the `data` of a stored response. Returns undefined if only part of the response is stored. */
export function responseData(text: string): Json | undefined {
  try {
    const envelope = parseJson(text);
    return isJsonObject(envelope) ? (envelope['data'] ?? null) : undefined;
  } catch {
    return undefined;
  }
}
