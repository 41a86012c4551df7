import type { ConnectError } from '../../service/errors';
import type { Outcome } from '../../service/response/outcome';
import { backoffMs } from './backoff';
import type { Clock } from './clock';
import { wait } from './wait';

const MAX_TRIES = 3;

/**
 * Tries up to three times for as long as the outcome is `passing`, with a pause before each further try. A pause that
 * is cut short leads to the next try at once: `attempt` heeds `signal` itself, and says that it was canceled.
 */
export async function retried<Taken>(
  attempt: () => Promise<Outcome<Taken>>,
  passing: (outcome: Outcome<Taken>) => boolean,
  signal: AbortSignal,
  clock: Clock,
): Promise<Outcome<Taken>> {
  let outcome = await attempt();
  for (let tries = 1; tries < MAX_TRIES && passing(outcome); tries++) {
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

/** Whether no connection was made, for a cause that may pass: nothing left, so that anything may be sent again. */
export function couldNotConnect(outcome: Outcome<unknown>): boolean {
  return (
    outcome.kind === 'notSent' && outcome.cause.name === 'ConnectError' && passingReasons.has(outcome.cause.reason)
  );
}

/**
 * Whether a question got no response for a cause that may pass, so that it may be asked again. Not where the response
 * says how long to wait: whoever asks has to keep to that.
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
