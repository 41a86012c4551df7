import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileBody } from '../../service/content/fileBody';
import { wholeBody } from '../../service/content/hashing';
import type { SourceBody } from '../../service/content/sourceBody';
import { SourceError } from '../../service/errors';
import { StoreError } from '../database/storeError';
import type { History } from '../history/walk';
import type { Source } from '../trackedTask';
import type { CheckedSource, FileToCheck } from './checkedSource';
import { type FileLook, type FileOperations, fileOperations } from './fileOperations';

/** How long a file is left alone that no import needs: its import may be about to be queued. */
const UNQUEUED_MS = 86_400_000;

/**
 * Opens the sources of imports. A text that has no file is in one of the extension, which only its owner can read, from
 * before it is queued until it is accepted or removed from the list.
 */
export class Sources {
  readonly #folder: string;
  readonly #files: FileOperations;

  /**
   * `folder` is that of our texts, beside the task database; '' for none. `files` reads and checks files, by default in the
   * thread that calls it.
   */
  constructor(folder: string, files: FileOperations = fileOperations) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Checks files before anything is sent; the result for a file that cannot be imported is why. */
  check(files: readonly FileToCheck[]): Promise<(CheckedSource | SourceError)[]> {
    return this.#files.check(files, this.#folder === '' ? undefined : path.dirname(this.#folder));
  }

  /** Looks at the sizes and times of files on disk; undefined for one that is not there, or no file. */
  look(paths: readonly string[]): Promise<(FileLook | undefined)[]> {
    return this.#files.look(paths);
  }

  /** @throws SourceError where it cannot be imported */
  async open({ from, path: filePath, textFile = '', name }: Source): Promise<SourceBody> {
    const file = from === 'disk' ? filePath : this.#pathOf(textFile);
    const whole = await this.#files.read(file, name);
    return whole === undefined ? FileBody.open(file, name) : wholeBody(name, whole);
  }

  /** The hexadecimal SHA-256 of a checked source; undefined where it cannot be read now: its import will say why. */
  async sha256Of(checked: CheckedSource): Promise<string | undefined> {
    if ('bytes' in checked) return createHash('sha256').update(checked.bytes).digest('hex');
    try {
      return await this.#files.sha256(checked.source.path, checked.source.name);
    } catch (error) {
      if (error instanceof SourceError) return undefined;
      throw error;
    }
  }

  /** Writes the texts among these to their files, then queues all; where either fails, deletes them. @throws StoreError */
  async withTexts<T>(checked: readonly CheckedSource[], queue: () => Promise<T>): Promise<T> {
    try {
      for (const one of checked) if ('bytes' in one) await this.write(one.source, one.bytes);
      return await queue();
    } catch (error) {
      await this.delete(checked.map(({ source }) => source));
      throw error;
    }
  }

  /** Writes a text to its file. @throws StoreError */
  async write({ textFile = '' }: Source, bytes: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(this.#pathOf(textFile), bytes, { flag: 'wx', mode: 0o600, flush: true });
    } catch (cause) {
      throw new StoreError(this.#folder, cause);
    }
  }

  /** A text, from the file that it is in; undefined where there is none, or no more. */
  async read({ textFile }: Source): Promise<Uint8Array | undefined> {
    return textFile === undefined ? undefined : readFile(this.#pathOf(textFile)).catch(() => undefined);
  }

  /** Deletes the files of texts. What cannot be deleted is swept later. */
  async delete(sources: readonly (Source | undefined)[]): Promise<void> {
    for (const file of filesOf(sources)) await this.#delete(file);
  }

  /** Deletes the files of those texts that no import in the list needs. @throws StoreError */
  deleteUnneeded(sources: readonly (Source | undefined)[], history: Pick<History, 'textFiles'>): Promise<void> {
    return this.#deleteUnneeded(filesOf(sources), history);
  }

  /** Deletes all files older than a day that no import in the list needs, as a crash leaves them. @throws StoreError */
  async sweep(history: Pick<History, 'textFiles'>, nowMs: number): Promise<void> {
    const old: string[] = [];
    for (const file of await readdir(this.#folder).catch(() => [])) {
      const stats = await stat(this.#pathOf(file)).catch(() => undefined);
      if (stats !== undefined && stats.mtimeMs < nowMs - UNQUEUED_MS) old.push(file);
    }
    await this.#deleteUnneeded(old, history);
  }

  async #deleteUnneeded(files: readonly string[], history: Pick<History, 'textFiles'>): Promise<void> {
    if (files.length === 0) return;
    const needed = new Set(await history.textFiles());
    for (const file of files) if (!needed.has(file)) await this.#delete(file);
  }

  async #delete(file: string): Promise<void> {
    await rm(this.#pathOf(file), { force: true }).catch(() => {});
  }

  #pathOf(file: string): string {
    return path.join(this.#folder, file);
  }
}

function filesOf(sources: readonly (Source | undefined)[]): string[] {
  return sources.flatMap((source) => source?.textFile ?? []);
}
