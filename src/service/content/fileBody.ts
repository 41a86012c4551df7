import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { SourceError } from '../errors';
import { assertText, HELD_CHUNKS, type SourceBody } from './sourceBody';

/** As measured: half of it halves the throughput, twice of it gains nothing. */
const CHUNK_BYTES = 1024 * 1024;

/** Those that are held, the one that is asked for, and the next one, which is being read. */
const RING_CHUNKS = HELD_CHUNKS + 2;

/** The coarsest times of a file system, those of FAT, and a little more. */
const TIME_STEP_MS = 2100;

/** By what a file is known to be as it was. */
export type FileVersion = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>;

/**
 * A file on disk, opened to be sent as it is: no re-encoding, a byte order mark kept. Its length is fixed when it is
 * opened. The caller closes it.
 */
export class FileBody implements SourceBody {
  readonly name: string;
  /** As it was when it was opened. */
  readonly version: FileVersion;
  readonly #handle: FileHandle;
  readonly #openedMs = Date.now();

  private constructor(name: string, handle: FileHandle, { size, mtimeMs, ino }: Stats) {
    this.name = name;
    this.version = { size, mtimeMs, ino };
    this.#handle = handle;
  }

  /**
   * Opens a file, which is sent under `name`, and looks at its beginning. @throws SourceError where it is missing,
   * unreadable, not a regular file, empty, or not text (a NUL byte in its first 8 KiB, unless it is UTF-16).
   */
  static async open(filePath: string, name = path.basename(filePath)): Promise<FileBody> {
    // Otherwise opening a named pipe waits for its writer.
    const handle = await named(name, open(filePath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
    try {
      const opened = await named(name, handle.stat());
      if (opened.isDirectory()) throw new SourceError('folder', name);
      if (!opened.isFile()) throw new SourceError('unreadable', name, { cause: new Error('not a regular file') });
      const body = new FileBody(name, handle, opened);
      await assertText(body);
      return body;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get sizeBytes(): number {
    return this.version.size;
  }

  get modifiedMs(): number | undefined {
    return settledTime(this.version.mtimeMs, this.#openedMs);
  }

  /**
   * The file's bytes, exactly as many as it had when it was opened. @throws SourceError 'changed' where it has grown,
   * shrunk or been written since; thrown before the last chunk is given out, so that a service never gets a complete
   * file of mixed content.
   */
  async *chunks(): AsyncGenerator<Buffer> {
    // New memory for each chunk would cost more than reading it.
    const ring: Buffer[] = [];
    let next = this.#readAhead(0, ring);
    for (let at = 0; at < this.sizeBytes; at += CHUNK_BYTES) {
      const chunk = await next;
      next = this.#readAhead(at + CHUNK_BYTES, ring);
      if (at + chunk.length === this.sizeBytes)
        assertSame(this.version, await named(this.name, this.#handle.stat()), this.name);
      yield chunk;
    }
  }

  /** The first bytes of the file, at most as many as asked for. @throws SourceError where they cannot be read */
  beginning(maxBytes: number): Promise<Buffer> {
    return this.#read(0, Buffer.allocUnsafe(Math.min(maxBytes, this.sizeBytes)));
  }

  /** Closes the file. */
  close(): Promise<void> {
    return this.#handle.close();
  }

  /** Begins to read a chunk while the one before is being sent. A failure is thrown where the chunk is awaited. */
  #readAhead(at: number, ring: Buffer[]): Promise<Buffer> {
    const length = Math.max(0, Math.min(CHUNK_BYTES, this.sizeBytes - at));
    const slot = (at / CHUNK_BYTES) % RING_CHUNKS;
    ring[slot] ??= Buffer.allocUnsafeSlow(length);
    const reading = this.#read(at, ring[slot].subarray(0, length));
    reading.catch(() => {});
    return reading;
  }

  /** Fills a buffer from a place of the file on. */
  async #read(at: number, buffer: Buffer): Promise<Buffer> {
    const { length } = buffer;
    for (let filled = 0; filled < length; ) {
      const reading = this.#handle.read(buffer, filled, length - filled, at + filled);
      const { bytesRead } = await named(this.name, reading);
      if (bytesRead === 0) throw new SourceError('changed', this.name);
      filled += bytesRead;
    }
    return buffer;
  }
}

/**
 * The time of a file's last change, by which it can be told later that it has not changed since; undefined where the file was
 * written so shortly before it was looked at that the next change may have the same time.
 */
export function settledTime(modifiedMs: number, lookedMs: number): number | undefined {
  return lookedMs - modifiedMs > TIME_STEP_MS ? modifiedMs : undefined;
}

/** @throws SourceError 'changed' where a file is no longer as it was, or another one is in its place */
export async function assertUnchanged(filePath: string, { name, version }: FileBody): Promise<void> {
  assertSame(version, await named(name, stat(filePath)), name);
}

function assertSame(before: FileVersion, now: FileVersion, name: string): void {
  const isSame = now.size === before.size && now.mtimeMs === before.mtimeMs && now.ino === before.ino;
  if (!isSame) throw new SourceError('changed', name);
}

/** Waits for a step of the file system with a file of this name. @throws SourceError where it fails */
async function named<T>(name: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unreadable';
    throw new SourceError(reason, name, { cause });
  }
}
