// What a HashThread runs: hashes each chunk that comes and then says so; responds to `undefined` with the SHA-256 of all.
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

const hash = createHash('sha256');
parentPort?.on('message', (chunk: Uint8Array | undefined) => {
  if (chunk === undefined) parentPort?.postMessage(hash.digest('hex'));
  else parentPort?.postMessage(void hash.update(chunk));
});
