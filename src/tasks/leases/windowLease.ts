import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import os from 'node:os';

/** A window of the editor, identified so that others can tell whether it still runs. */
export interface EditorWindow {
  readonly id: string;
  /** The machine and process namespace in which `pid` is valid. */
  readonly machine: string;
  readonly pid: number;
}

/** A window that serves, imports or shows something, as it is in the store; renewing its lease counts `beat` up. */
export interface ListedWindow extends EditorWindow {
  readonly beat: number;
}

/** How long a lease lasts without renewal, by the clock of the window that watches it. */
export const LEASE_MS = 15_000;
/** A process that still runs may only be busy, or its id may have been given to another process since. */
const LIVE_PROCESS_LEASE_MS = 2 * LEASE_MS;
/** A longer time between two checks means that the machine slept, and the other windows with it. */
const MAX_CHECK_GAP_MS = LEASE_MS / 3;

/** This process, under an id of its own. */
export function thisWindow(): EditorWindow {
  return { id: randomUUID(), machine: `${os.hostname()} ${processNamespace()}`, pid: process.pid };
}

/**
 * Tells which windows are gone: their process has ended, or their lease was not renewed while this process was awake for
 * as long as it lasts. Never by the wall clock, which can be set and differs between machines.
 */
export class LeaseWatch {
  readonly #here: EditorWindow;
  readonly #monotonicMs: () => number;
  #watched = new Map<string, { readonly beat: number; readonly silentMs: number }>();
  #checkedMs: number | undefined;

  constructor(here: EditorWindow, monotonicMs: () => number) {
    this.#here = here;
    this.#monotonicMs = monotonicMs;
  }

  /** Compares the leases in the store with those of the last check; returns the ids of the windows that are gone. */
  goneAmong(windows: readonly ListedWindow[]): string[] {
    const nowMs = this.#monotonicMs();
    const awakeMs = Math.min(nowMs - (this.#checkedMs ?? nowMs), MAX_CHECK_GAP_MS);
    this.#checkedMs = nowMs;
    const before = this.#watched;
    this.#watched = new Map();
    const others = windows.filter(({ id }) => id !== this.#here.id);
    return others.filter((other) => this.#isGone(other, before.get(other.id), awakeMs)).map(({ id }) => id);
  }

  #isGone(
    { id, machine, pid, beat }: ListedWindow,
    before: { readonly beat: number; readonly silentMs: number } | undefined,
    awakeMs: number,
  ): boolean {
    const silentMs = before?.beat === beat ? before.silentMs + awakeMs : 0;
    this.#watched.set(id, { beat, silentMs });
    if (machine !== this.#here.machine) return silentMs >= LEASE_MS;
    return !hasProcess(pid) || silentMs >= LIVE_PROCESS_LEASE_MS;
  }
}

/** Containers may share a host name and a folder, but not their process ids. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Whether a process of this id runs on this machine. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
