import { createHash } from 'node:crypto';
import { HashThread } from './hashThread';
import { HELD_CHUNKS, LARGE_BYTES, type SourceBody } from './sourceBody';

/** A body that is hashed as it is read, so that nothing is read twice. */
export interface HashingBody extends SourceBody {
  /** The hexadecimal SHA-256 of what was read last; undefined where it was not read to its end, or a thread failed. */
  sha256(): string | undefined;
}

/** Hashes a body as it is read. */
export function hashing(body: SourceBody): HashingBody {
  let sha256: string | undefined;
  return {
    name: body.name,
    sizeBytes: body.sizeBytes,
    chunks: async function* () {
      sha256 = undefined;
      const hash = (body.sizeBytes < LARGE_BYTES ? undefined : await HashThread.start()) ?? hashHere();
      try {
        const updates: Promise<void>[] = [];
        for await (const chunk of body.chunks()) {
          updates.push(hash.update(chunk));
          yield chunk;
          // What is read next takes the memory of the oldest one.
          if (updates.length > HELD_CHUNKS) await updates.shift();
        }
        sha256 = await hash.digest();
      } finally {
        hash.end();
      }
    },
    beginning: (maxBytes) => body.beginning(maxBytes),
    close: () => body.close(),
    sha256: () => sha256,
  };
}

/** Hashes as a HashThread does, but in the thread that calls it. */
function hashHere(): Pick<HashThread, 'update' | 'digest' | 'end'> {
  const hash = createHash('sha256');
  return {
    update: async (chunk) => void hash.update(chunk),
    digest: async () => hash.digest('hex'),
    end: () => {},
  };
}

/** The hexadecimal SHA-256 of a body, all of which is read for it. @throws SourceError */
export async function sha256Of(body: SourceBody): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body.chunks()) hash.update(chunk);
  return hash.digest('hex');
}
