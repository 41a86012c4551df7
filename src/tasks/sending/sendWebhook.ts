import type { ImportService } from '../../service/importService';
import type { Target } from '../../service/request/requests';
import type { Outcome } from '../../service/response/outcome';
import type { Clock } from '../timing/clock';
import { couldNotConnect, retried } from '../timing/retrying';
import { wait } from '../timing/wait';

/**
 * Registers the URL that the service calls. Retried only where no request was sent, as it is a change at the service.
 * Waits `waitMs` first, which the service may have asked for.
 */
export async function sendWebhook(
  service: ImportService,
  target: Target,
  url: URL,
  signal: AbortSignal,
  clock: Clock,
  waitMs = 0,
): Promise<Outcome<undefined>> {
  if (waitMs > 0) await wait(clock, waitMs, signal);
  return retried(() => service.setWebhook(target, url, { signal }), couldNotConnect, signal, clock);
}
