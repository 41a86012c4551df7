import { createHash } from 'node:crypto';
import type { SourceBody } from './sourceBody';

/** A body that is hashed while it is read, so the file is read only once. */
export interface HashedBody extends SourceBody {
  /** The hexadecimal SHA-256 from the last read, or undefined if that read didn't reach the end. */
  sha256(): string | undefined;
}

/** Wraps a body so that it is hashed as it is read. */
export function hashed(body: SourceBody): HashedBody {
  let sha256: string | undefined;
  return {
    name: body.name,
    sizeBytes: body.sizeBytes,
    modifiedMs: body.modifiedMs,
    chunks: async function* () {
      sha256 = undefined;
      const hash = createHash('sha256');
      for await (const chunk of body.chunks()) {
        hash.update(chunk);
        yield chunk;
      }
      sha256 = hash.digest('hex');
    },
    beginning: (maxBytes) => body.beginning(maxBytes),
    close: () => body.close(),
    sha256: () => sha256,
  };
}

/** Reads a whole body and returns its hexadecimal SHA-256. @throws SourceError */
export async function sha256Of(body: SourceBody): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body.chunks()) hash.update(chunk);
  return hash.digest('hex');
}
