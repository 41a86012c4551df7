import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import os from 'node:os';

/** A window of the editor, as the others can tell whether it is still there. */
export interface EditorWindow {
  readonly id: string;
  /** Where its process id means something. */
  readonly machine: string;
  readonly pid: number;
}

/** A window as it stands in the store: it counts its beats up for as long as it has something to send. */
export interface LeaseHolder extends EditorWindow {
  readonly beat: number;
}

/** How long a window may go without a beat, in milliseconds of whoever watches it. */
export const LEASE_MS = 15_000;
/** A process that is still there may be busy; its id may also have come to another process since. */
const LIVE_PROCESS_LEASE_MS = 2 * LEASE_MS;
/** More than this between two looks was slept by whoever looks, and the others may have slept too. */
const LONGEST_LOOK_MS = LEASE_MS / 3;

/** This process, under an id of its own. */
export function thisWindow(): EditorWindow {
  return { id: randomUUID(), machine: `${os.hostname()} ${processNamespace()}`, pid: process.pid };
}

/**
 * Tells which windows are gone: their process has ended, or they have missed their beats for a lease during which this
 * process was awake. No wall clock is asked, as it can be set, and differs from machine to machine.
 */
export class LeaseWatch {
  readonly #here: EditorWindow;
  readonly #monotonicMs: () => number;
  #watched = new Map<string, { readonly beat: number; readonly silentMs: number }>();
  #lookedMs: number | undefined;

  constructor(here: EditorWindow, monotonicMs: () => number) {
    this.#here = here;
    this.#monotonicMs = monotonicMs;
  }

  /** Looks at the other windows as they stand in the store now; gives the ids of those that are gone. */
  look(windows: readonly LeaseHolder[]): string[] {
    const nowMs = this.#monotonicMs();
    const awakeMs = Math.min(nowMs - (this.#lookedMs ?? nowMs), LONGEST_LOOK_MS);
    this.#lookedMs = nowMs;
    const before = this.#watched;
    this.#watched = new Map();
    const others = windows.filter(({ id }) => id !== this.#here.id);
    return others.filter((other) => this.#isGone(other, before.get(other.id), awakeMs)).map(({ id }) => id);
  }

  #isGone(
    { id, machine, pid, beat }: LeaseHolder,
    before: { readonly beat: number; readonly silentMs: number } | undefined,
    awakeMs: number,
  ): boolean {
    const silentMs = before?.beat === beat ? before.silentMs + awakeMs : 0;
    this.#watched.set(id, { beat, silentMs });
    if (machine !== this.#here.machine) return silentMs >= LEASE_MS;
    return !hasProcess(pid) || silentMs >= LIVE_PROCESS_LEASE_MS;
  }
}

/** Containers may share the name of their host and a folder, but not their processes. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Tells whether there is a process of this id on this machine. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
