import type { Clock } from './clock';

/** Resolves after `ms`, or as soon as `signal` aborts. Leaves no timer or listener behind. */
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

/** Runs `turn` now, and again after each pause. Returns a function that stops the polling. `turn` must not throw. */
export function poll(clock: Clock, pauseMs: number, turn: () => Promise<void>): () => void {
  const stop = new AbortController();
  const run = async () => {
    while (!stop.signal.aborted) {
      await turn();
      await wait(clock, pauseMs, stop.signal);
    }
  };
  void run();
  return () => stop.abort();
}
