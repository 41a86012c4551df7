import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A file that says one thing by being there. */
export class Marker {
  readonly #path: string;

  constructor(filePath: string) {
    this.#path = filePath;
  }

  get isSet(): boolean {
    return existsSync(this.#path);
  }

  set(): void {
    if (this.isSet) return;
    mkdirSync(path.dirname(this.#path), { recursive: true });
    writeFileSync(this.#path, '');
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
