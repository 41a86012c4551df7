import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import os from 'node:os';

/** Identifies a window, so that other windows can find out whether it is still open. */
export interface EditorWindow {
  readonly id: string;
  /** Identifies the machine and the process namespace that `pid` belongs to. */
  readonly machine: string;
  readonly pid: number;
}

/** A window that is listed in the store. Each renewal of its leases increments `beat`. */
export interface ListedWindow extends EditorWindow {
  readonly beat: number;
}

/** How long a lease lasts without a renewal, as measured by the window that watches it. */
export const LEASE_MS = 15_000;
/**
 * How long a lease lasts if the window's process still exists. This is longer, because the window may just be busy, but
 * still limited, because process IDs are reused.
 */
const LIVE_PROCESS_LEASE_MS = 2 * LEASE_MS;
/** A longer gap between checks means that the machine was asleep, so its other windows were asleep, too. */
const MAX_CHECK_GAP_MS = LEASE_MS / 3;

export function thisWindow(): EditorWindow {
  return { id: randomUUID(), machine: `${os.hostname()} ${processNamespace()}`, pid: process.pid };
}

/**
 * Finds out which windows have closed. A window has closed if its process has ended, or if its lease expired while this
 * process was awake. Doesn't use the wall clock, because it can be changed and differs between machines.
 */
export class WindowWatch {
  #watched = new Map<string, { readonly beat: number; readonly silentMs: number }>();
  #checkedMs: number | undefined;

  constructor(
    private readonly here: EditorWindow,
    private readonly monotonicMs: () => number,
  ) {}

  /** Compares the windows in the store with those from the previous check. Returns the IDs of closed windows. */
  closedAmong(windows: readonly ListedWindow[]): string[] {
    const nowMs = this.monotonicMs();
    const awakeMs = Math.min(nowMs - (this.#checkedMs ?? nowMs), MAX_CHECK_GAP_MS);
    this.#checkedMs = nowMs;
    const before = this.#watched;
    this.#watched = new Map();
    const others = windows.filter(({ id }) => id !== this.here.id);
    const closed = others.filter(({ id, machine, pid, beat }) => {
      const known = before.get(id);
      const silentMs = known?.beat === beat ? known.silentMs + awakeMs : 0;
      this.#watched.set(id, { beat, silentMs });
      if (machine !== this.here.machine) return silentMs >= LEASE_MS;
      return !hasProcess(pid) || silentMs >= LIVE_PROCESS_LEASE_MS;
    });
    return closed.map(({ id }) => id);
  }
}

/** Identifies the process namespace, because containers may share a host name and the database but not process IDs. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Whether a process with this ID is running on this machine. */
function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
