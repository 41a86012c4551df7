import { Buffer } from 'node:buffer';

/** The number of bytes to read to tell text from binary. */
export const SNIFF_BYTES = 8 * 1024;

/** How many of the most recent chunks stay valid. The memory of older chunks is reused. */
export const HELD_CHUNKS = 2;

/** The content to import. */
export interface SourceBody {
  readonly name: string;
  readonly sizeBytes: number;
  /** When the file was last changed, in ms since 1970. Undefined if a later change could have the same timestamp. */
  readonly modifiedMs?: number | undefined;
  /**
   * Yields all `sizeBytes` bytes. Each call starts from the beginning. Only the last HELD_CHUNKS chunks stay valid, because the
   * memory of older chunks is reused.
   *
   * @throws SourceError if the file changed or can't be read
   */
  chunks(): AsyncIterable<Buffer>;
  /** Reads up to `maxBytes` bytes from the beginning. @throws SourceError */
  beginning(maxBytes: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** A file or a piece of text to import. It is opened just before it is sent. */
export interface ImportSource {
  /** @throws SourceError if the source can't be imported */
  open(): Promise<SourceBody>;
  /** The path inside the workspace, for the placeholder `${relativePath}`. */
  readonly relativePath: string;
}

/** A body that is held in memory. */
export function textBody(name: string, bytes: Uint8Array): SourceBody {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    name,
    sizeBytes: content.length,
    chunks: async function* () {
      yield content;
    },
    beginning: async (maxBytes) => content.subarray(0, maxBytes),
    close: async () => {},
  };
}

/** Whether the first SNIFF_BYTES contain a NUL byte and aren't UTF-16. */
export function looksBinary(beginning: Buffer): boolean {
  const isUtf16 = /^(?:\xFF\xFE|\xFE\xFF)/.test(beginning.toString('latin1', 0, 2));
  return !isUtf16 && beginning.subarray(0, SNIFF_BYTES).includes(0);
}
