import type { ConnectError } from '../../service/errors';
import type { Outcome } from '../../service/response/outcome';
import { backoffMs } from './backoff';
import type { Clock } from './clock';
import { wait } from './wait';

const MAX_TRIES = 3;

/**
 * Retries while `isPassing` is true for the outcome: at most three tries, with exponential backoff. If `signal` aborts in a
 * pause, the next try is made at once: `attempt` observes the signal itself, and its outcome shows it.
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

/** Whether no connection was made, for a cause that may pass: nothing was sent, so any request may be retried. */
export function couldNotConnect(outcome: Outcome<unknown>): boolean {
  return (
    outcome.kind === 'notUploaded' && outcome.cause.name === 'ConnectError' && passingReasons.has(outcome.cause.reason)
  );
}

/**
 * Whether a check got no usable response, for a cause that may pass, so that it may be retried. False if a Retry-After came:
 * the caller pauses the destination.
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
