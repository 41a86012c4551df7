// The program of the worker: runs the operations of the store on its file.
import { parentPort, workerData } from 'node:worker_threads';
import { type EditorWindow, LeaseWatch } from '../leases/windowLease';
import { systemClock } from '../timing/clock';
import { LOCK_TIMEOUT_MS } from './connection';
import { READS, WRITES } from './operations';
import { MIGRATIONS } from './schema';
import { faultOf } from './storeFault';
import { Transactions } from './transactions';
import type { ThreadState, Tx } from './tx';
import { answerCalls } from './workerCalls';

/** The worker's start data. */
export interface StoreSetup {
  readonly path: string;
  readonly window: EditorWindow;
}

/** Runs an operation by its name. */
export function perform(transactions: Transactions, operation: string, argument: unknown): Promise<unknown> {
  const writes = Object.hasOwn(WRITES, operation);
  const run = ({ ...READS, ...WRITES } as Readonly<Record<string, unknown>>)[operation];
  return transactions.do(writes, (tx) => (run as (tx: Tx, argument: unknown) => unknown)(tx, argument));
}

export function threadState(window: EditorWindow, clock: ThreadState['clock'], schema: number): ThreadState {
  const watch = new LeaseWatch(window, clock.monotonicMs);
  return { window, clock, schema, watch, renewal: { beat: 0, ms: 0 } };
}

if (parentPort !== null) {
  const port = parentPort;
  const { path, window } = workerData as StoreSetup;
  const transactions = new Transactions(
    {
      path,
      migrations: MIGRATIONS,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      onSetAside: (aside, reason) => port.postMessage({ notice: { aside, reason } }),
    },
    threadState(window, systemClock, MIGRATIONS.length),
  );
  answerCalls(
    port,
    (operation, argument) => perform(transactions, operation, argument),
    (error) => {
      const { reason, message } = faultOf(error);
      return { reason, message };
    },
  );
}
