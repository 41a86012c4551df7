import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileBody } from '../../service/content/fileBody';
import { assertText, type SourceBody, textBody } from '../../service/content/sourceBody';
import { StoreError } from '../database/storeError';
import type { History } from '../history/walk';
import type { Source } from '../trackedTask';

/** A source that was checked and can be queued; a text comes with its bytes. */
export type CheckedSource =
  | { readonly source: Source & { readonly from: 'disk' } }
  | { readonly source: Source & { readonly from: 'text' }; readonly bytes: Uint8Array };

/** How long a file is left alone that no import needs: its import may be about to be queued. */
const UNQUEUED_MS = 86_400_000;

/**
 * Checks a file before anything is sent. Its path is the real one, as the disk has it: by that it is the same file, however
 * it is reached. @throws SourceError where it cannot be imported
 */
export async function checkFile(filePath: string, relativePath: string): Promise<CheckedSource> {
  const file = await FileBody.open(filePath);
  await file.close();
  const { name, sizeBytes } = file;
  const stored = await realpath(filePath).catch(() => filePath);
  return { source: { from: 'disk', path: stored, relativePath, name, sizeBytes } };
}

/** Checks a text before anything is sent; `path` names it. @throws SourceError where it cannot be imported */
export async function checkText(
  named: Pick<Source, 'name' | 'path' | 'relativePath'>,
  bytes: Uint8Array,
): Promise<CheckedSource> {
  await assertText(textBody(named.name, bytes));
  return { source: { from: 'text', ...named, textFile: randomUUID(), sizeBytes: bytes.byteLength }, bytes };
}

/** Opens a checked source. @throws SourceError where it cannot be imported any more */
export async function openChecked(checked: CheckedSource): Promise<SourceBody> {
  return 'bytes' in checked
    ? textBody(checked.source.name, checked.bytes)
    : FileBody.open(checked.source.path, checked.source.name);
}

/**
 * Opens the sources of imports. A text that has no file is in one of the extension, which only its owner can read, from
 * before it is queued until it is accepted or removed from the list.
 */
export class Sources {
  readonly #folder: string;

  /** `folder` is that of our files. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws SourceError where it cannot be imported */
  open({ from, path: filePath, textFile = '', name }: Source): Promise<SourceBody> {
    return FileBody.open(from === 'disk' ? filePath : this.#pathOf(textFile), name);
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
