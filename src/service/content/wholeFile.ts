import { assertUnchanged, type FileVersion } from './fileBody';
import type { HashedBody } from './hashing';

/** A small file as it was read in one go. */
export interface WholeFile {
  readonly bytes: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly version: FileVersion;
}

/** The body of a small file. Its bytes are given out only while the file is still as it was read. */
export function wholeBody(path: string, name: string, { bytes, sha256, version }: WholeFile): HashedBody {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    name,
    sizeBytes: content.length,
    chunks: async function* () {
      await assertUnchanged(path, name, version);
      yield content;
    },
    beginning: async (maxBytes) => content.subarray(0, maxBytes),
    close: async () => {},
    sha256: () => sha256,
  };
}
