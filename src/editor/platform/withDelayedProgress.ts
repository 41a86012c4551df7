import { ProgressLocation } from 'vscode';
import { type Clock, systemClock } from '../../tasks/timing/clock';
import { window } from './window';

/** After this time, the progress is shown. */
const DELAY_MS = 1000;

/**
 * Runs `work`, with a cancellable progress notification if it is slow, which shows the message that the work reported last.
 * Resolves to undefined if the user cancels.
 */
export async function withDelayedProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T | undefined> {
  const stop = new AbortController();
  let message: string | undefined;
  let show = (now: string) => {
    message = now;
  };
  const working = work(stop.signal, (now) => show(now)).catch((error: unknown) => {
    if (stop.signal.aborted) return undefined;
    throw error;
  });
  const { promise: delay, resolve } = Promise.withResolvers<'slow'>();
  const clearTimer = clock.after(DELAY_MS, () => resolve('slow'));
  const first = await Promise.race([working, delay]).finally(clearTimer);
  if (first !== 'slow') return working;
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(options, (progress, token) => {
    show = (now) => progress.report({ message: now });
    if (message !== undefined) show(message);
    // Does not wait for the work: it may be blocked by a disk, or continue for another caller.
    const stopped = new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
    token.onCancellationRequested(() => stop.abort());
    return Promise.race([stopped, working]);
  });
}
