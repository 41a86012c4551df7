import type { HashedBody } from './hashing';
import { textBody } from './sourceBody';

/** A small file as it was read in one go. */
export interface WholeFile {
  readonly bytes: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
  /** As that of a body. */
  readonly modifiedMs: number | undefined;
}

/** The body of a small file, which is sent as it was read, whatever becomes of it. */
export function wholeBody(name: string, { bytes, sha256, modifiedMs }: WholeFile): HashedBody {
  return { ...textBody(name, bytes), modifiedMs, sha256: () => sha256 };
}
