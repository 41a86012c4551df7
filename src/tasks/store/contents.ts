import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { type AcceptedContent, readContent } from '../rows/acceptedContents';
import type { Source } from '../trackedTask';

/**
 * The contents that services have received, or may have: remembered whatever is removed from the list. Every method may
 * reject with StoreError.
 */
export class Contents {
  readonly #file: SqliteFile;

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** Those that may be the same as one of these: by size, or by path where no more is known. */
  ofSame(sources: readonly Pick<Source, 'sizeBytes' | 'path'>[]): Promise<readonly AcceptedContent[]> {
    const sizes = JSON.stringify([...new Set(sources.map(({ sizeBytes }) => sizeBytes))]);
    const paths = JSON.stringify(sources.map(({ path }) => path));
    return this.#file.read((db) => prepared(db, OF_SAME).all(sizes, paths).map(readContent));
  }

  /** Remembers when files were last changed that were found to have the content of these keys still. */
  async noteTimes(times: readonly (readonly [key: number, modifiedMs: number])[]): Promise<void> {
    await this.#file.write((db) => {
      for (const [key, modifiedMs] of times)
        prepared(db, 'UPDATE accepted SET modified_ms = ? WHERE key = ?').run(modifiedMs, key);
    });
  }

  /** How many are remembered of a dataset, at any origin. */
  count(dataset: string): Promise<number> {
    const count = `SELECT count(*) AS count ${OF_DATASET}`;
    return this.#file.read((db) => Number(prepared(db, count).get(JSON.stringify(dataset))?.['count']));
  }

  /** Forgets those of a dataset. */
  async forget(dataset: string): Promise<void> {
    await this.#file.write((db) => prepared(db, `DELETE ${OF_DATASET}`).run(JSON.stringify(dataset)));
  }

  /** Gives those of a dataset to its new name. */
  async rename(from: string, to: string): Promise<void> {
    const rename = 'UPDATE accepted SET dataset = ? WHERE dataset = ?';
    await this.#file.write((db) => prepared(db, rename).run(JSON.stringify(to), JSON.stringify(from)));
  }
}

const OF_DATASET = 'FROM accepted WHERE dataset = ?';

const OF_SAME = `SELECT * FROM accepted WHERE sha256 IS NOT NULL AND size_bytes IN (SELECT value FROM json_each(?))
  UNION ALL SELECT * FROM accepted WHERE sha256 IS NULL AND path IN (SELECT value FROM json_each(?))`;
