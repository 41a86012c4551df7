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
