import type { HashedBody } from '../../service/content/hashing';
import { orCanceled } from './orCanceled';

/** A body that throws CanceledError as soon as `signal` aborts, also where a network drive does not respond. */
export function stoppableBody(body: HashedBody, signal: AbortSignal): HashedBody {
  return {
    name: body.name,
    sizeBytes: body.sizeBytes,
    modifiedMs: body.modifiedMs,
    chunks: async function* () {
      const chunks = body.chunks()[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await orCanceled(chunks.next(), signal);
          if (done) return;
          yield value;
        }
      } finally {
        // Not awaited: it waits for the chunk that is being read.
        chunks.return?.().catch(() => {});
      }
    },
    beginning: (maxBytes) => orCanceled(body.beginning(maxBytes), signal),
    close: () => orCanceled(body.close(), signal),
    sha256: () => body.sha256(),
  };
}
