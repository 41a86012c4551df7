const SHORTEST_MS = 500;
const LONGEST_MS = 20_000;
const GROWTH = 4;

/**
 * How long to wait before try number `attempt` + 1, in milliseconds: `attempt` is 1 after the first try that failed.
 * Between half and the whole of a step that grows from one failure to the next, so that those who failed together do
 * not come back together. `random` gives a number from 0 up to 1.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const step = Math.min(LONGEST_MS, 2 * SHORTEST_MS * GROWTH ** (attempt - 1));
  return Math.round(step * (0.5 + random() / 2));
}
