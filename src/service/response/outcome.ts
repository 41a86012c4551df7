import type { ServiceError } from '../errors';
import type { JsonObject } from '../json/json';

/** A whole response of the service, the access key masked wherever the service may have echoed it. */
export interface ServiceResponse {
  readonly envelope: JsonObject;
  /** Where the response departs from the documented envelope and was still clear, in words for the log. */
  readonly deviations: readonly string[];
}

/** The service said no. */
export type Rejection =
  | {
      readonly by: 'envelope';
      readonly status: number;
      readonly code: string;
      readonly message: string | null;
      readonly response: ServiceResponse;
    }
  | { readonly by: 'status'; readonly status: number; readonly excerpt: string }
  | { readonly by: 'redirect'; readonly status: number; readonly target: string };

/** How an operation ended; each ends in exactly one of these. */
export type Outcome<Value> =
  | {
      readonly kind: 'accepted';
      readonly response: ServiceResponse;
      readonly value: Value;
      /** Set where the response came before the whole request was sent, so that the service cannot have read all of it. */
      readonly isEarly?: true;
    }
  | {
      readonly kind: 'rejected';
      readonly rejection: Rejection;
      /** Whether the service rejects the access key: HTTP 401, or a declared code. */
      readonly badKey: boolean;
      /** Whether the service asks to try again later: HTTP 408, 425 or 429, or a declared code. */
      readonly tryLater: boolean;
      /** How long the response asks to wait; absent where it does not ask. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'notUploaded'; readonly cause: ServiceError }
  | {
      readonly kind: 'unconfirmed';
      readonly cause: ServiceError;
      readonly sentBytes: number;
      readonly totalBytes: number;
      /** How long the response asks to wait; absent where there is none or it does not ask. */
      readonly retryAfterMs?: number;
    };

type Rejected = Extract<Outcome<unknown>, { readonly kind: 'rejected' }>;

/** Whether this is a 403 without a declared code: either the access key is not valid, or a gateway blocks this one file. */
export function isForbidden({ rejection, badKey, tryLater }: Rejected): boolean {
  return rejection.status === 403 && !badKey && !tryLater;
}

/** Whether a new access key may help. */
export function mayBeBadKey(outcome: Rejected): boolean {
  return outcome.badKey || isForbidden(outcome);
}
