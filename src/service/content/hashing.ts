import { createHash } from 'node:crypto';
import { type SourceBody, textBody } from './sourceBody';

/** A body that is hashed as it is read, so that nothing is read twice. */
export interface HashedBody extends SourceBody {
  /** The hexadecimal SHA-256 of what was read last; undefined where it was not read to its end. */
  sha256(): string | undefined;
}

/** Hashes a body as it is read, unless its hash is known. */
export function hashed(body: SourceBody | HashedBody): HashedBody {
  if ('sha256' in body) return body;
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

/** The hexadecimal SHA-256 of a body, all of which is read for it. @throws SourceError */
export async function sha256Of(body: SourceBody): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body.chunks()) hash.update(chunk);
  return hash.digest('hex');
}

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
