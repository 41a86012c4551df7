import { type Clock, systemClock } from '../../tasks/timing/clock';
import { window } from './window';

/** How long to wait before showing progress. */
const DELAY_MS = 1000;

/**
 * Runs `work`. If it is slow, shows a progress notification with a Cancel button and the messages that `work` then
 * reports. Returns undefined if the user cancels.
 */
export async function withDelayedProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T | undefined> {
  const stop = new AbortController();
  let show = (_message: string) => {};
  const working = work(stop.signal, (message) => show(message)).catch((error: unknown) => {
    if (stop.signal.aborted) return undefined;
    throw error;
  });
  const { promise: delay, resolve } = Promise.withResolvers<'slow'>();
  const clearTimer = clock.after(DELAY_MS, () => resolve('slow'));
  const first = await Promise.race([working, delay]).finally(clearTimer);
  if (first !== 'slow') return working;
  return window.withProgress(title, (signal, report) => {
    show = report;
    // Don't wait for the work to end: a slow disk may block it, or another caller may still need it.
    const stopped = new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    signal.addEventListener('abort', () => stop.abort());
    return Promise.race([stopped, working]);
  });
}
