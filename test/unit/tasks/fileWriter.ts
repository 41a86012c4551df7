import { appendFile } from 'node:fs/promises';

/** Appends to a file again and again, until it is disposed of. */
export class FileWriter {
  #isOver = false;
  readonly #writing: Promise<void>;

  constructor(path: string) {
    this.#writing = this.#write(path);
  }

  async #write(path: string): Promise<void> {
    while (!this.#isOver) await appendFile(path, 'more\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#writing;
  }
}
