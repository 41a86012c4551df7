import type { ConnectError } from '../../service/errors';
import type { Outcome } from '../../service/response/outcome';
import { backoffMs } from './backoff';
import type { Clock } from './clock';
import { wait } from './wait';

const MAX_TRIES = 3;

/**
 * Retries with exponential backoff while `isPassing` is true for the outcome; at most three tries. If `signal` aborts during
 * a pause, the next try is made right away: `attempt` observes the signal itself, so its outcome shows the cancellation.
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

const passingReasons: ReadonlySet<ConnectError['reason']> = new Set([
  'dns',
  'refused',
  'timedOut',
  'unreachable',
  'reset',
]);

/** Whether a temporary problem prevented a connection. Nothing was sent, so any request may be retried. */
export function couldNotConnect(outcome: Outcome<unknown>): boolean {
  return (
    outcome.kind === 'notUploaded' && outcome.cause.name === 'ConnectError' && passingReasons.has(outcome.cause.reason)
  );
}

/**
 * Whether a check got no usable response because of a temporary problem, so that it may be retried. False if the response
 * has a Retry-After, because the caller then pauses the destination.
 */
export function gotNoResponse(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'accepted' || outcome.kind === 'rejected') return false;
  if (outcome.kind === 'unconfirmed' && outcome.retryAfterMs !== undefined) return false;
  switch (outcome.cause.name) {
    case 'ConnectError':
      return couldNotConnect(outcome);
    case 'ConnectionLostError':
      return true;
    case 'BadResponseError':
      return outcome.cause.reason !== 'tooLarge' && outcome.cause.reason !== 'redirect';
    case 'SourceError':
    case 'CanceledError':
    case 'UnexpectedError':
      return false;
  }
}
