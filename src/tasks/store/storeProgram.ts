// What a StoreThread runs: calls the operations that messages name, and posts their results.
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '../database/storeError';
import { callOperation, openStore, type StoreCall, type StoreMessage, type StoreSetup } from './storeThread';

const store = openStore(workerData as StoreSetup, (...aside) => post({ setAside: aside }));

parentPort?.on('message', (call: StoreCall) => {
  const { id } = call;
  callOperation(store, call).then(
    (result) => post({ id, result }),
    (error) => {
      const [cause, reason] = error instanceof StoreError ? [error.cause, error.reason] : [error, undefined];
      post({ id, error: cause instanceof Error ? cause.message : String(cause), reason });
    },
  );
});
post({ isReady: true });

function post(message: StoreMessage): void {
  parentPort?.postMessage(message);
}
