import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Short texts shared by all windows of this machine, for what VS Code does not tell one window about another. Each is a
 * file; none may hold an access key.
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

  /** Sets the text under a name. */
  write(name: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true });
    const file = this.#pathOf(name);
    // Renamed into place, so that another window never reads half of it.
    writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }

  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true });
  }

  /** Whether any of them has changed since this was last called. */
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
