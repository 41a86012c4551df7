import type { ImportService } from '../../service/importService';
import type { Target } from '../../service/request/requests';
import type { Outcome } from '../../service/response/outcome';
import { type Clock, wait } from '../timing/clock';
import { backoffMs, couldNotConnect, retried, retryDelayMs } from '../timing/retrying';

/**
 * Registers a webhook. Retries only if nothing was sent or if the service asks us to try again later. In the latter
 * case, calls `onWait` with the number of milliseconds until the next try.
 */
export async function sendWebhook(
  service: ImportService,
  target: Target,
  url: URL,
  signal: AbortSignal,
  clock: Clock,
  onWait: (ms: number) => void = () => {},
): Promise<Outcome<undefined>> {
  for (let tries = 1; ; tries++) {
    const outcome = await retried(() => service.setWebhook(target, url, { signal }), couldNotConnect, signal, clock);
    if (outcome.kind !== 'rejected' || !outcome.tryLater) return outcome;
    const waitMs = retryDelayMs(outcome.retryAfterMs, backoffMs(tries, clock.random));
    onWait(waitMs);
    await wait(clock, waitMs, signal);
  }
}
