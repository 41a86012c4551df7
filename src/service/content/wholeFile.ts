import type { HashedBody } from './hashing';

/** A small file as it was read in one go. */
export interface WholeFile {
  readonly bytes: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The body of a small file, which is sent as it was read, whatever becomes of it. */
export function wholeBody(name: string, { bytes, sha256 }: WholeFile): HashedBody {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    name,
    sizeBytes: content.length,
    chunks: async function* () {
      yield content;
    },
    beginning: async (maxBytes) => content.subarray(0, maxBytes),
    close: async () => {},
    sha256: () => sha256,
  };
}
