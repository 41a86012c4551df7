/** Time and randomness, injected so that tests control them. */
export interface Clock {
  /** Milliseconds since 1970, for display and the store. The clock may be set back or forward. */
  now(): number;
  /** Milliseconds that only go forward, the same in all threads. Used for all durations and deadlines. */
  monotonicMs(): number;
  /** From 0 up to 1, exclusive. */
  random(): number;
  /** Calls back after a time. Returns a function that cancels that. */
  after(ms: number, call: () => void): () => void;
}

/** Node's timers can't be longer: 24 days. */
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
