/** Time and chance, which come in from outside so that tests own them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
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
  random: Math.random,
  after: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
