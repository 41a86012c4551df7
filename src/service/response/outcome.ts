import type { ServiceError } from '../errors';
import type { JsonObject } from '../json/json';

/** A whole answer of the service (INTERFACE.md 2.1), the access key masked wherever the service may have echoed it. */
export interface Answer {
  readonly envelope: JsonObject;
  /** Where the answer departs from INTERFACE.md 4.6 and was still clear, in words for the log. */
  readonly deviations: readonly string[];
}

/** The service said no (INTERFACE.md 7: codes and messages of errors are not shown). */
export type Refusal =
  | {
      readonly by: 'envelope';
      readonly status: number;
      readonly code: string;
      readonly message: string | null;
      readonly answer: Answer;
    }
  | { readonly by: 'status'; readonly status: number; readonly excerpt: string }
  | { readonly by: 'redirect'; readonly status: number; readonly target: string };

/** How an operation ended; each ends in exactly one of these (INTERFACE.md 4.6 and 7). */
export type Outcome<Taken> =
  | {
      readonly kind: 'accepted';
      readonly answer: Answer;
      readonly taken: Taken;
      /** There where the answer came before the whole request had left, so that the service cannot have read all of it. */
      readonly isEarly?: true;
    }
  | {
      readonly kind: 'rejected';
      readonly refusal: Refusal;
      /** Whether the key is what the service minds. */
      readonly badKey: boolean;
      /** Whether the service has too much to do at present. */
      readonly tryLater: boolean;
      /** How long the answer asks to wait; absent where it does not ask. */
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'notSent'; readonly cause: ServiceError }
  | {
      readonly kind: 'unconfirmed';
      readonly cause: ServiceError;
      readonly sentBytes: number;
      readonly totalBytes: number;
      /** How long the answer asks to wait; absent where there is none or it does not ask. */
      readonly retryAfterMs?: number;
    };
