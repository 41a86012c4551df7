/** Time and chance, which come in from outside so that tests own them. */
export interface Clock {
  /** Milliseconds since 1970, for people and the store. The user or the network may set it back or forward. */
  now(): number;
  /** Milliseconds of this process that only go forward: every duration and deadline is measured by it. */
  monotonicMs(): number;
  /** From 0 up to, and not, 1. */
  random(): number;
  /** Calls back after a time, unless what it gives is called before. */
  after(ms: number, call: () => void): () => void;
}

/** What a timer can hold: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's own. */
export const systemClock: Clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  random: Math.random,
  after: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
