import { Buffer } from 'node:buffer';
import { SourceError } from '../errors';

/** How much is read to tell text from binary. */
const SNIFF_BYTES = 8 * 1024;

/** How many chunks stay as they are, counted from the one given out last. */
export const HELD_CHUNKS = 2;

/** The bytes of what is imported, as they are sent. */
export interface SourceBody {
  readonly name: string;
  readonly sizeBytes: number;
  /** When a file was last changed, in milliseconds since 1970; undefined where that time could also be that of a later change. */
  readonly modifiedMs?: number | undefined;
  /**
   * All bytes, exactly `sizeBytes`, from the first one on at each call. Memory is used again: of the chunks given out,
   * only the last HELD_CHUNKS stay as they are. @throws SourceError where that cannot be
   */
  chunks(): AsyncIterable<Buffer>;
  /** The first bytes, at most as many as asked for. @throws SourceError */
  beginning(maxBytes: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** What can be imported; opened when it is about to be sent. */
export interface ImportSource {
  /** @throws SourceError where it cannot be imported */
  open(): Promise<SourceBody>;
  /** The path inside the workspace, for the placeholder `${relativePath}`. */
  readonly relativePath: string;
}

/** A text that is in memory. */
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

/**
 * Looks at the beginning of what is to be imported. @throws SourceError where it is empty, or not text: a NUL byte in
 * its first 8 KiB, unless it is UTF-16
 */
export async function assertText(body: SourceBody): Promise<void> {
  if (body.sizeBytes === 0) throw new SourceError('empty', body.name);
  if (looksBinary(await body.beginning(SNIFF_BYTES))) throw new SourceError('binary', body.name);
}

function looksBinary(beginning: Buffer): boolean {
  const isUtf16 = /^(?:\xFF\xFE|\xFE\xFF)/.test(beginning.toString('latin1', 0, 2));
  return !isUtf16 && beginning.includes(0);
}
