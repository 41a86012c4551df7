import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SourceBody } from '../../service/content/sourceBody';
import type { SourceError } from '../../service/errors';
import { StoreError } from '../database/storeError';
import type { History } from '../history/walk';
import type { Source } from '../trackedTask';
import type { CheckedSource, FileToCheck } from './checkedSource';
import type { ReadFile } from './fileOperations';
import { type Files, type Prepared, smallBody } from './files';

/** How long a file is left alone that no import needs: its import may be about to be queued. */
const UNQUEUED_MS = 86_400_000;

/**
 * The files of imports: the user's, and those of texts without a file. A text is in a file of ours, which only its owner can
 * read, from before it is queued until it is accepted or removed from the list.
 */
export class Sources {
  readonly files: Files;
  readonly #folder: string;

  /** `folder` is that of our texts, beside the task database; '' for none. */
  constructor(folder: string, files: Files) {
    this.#folder = folder;
    this.files = files;
  }

  /** Checks files before anything is sent; the result for a file that can't be imported is why. */
  check(files: readonly FileToCheck[]): Promise<(CheckedSource | SourceError)[]> {
    return this.files.check(files, this.#folder === '' ? undefined : path.dirname(this.#folder));
  }

  /** Reads the files of sources that are about to be sent, a group at a time. */
  prepare(sources: readonly Source[]): Promise<Prepared[]> {
    return this.files.prepare(sources.map((source) => ({ path: this.#fileOf(source), name: source.name })));
  }

  /** Whether a source is still as it was prepared. */
  isUnchanged(source: Source, prepared: ReadFile): Promise<boolean> {
    return this.files.isUnchanged(this.#fileOf(source), prepared);
  }

  /** Opens a source, which may have been prepared. @throws SourceError if it can't be sent now */
  async open(source: Source, prepared?: Prepared): Promise<SourceBody> {
    const [now = prepared] = prepared === undefined ? await this.prepare([source]) : [];
    if (now?.kind === 'small') return smallBody(source.name, now);
    if (now?.kind === 'large') return this.files.open(this.#fileOf(source), source.name);
    throw now?.error;
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

  #fileOf({ from, path: filePath, textFile = '' }: Source): string {
    return from === 'disk' ? filePath : this.#pathOf(textFile);
  }

  #pathOf(file: string): string {
    return path.join(this.#folder, file);
  }
}

function filesOf(sources: readonly (Source | undefined)[]): string[] {
  return sources.flatMap((source) => source?.textFile ?? []);
}
