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

/** How long a window counts as alive after its last sign of life. */
export const LEASE_MS = 30_000;
/** A process that is still there may have slept; its id may also have come to another process since. */
const PATIENCE_WITH_LIVE_PROCESS_MS = 10 * LEASE_MS;

/** This process, under an id of its own. */
export function thisWindow(): EditorWindow {
  return { id: randomUUID(), machine: `${os.hostname()} ${processNamespace()}`, pid: process.pid };
}

/**
 * Tells whether a window is gone: its process has ended, or where that cannot be seen from here it has given no sign
 * of life for longer than its lease. `aliveUntilMs` is when the lease ends.
 */
export function isGone(other: EditorWindow, aliveUntilMs: number, here: EditorWindow, now: number): boolean {
  if (other.id === here.id) return false;
  if (other.machine !== here.machine) return now >= aliveUntilMs;
  return !hasProcess(other.pid) || now >= aliveUntilMs + PATIENCE_WITH_LIVE_PROCESS_MS;
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
