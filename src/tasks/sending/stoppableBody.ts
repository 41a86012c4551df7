import type { HashingBody } from '../../service/content/hashing';
import { orCancelled } from './orCancelled';

/** A body of which nothing is waited for once `signal` aborts: a disk far away may not answer for minutes. */
export function stoppableBody(body: HashingBody, signal: AbortSignal): HashingBody {
  return {
    name: body.name,
    sizeBytes: body.sizeBytes,
    chunks: async function* () {
      const chunks = body.chunks()[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { done, value } = await orCancelled(chunks.next(), signal);
          if (done) return;
          yield value;
        }
      } finally {
        // It would wait for the chunk that is being read.
        chunks.return?.().catch(() => {});
      }
    },
    beginning: (maxBytes) => orCancelled(body.beginning(maxBytes), signal),
    close: () => orCancelled(body.close(), signal),
    sha256: () => body.sha256(),
  };
}
