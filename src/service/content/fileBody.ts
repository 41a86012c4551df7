import { closeSync, constants, fstatSync, open as openDescriptor, read as readDescriptor, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { SourceError } from '../errors';
import { HELD_CHUNKS, looksBinary, SNIFF_BYTES, type SourceBody } from './sourceBody';

/** In our measurements, halving this size halved the throughput, and doubling it made no difference. */
const CHUNK_BYTES = 1024 * 1024;

/** One buffer for each chunk that must stay valid, one for the next chunk, which is being read, and one spare. */
const RING_CHUNKS = HELD_CHUNKS + 2;

/** File timestamps are coarsest on FAT, with a resolution of 2 s. */
const TIME_STEP_MS = 2100;

/** Without O_NONBLOCK, opening a named pipe would wait for a writer. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * An open file on disk. Its length is fixed when it is opened. The caller must close it. All errors are SourceErrors that
 * include the file's name.
 */
export class FileBody implements SourceBody {
  readonly #openedMs = Date.now();

  private constructor(
    private readonly path: string,
    readonly name: string,
    private readonly handle: FileHandle,
    /** The file's stats when it was opened. */
    readonly stats: Stats,
  ) {}

  /** Opens a file to send as `name`. @throws SourceError if {@link FileBody.openAny} does, or if the file is empty */
  static async open(filePath: string, name = path.basename(filePath)): Promise<FileBody> {
    const body = await FileBody.openAny(filePath, name);
    try {
      if (body.sizeBytes > 0) return body;
      // A network drive may report an outdated size for a while, so check that the file is really empty.
      await body.assertUnchanged();
      throw new SourceError('empty', name);
    } catch (error) {
      await body.close();
      throw error;
    }
  }

  /** @throws SourceError if the file is missing, unreadable, in use, or not a regular file */
  static async openAny(filePath: string, name: string): Promise<FileBody> {
    const handle = await named(filePath, name, open(filePath, READ_ONLY));
    try {
      const stats = await named(filePath, name, handle.stat());
      if (!stats.isFile()) throw new SourceError('notFile', name);
      return new FileBody(filePath, name, handle, stats);
    } catch (error) {
      await handle.close().catch(() => {});
      throw error;
    }
  }

  get sizeBytes(): number {
    return this.stats.size;
  }

  get modifiedMs(): number | undefined {
    return settledTime(this.stats.mtimeMs, this.#openedMs);
  }

  /**
   * The file's bytes. @throws SourceError 'changed' if the file was modified after it was opened. We check this before
   * sending the last chunk, so a service never receives a complete file that mixes old and new content.
   */
  async *chunks(): AsyncGenerator<Buffer> {
    // Allocating memory for each chunk would take longer than reading the chunk.
    const ring: Buffer[] = [];
    let next = this.#readAhead(0, ring);
    for (let at = 0; at < this.sizeBytes; at += CHUNK_BYTES) {
      const chunk = await next;
      next = this.#readAhead(at + CHUNK_BYTES, ring);
      if (at + chunk.length === this.sizeBytes) await this.assertUnchanged();
      yield chunk;
    }
  }

  beginning(maxBytes: number): Promise<Buffer> {
    return this.#read(0, Buffer.allocUnsafe(Math.min(maxBytes, this.sizeBytes)));
  }

  /**
   * Fills a buffer with bytes from the given position in the file, and returns the number of bytes read.
   * @throws SourceError
   */
  async fill(buffer: Buffer, at: number): Promise<number> {
    for (let filled = 0; ; ) {
      const reading = this.handle.read(buffer, filled, buffer.length - filled, at + filled);
      const { bytesRead } = await named(this.path, this.name, reading);
      filled += bytesRead;
      if (bytesRead === 0 || filled === buffer.length) return filled;
    }
  }

  /** @throws SourceError 'changed' if the file was modified after it was opened, or is longer than its reported size */
  async assertUnchanged(): Promise<void> {
    const { size, mtimeMs } = this.stats;
    const isLonger = (await this.fill(Buffer.allocUnsafe(1), size)) > 0;
    const now = await named(this.path, this.name, this.handle.stat());
    if (isLonger || now.size !== size || now.mtimeMs !== mtimeMs) throw new SourceError('changed', this.name);
  }

  /** Ignores errors, because the file was only read. */
  close(): Promise<void> {
    return this.handle.close().catch(() => {});
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Reads a chunk while the previous one is being sent. A failure is thrown when the chunk is awaited. */
  #readAhead(at: number, ring: Buffer[]): Promise<Buffer> {
    const length = Math.max(0, Math.min(CHUNK_BYTES, this.sizeBytes - at));
    const slot = (at / CHUNK_BYTES) % RING_CHUNKS;
    ring[slot] ??= Buffer.allocUnsafeSlow(length);
    const reading = this.#read(at, ring[slot].subarray(0, length));
    reading.catch(() => {});
    return reading;
  }

  async #read(at: number, buffer: Buffer): Promise<Buffer> {
    if ((await this.fill(buffer, at)) < buffer.length) throw new SourceError('changed', this.name);
    return buffer;
  }
}

/** Returns a file's modification time, or undefined if a change after `lookedMs` could still get the same timestamp. */
export function settledTime(modifiedMs: number, lookedMs: number): number | undefined {
  return lookedMs - modifiedMs > TIME_STEP_MS ? modifiedMs : undefined;
}

const openFile = promisify(openDescriptor);
const readFile = promisify(readDescriptor);

/** A file on disk that could be imported. */
export interface InspectedFile extends Pick<SourceBody, 'sizeBytes' | 'modifiedMs'> {
  /** True if the beginning of the file doesn't look like text. */
  readonly isBinary: boolean;
}

/**
 * Inspects a file that may be imported. Import lists may have 100,000 files, so this avoids Node's FileHandle, which takes
 * three times as long. @throws SourceError if the file can't be read or is empty
 */
export function inspectFile(filePath: string, name: string): Promise<InspectedFile> {
  const look = async () => {
    const openedMs = Date.now();
    const file = await openFile(filePath, READ_ONLY);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) throw new SourceError('notFile', name);
      const expectedBytes = Math.min(SNIFF_BYTES, stats.size);
      // Try to read at least one byte, because a network drive may report that a newly written file is empty.
      const buffer = Buffer.allocUnsafe(expectedBytes || 1);
      const { bytesRead } = await readFile(file, buffer, 0, buffer.length, 0);
      if (bytesRead !== expectedBytes) throw new SourceError('changed', name);
      if (stats.size === 0) throw new SourceError('empty', name);
      const modifiedMs = settledTime(stats.mtimeMs, openedMs);
      return { sizeBytes: stats.size, modifiedMs, isBinary: looksBinary(buffer.subarray(0, bytesRead)) };
    } finally {
      closeSync(file);
    }
  };
  return named(filePath, name, look());
}

/** Reads a file's size and times without opening it. @throws SourceError */
export function statFile(filePath: string, name: string): Promise<Stats> {
  return named(filePath, name, stat(filePath));
}

async function named<T>(filePath: string, name: string, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (cause) {
    if (cause instanceof SourceError) throw cause;
    const reason = sourceReason(filePath, cause as NodeJS.ErrnoException);
    throw new SourceError(reason, reason === 'forbiddenHost' ? filePath : name, { cause });
  }
}

/** Error codes for a locked file, for a network or cloud drive that is unavailable, and for too many open files. */
const BUSY: ReadonlySet<string> = new Set(
  'EBUSY EAGAIN ETIMEDOUT ENOTCONN EHOSTDOWN EHOSTUNREACH ENETDOWN ENETUNREACH EMFILE ENFILE'.split(' '),
);

/** Maps a system error to the reason a file can't be read. */
export function sourceReason(filePath: string, { code = '' }: NodeJS.ErrnoException): SourceError['reason'] {
  // Node reports errors that it has no name for as unknown. Examples are errors caused by cloud drives (EDEADLK on
  // macOS, various codes on Windows) and by stale NFS handles.
  if (BUSY.has(code) || /^unknown/i.test(code)) return 'busy';
  if (code === 'ERR_UNC_HOST_NOT_ALLOWED') return 'forbiddenHost';
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return 'unreadable';
  // A name that isn't valid UTF-8 reaches us with replacement characters, so the file can't be found.
  return filePath.includes('\uFFFD') ? 'invalidName' : 'missing';
}
