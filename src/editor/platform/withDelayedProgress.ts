import { ProgressLocation } from 'vscode';
import { type Clock, systemClock } from '../../tasks/timing/clock';
import { window } from './window';

/** After which a person wonders whether anything is going on. */
const PATIENCE_MS = 1000;

/** Shows, where something takes long, that it is going on, and lets the user stop it; undefined then. */
export async function withDelayedProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T | undefined> {
  const stop = new AbortController();
  const working = work(stop.signal).catch((error: unknown) => {
    if (stop.signal.aborted) return undefined;
    throw error;
  });
  const { promise: grownLong, resolve } = Promise.withResolvers<'long'>();
  const forget = clock.after(PATIENCE_MS, () => resolve('long'));
  const first = await Promise.race([working, grownLong]).finally(forget);
  if (first !== 'long') return working;
  const options = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(options, (_progress, token) => {
    // A disk may keep the work from hearing of it; what others have asked for too goes on all the same.
    const stopped = new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
    token.onCancellationRequested(() => stop.abort());
    return Promise.race([stopped, working]);
  });
}
