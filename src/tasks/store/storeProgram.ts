// What a StoreThread runs: calls the operations that messages name, and posts their results.
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteFile } from '../database/sqliteFile';
import { StoreError } from '../database/storeError';
import { systemClock } from '../timing/clock';
import { storeHere } from './store';
import type { StoreCall, StoreMessage, StoreSetup } from './storeThread';
import { TASK_SCHEMA } from './taskSchema';

const { path, window }: StoreSetup = workerData;
const post = (message: StoreMessage) => parentPort?.postMessage(message);
const file = new SqliteFile(path, TASK_SCHEMA, (...aside) => post({ setAside: aside }));
const store = storeHere(file, window, systemClock);

parentPort?.on('message', (call: StoreCall) => {
  const { id } = call;
  callOperation(call).then(
    (result) => post({ id, result }),
    (error) => {
      const [cause, reason] = error instanceof StoreError ? [error.cause, error.reason] : [error, undefined];
      post({ id, error: cause instanceof Error ? cause.message : String(cause), reason });
    },
  );
});

/** Calls the operation that a message names. */
async function callOperation({ part, operation, args }: StoreCall): Promise<unknown> {
  const operations = (part === undefined ? store : store[part]) as unknown as Readonly<Record<string, Operation>>;
  return operations[operation]?.(...args);
}

type Operation = (...args: readonly unknown[]) => Promise<unknown>;
