/** Time and randomness, injected so that tests can control them. */
export interface Clock {
  /** Milliseconds since 1970, for display and the store. May jump if the system clock is changed. */
  now(): number;
  /**
   * Milliseconds on a clock that never goes backward and is the same in all threads. Use this for all durations and
   * deadlines.
   */
  monotonicMs(): number;
  /** A number from 0 up to, but not including, 1. */
  random(): number;
  /** Schedules a call. Returns a function that cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** The longest delay that Node's timers support: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  random: Math.random,
  after: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

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

/** Runs `turn` now, and again after each pause. Returns a function that stops polling. `turn` must not throw. */
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
