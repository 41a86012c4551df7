import type { HashingBody } from '../../service/content/hashing';
import { orCanceled } from './orCanceled';

/** A body of which nothing is waited for once `signal` aborts: a disk far away may not respond for minutes. */
export function stoppableBody(body: HashingBody, signal: AbortSignal): HashingBody {
  return {
    name: body.name,
    sizeBytes: body.sizeBytes,
    chunks: async function* () {
      const chunks = body.chunks()[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await orCanceled(chunks.next(), signal);
          if (done) return;
          yield value;
        }
      } finally {
        // It would wait for the chunk that is being read.
        chunks.return?.().catch(() => {});
      }
    },
    beginning: (maxBytes) => orCanceled(body.beginning(maxBytes), signal),
    close: () => orCanceled(body.close(), signal),
    sha256: () => body.sha256(),
  };
}
