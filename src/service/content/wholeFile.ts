import type { HashedBody } from './hashing';
import { textBody } from './sourceBody';

/** A small file as it was read in one go. */
export interface WholeFile {
  readonly bytes: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The body of a small file, which is sent as it was read, whatever becomes of it. */
export function wholeBody(name: string, { bytes, sha256 }: WholeFile): HashedBody {
  return { ...textBody(name, bytes), sha256: () => sha256 };
}
