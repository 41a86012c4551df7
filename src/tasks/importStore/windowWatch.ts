import type { StoreWindow } from './model';

/** How long a lease lasts without renewal, by the clock of the window that watches. */
export const LEASE_MS = 15_000;
/** A running process may only be busy, or its id may belong to another process by now. */
const LIVE_PROCESS_LEASE_MS = 2 * LEASE_MS;
/** A longer time between two looks means that the machine slept, and the other windows with it. */
const MAX_LOOK_GAP_MS = LEASE_MS / 3;

/** A row of `windows`. `beat` changes with each renewal, `schema` is the newest version of the tables it knows. */
export interface WindowRow extends StoreWindow {
  readonly beat: number;
  readonly schema: number;
}

/**
 * Recognizes closed windows: the process has ended, or hasn't renewed its lease while this process was awake. The wall
 * clock says nothing: it can be set, and differs between machines.
 */
export class WindowWatch {
  readonly #here: StoreWindow;
  readonly #monotonicMs: () => number;
  #seen = new Map<string, { readonly beat: number; readonly silentMs: number }>();
  #lookedMs: number | undefined;

  constructor(here: StoreWindow, monotonicMs: () => number) {
    this.#here = here;
    this.#monotonicMs = monotonicMs;
  }

  /** The ids of the closed windows, judged by what earlier looks saw. */
  closed(windows: readonly WindowRow[]): Set<string> {
    const nowMs = this.#monotonicMs();
    const awakeMs = Math.min(nowMs - (this.#lookedMs ?? nowMs), MAX_LOOK_GAP_MS);
    this.#lookedMs = nowMs;
    const before = this.#seen;
    this.#seen = new Map();
    const others = windows.filter(({ id }) => id !== this.#here.id);
    return new Set(others.filter((other) => this.#isClosed(other, before, awakeMs)).map(({ id }) => id));
  }

  #isClosed(
    { id, machine, pid, beat }: WindowRow,
    before: ReadonlyMap<string, { readonly beat: number; readonly silentMs: number }>,
    awakeMs: number,
  ): boolean {
    const seen = before.get(id);
    const silentMs = seen?.beat === beat ? seen.silentMs + awakeMs : 0;
    this.#seen.set(id, { beat, silentMs });
    if (machine !== this.#here.machine) return silentMs >= LEASE_MS;
    return !isRunning(pid) || silentMs >= LIVE_PROCESS_LEASE_MS;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
