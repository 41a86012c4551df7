import path from 'node:path';
import type { ImportStore } from '../store/importStore';
import type { NextImport } from '../store/model';
import { isPassing, type Prepared } from './files';
import { FRESH_MS, type Upload, type UploadPorts } from './uploadFile';

/** How many queued imports to list at a time. */
const LISTED = 64;

/** A queued import and its file. */
export interface ReadImport extends Omit<Upload, 'file'> {
  readonly next: NextImport;
  readonly file: Prepared;
}

export interface ReadAheadPorts extends Pick<UploadPorts, 'files' | 'clock'> {
  readonly store: Pick<ImportStore, 'next'>;
  /** The folder for imported text that didn't come from a file on disk. */
  readonly textsFolder: string;
}

/**
 * Lists the next imports for a destination and reads their files while earlier ones are being sent. The list may be
 * stale: when imports are marked, the store decides which of them may be sent.
 */
export class ReadAhead {
  #next: NextImport[] = [];
  /** Whether the last listing contained everything that was queued. */
  #isAll = false;
  #isStale = true;
  /** Keyed by import ID. */
  #read = new Map<number, Promise<ReadImport>>();

  constructor(
    private readonly ports: ReadAheadPorts,
    private readonly destination: number,
    /** File rows to skip. */
    private readonly except: () => readonly number[],
  ) {}

  /** Whether `take` may return more imports. */
  get mayHaveMore(): boolean {
    return this.#isStale || !this.#isAll || this.#next.length > 0;
  }

  /** Makes the next `take` read a new list, because imports may have been queued or put back. */
  expire(): void {
    this.#isStale = true;
  }

  /** Takes the next imports, and starts reading ahead for the ones that follow. @throws StoreFault */
  async take(count: number): Promise<ReadImport[]> {
    await this.#list(count);
    const taken = this.#takeRead(this.#next.splice(0, count));
    if (count > 1) this.#readAll(this.#next.slice(0, count));
    return Promise.all(taken);
  }

  /** Takes the next import if its file was queued on its own. @throws StoreFault */
  async takeSingle(): Promise<ReadImport[]> {
    await this.#list(1);
    return Promise.all(this.#takeRead(this.#next[0]?.single ? this.#next.splice(0, 1) : []));
  }

  async #list(count: number): Promise<void> {
    if (!this.#isStale && (this.#isAll || this.#next.length >= count)) return;
    this.#isStale = false;
    try {
      this.#next = await this.ports.store.next({ destination: this.destination, count: LISTED, except: this.except() });
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#isAll = this.#next.length < LISTED;
    const known = new Set(this.#next.map((one) => one.import));
    for (const id of this.#read.keys()) if (!known.has(id)) this.#read.delete(id);
  }

  #takeRead(imports: readonly NextImport[]): Promise<ReadImport>[] {
    this.#readAll(imports);
    return imports.flatMap((one) => {
      const read = this.#read.get(one.import);
      this.#read.delete(one.import);
      return read === undefined ? [] : this.#retried(read);
    });
  }

  /** Reads a file again if it could not be read a while ago. A file that is in use is retried later anyway. */
  async #retried(reading: Promise<ReadImport>): Promise<ReadImport> {
    const read = await reading;
    const readMs = this.ports.clock.monotonicMs();
    if (readMs - read.readMs < FRESH_MS || read.file.kind !== 'failed' || isPassing(read.file.error)) return read;
    const [file = read.file] = await this.ports.files.prepare([{ path: read.path, name: read.next.name }]);
    return { ...read, readMs, file };
  }

  #readAll(imports: readonly NextImport[]): void {
    const unread = imports.filter((one) => !this.#read.has(one.import));
    if (unread.length === 0) return;
    const sources = unread.map((one) => ({ path: this.#pathOf(one), name: one.name }));
    const readMs = this.ports.clock.monotonicMs();
    const reading = this.ports.files.prepare(sources);
    for (const [index, next] of unread.entries()) {
      const { path: at = '' } = sources[index] ?? {};
      const read = reading.then((prepared) => ({ next, readMs, path: at, file: prepared[index] as Prepared }));
      // `take` awaits the same promise and throws the error.
      read.catch(() => {});
      this.#read.set(next.import, read);
    }
  }

  #pathOf({ path: file, textFile }: NextImport): string {
    return textFile === null ? (file ?? '') : path.join(this.ports.textsFolder, textFile);
  }
}
