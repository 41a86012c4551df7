import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { SourceError } from '../errors';
import { assertText, HELD_CHUNKS, LARGE_BYTES, type SourceBody } from './sourceBody';

/** As measured: half of it halves the throughput, twice of it gains nothing. */
const CHUNK_BYTES = 1024 * 1024;

/** Those that are held, the one that is asked for, and the next one, which is being read. */
const RING_CHUNKS = HELD_CHUNKS + 2;

/**
 * A file on disk, opened to be sent as it is: no re-encoding, a byte order mark kept. Its length is fixed when it is
 * opened. The caller closes it.
 */
export class FileBody implements SourceBody {
  readonly name: string;
  readonly sizeBytes: number;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #opened: Stats;
  /** The content of a small file, which is closed then. */
  #whole: Buffer | undefined;

  private constructor(filePath: string, name: string, handle: FileHandle, opened: Stats) {
    this.name = name;
    this.sizeBytes = opened.size;
    this.#path = filePath;
    this.#handle = handle;
    this.#opened = opened;
  }

  /**
   * Opens a file, which is sent under `name`, and looks at its beginning. @throws SourceError where it is missing,
   * unreadable, not a regular file, empty, or not text (a NUL byte in its first 8 KiB, unless it is UTF-16).
   */
  static async open(filePath: string, name = path.basename(filePath)): Promise<FileBody> {
    let handle: FileHandle;
    try {
      // Otherwise opening a named pipe waits for its writer.
      handle = await open(filePath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    } catch (cause) {
      throw new SourceError(reasonOf(cause), name, { cause });
    }
    try {
      const opened = await handle.stat();
      if (opened.isDirectory()) throw new SourceError('folder', name);
      if (!opened.isFile()) throw new SourceError('unreadable', name, { cause: new Error('not a regular file') });
      const body = new FileBody(filePath, name, handle, opened);
      await assertText(body);
      if (body.#whole !== undefined) await handle.close();
      return body;
    } catch (cause) {
      await handle.close();
      throw cause instanceof SourceError ? cause : new SourceError('unreadable', name, { cause });
    }
  }

  /**
   * The file's bytes, exactly as many as it had when it was opened. @throws SourceError 'changed' where it has grown,
   * shrunk or been written since; thrown before the last chunk is given out, so that a service never gets a complete
   * file of mixed content.
   */
  async *chunks(): AsyncGenerator<Buffer> {
    if (this.#whole !== undefined) {
      await this.#assertUnchanged();
      yield this.#whole;
      return;
    }
    // New memory for each chunk would cost more than reading it.
    const ring: Buffer[] = [];
    let next = this.#readAhead(0, ring);
    for (let at = 0; at < this.sizeBytes; at += CHUNK_BYTES) {
      const chunk = await next;
      next = this.#readAhead(at + CHUNK_BYTES, ring);
      if (at + chunk.length === this.sizeBytes) await this.#assertUnchanged();
      yield chunk;
    }
  }

  /** The first bytes of the file, at most as many as asked for. @throws SourceError where they cannot be read */
  async beginning(maxBytes: number): Promise<Buffer> {
    if (this.#whole !== undefined) return this.#whole.subarray(0, maxBytes);
    const beginning = await this.#read(0, Buffer.allocUnsafe(Math.min(maxBytes, this.sizeBytes)));
    if (beginning.length === this.sizeBytes) this.#whole = beginning;
    return beginning;
  }

  /** Closes the file. */
  async close(): Promise<void> {
    if (this.#whole === undefined) await this.#handle.close();
  }

  /** Begins to read a chunk while the one before is being sent. A failure is thrown where the chunk is awaited. */
  #readAhead(at: number, ring: Buffer[]): Promise<Buffer> {
    const length = Math.max(0, Math.min(CHUNK_BYTES, this.sizeBytes - at));
    const slot = (at / CHUNK_BYTES) % RING_CHUNKS;
    ring[slot] ??= this.#memory(length);
    const reading = this.#read(at, ring[slot].subarray(0, length));
    reading.catch(() => {});
    return reading;
  }

  /** Shared only where a thread reads it: the garbage collector is slow to notice that shared memory is free. */
  #memory(length: number): Buffer {
    return this.sizeBytes < LARGE_BYTES ? Buffer.allocUnsafe(length) : Buffer.from(new SharedArrayBuffer(length));
  }

  /** Fills a buffer from a place of the file on. */
  async #read(at: number, buffer: Buffer): Promise<Buffer> {
    const { length } = buffer;
    for (let filled = 0; filled < length; ) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, at + filled).catch((cause) => {
        throw new SourceError('unreadable', this.name, { cause });
      });
      if (bytesRead === 0) throw new SourceError('changed', this.name);
      filled += bytesRead;
    }
    return buffer;
  }

  async #assertUnchanged(): Promise<void> {
    const asking = this.#whole === undefined ? this.#handle.stat() : stat(this.#path);
    const now = await asking.catch((cause) => {
      throw new SourceError(reasonOf(cause), this.name, { cause });
    });
    const { size, mtimeMs, ino } = this.#opened;
    if (now.size !== size || now.mtimeMs !== mtimeMs || now.ino !== ino) throw new SourceError('changed', this.name);
  }
}

function reasonOf(cause: unknown): 'missing' | 'unreadable' {
  return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable';
}
