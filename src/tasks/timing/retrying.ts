import type { ConnectError } from '../../service/errors';
import type { Outcome } from '../../service/response/outcome';
import { type Clock, wait } from './clock';

const BASE_MS = 1000;
const MAX_MS = 60_000;
/** A longer Retry-After must be a mistake. */
const MAX_RETRY_AFTER_MS = 60 * 60_000;

/**
 * Exponential backoff with jitter, in milliseconds: 50% to 100% of a step that doubles with each consecutive failure,
 * up to a minute. `failures` counts from 1.
 */
export function backoffMs(failures: number, random: () => number): number {
  return Math.round(Math.min(MAX_MS, BASE_MS * 2 ** (failures - 1)) * (0.5 + random() / 2));
}

/**
 * Returns the number of milliseconds until the next try: the service's Retry-After, but at least our own backoff, and
 * at most an hour.
 */
export function retryDelayMs(retryAfterMs: number | undefined, backoffMs: number): number {
  return Math.min(Math.max(retryAfterMs ?? 0, backoffMs), MAX_RETRY_AFTER_MS);
}

const MAX_TRIES = 3;

/**
 * Retries with exponential backoff while `isPassing` is true for the outcome, up to three tries in total. If `signal`
 * aborts during a pause, the next try is made right away. `attempt` observes the signal itself, so its outcome reflects
 * the cancellation.
 */
export async function retried<Value>(
  attempt: () => Promise<Outcome<Value>>,
  isPassing: (outcome: Outcome<Value>) => boolean,
  signal: AbortSignal,
  clock: Clock,
): Promise<Outcome<Value>> {
  let outcome = await attempt();
  for (let tries = 1; tries < MAX_TRIES && isPassing(outcome); tries++) {
    await wait(clock, backoffMs(tries, clock.random), signal);
    outcome = await attempt();
  }
  return outcome;
}

const PASSING: readonly ConnectError['reason'][] = ['dns', 'refused', 'timedOut', 'unreachable', 'reset'];

/** Whether a temporary problem prevented a connection. If so, nothing was sent, and any request may be retried. */
export function couldNotConnect(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'notUploaded') return false;
  return outcome.cause.name === 'ConnectError' && PASSING.includes(outcome.cause.reason);
}

/**
 * Whether a check may be retried because a temporary problem kept it from getting a usable response. False if the
 * response has a Retry-After header, because the caller pauses the destination in that case.
 */
export function gotNoResponse(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'accepted' || outcome.kind === 'rejected') return false;
  if (outcome.kind === 'unconfirmed' && outcome.retryAfterMs !== undefined) return false;
  const { cause } = outcome;
  if (cause.name === 'BadResponseError') return cause.reason !== 'tooLarge' && cause.reason !== 'redirect';
  return cause.name === 'ConnectionLostError' || couldNotConnect(outcome);
}
