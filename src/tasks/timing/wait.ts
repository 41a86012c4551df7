import type { Clock } from './clock';

/** Resolves after `ms`, or as soon as `signal` aborts. Leaves neither a timer nor a listener behind. */
export async function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const cancel = clock.after(ms, end);
  signal.addEventListener('abort', end);
  await over;
  signal.removeEventListener('abort', end);
  cancel();
}
