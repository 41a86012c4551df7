import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Short texts that every window on this machine sees as soon as one has written them, where VS Code tells a window
 * nothing of what another one did. Each is a file of its own; no access key may be in one.
 */
export class SharedMarks {
  readonly #folder: string;
  #seen: bigint | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#seen = this.#changedAt();
  }

  /** The text under a name; undefined where there is none. */
  read(name: string): string | undefined {
    try {
      return readFileSync(this.#pathOf(name), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Puts a text under a name in place of what was there. */
  write(name: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true });
    const file = this.#pathOf(name);
    // Whole or not at all, as another window may be reading it.
    writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }

  /** Takes a text away. */
  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true });
  }

  /** Whether any of them has changed since this was last called, so that what is shown can be drawn anew. */
  haveChanged(): boolean {
    const changedAt = this.#changedAt();
    const haveChanged = changedAt !== this.#seen;
    this.#seen = changedAt;
    return haveChanged;
  }

  #changedAt(): bigint | undefined {
    return statSync(this.#folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, createHash('sha256').update(name).digest('hex').slice(0, 32));
  }
}
