import { SourceError } from '../errors';
import { type Hasher, hasherFor } from './hasher';
import type { SourceBody } from './sourceBody';

/** A body that is hashed as it is read, so that nothing is read twice. */
export interface HashingBody extends SourceBody {
  /** The hexadecimal SHA-256 of what was read last; undefined where it was not read to its end, or could not be made. */
  sha256(): string | undefined;
}

/** Hashes a body as it is read. */
export function hashing(body: SourceBody): HashingBody {
  let sha256: string | undefined;
  let hasher: Hasher | undefined;
  return {
    name: body.name,
    sizeBytes: body.sizeBytes,
    chunks: async function* () {
      sha256 = undefined;
      const own = hasherFor(body.sizeBytes);
      hasher = own;
      try {
        for await (const chunk of body.chunks()) {
          await own.update(chunk);
          yield chunk;
        }
        sha256 = await own.digest();
      } finally {
        own.close();
      }
    },
    beginning: (maxBytes) => body.beginning(maxBytes),
    close: () => {
      // Who reads may have gone without a word.
      hasher?.close();
      return body.close();
    },
    sha256: () => sha256,
  };
}

/** The hexadecimal SHA-256 of all its bytes, which are read for it. @throws SourceError */
export async function sha256Of(body: SourceBody | HashingBody): Promise<string> {
  const hashed = 'sha256' in body ? body : hashing(body);
  for await (const _ of hashed.chunks());
  const sha256 = hashed.sha256();
  if (sha256 !== undefined) return sha256;
  throw new SourceError('unreadable', body.name, { cause: new Error('its hash could not be made') });
}
