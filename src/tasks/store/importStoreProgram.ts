// The table of the store's operations, and the worker that runs them.
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../timing/clock';
import { type EditorWindow, WindowWatch } from '../windowWatch';
import { answerCalls } from '../workerCalls';
import { announce, batches, batchPage } from './batches';
import { cancel } from './canceling';
import { checkAgain, checkNow, passedStatuses, responses, unfinishedTasks } from './checking';
import { LOCK_TIMEOUT_MS } from './connection';
import { destinations, leave, pause, rename, serve, tryNow } from './leases';
import { changedPaths, changesSince, counts, details, groups, page, progress, rowsAfter, textFiles } from './lists';
import { forget, known, knownFolders, knownPaths, lastDataset, move, noteTimes } from './memory';
import { queue } from './queueing';
import { clear, remove, undo } from './removing';
import { MIGRATIONS } from './schema';
import { begin, end, next, putBack } from './sendPath';
import { faultOf } from './storeFault';
import { attach, markUploaded, report, stopTracking, track } from './tasks';
import { Transactions } from './transactions';
import type { Rest, ThreadState, Tx } from './tx';

/** Operations that only read, or that read before they decide whether to write. They don't block other windows. */
const READS = {
  passedStatuses,
  serve,
  announce,
  report,
  next,
  unfinishedTasks,
  changesSince,
  changedPaths,
  page,
  rowsAfter,
  groups,
  counts,
  progress,
  destinations,
  batches,
  batchPage,
  known,
  knownFolders,
  knownPaths,
  lastDataset,
  details,
  responses,
  textFiles,
};

const WRITES = {
  queue,
  begin,
  end,
  putBack,
  cancel,
  checkAgain,
  checkNow,
  attach,
  track,
  markUploaded,
  stopTracking,
  remove,
  undo,
  move,
  noteTimes,
  clear,
  forget,
  pause,
  tryNow,
  rename,
  leave,
};

type Operations = typeof READS & typeof WRITES;

/** The result of an operation after its last step. */
type ResultOf<Returned> = Returned extends Rest<infer Result> ? Result : Returned;

/** The operations as the extension host calls them. A failed call rejects with a StoreFault. */
export type ImportStoreCalls = {
  readonly [Name in keyof Operations]: Operations[Name] extends (tx: Tx, argument: infer Argument) => infer Returned
    ? (argument: Argument) => Promise<ResultOf<Returned>>
    : never;
};

/** The data passed to the worker when it starts. */
export interface StoreSetup {
  readonly path: string;
  readonly window: EditorWindow;
}

/** Runs an operation by name. */
export function perform(transactions: Transactions, operation: string, argument: unknown): Promise<unknown> {
  const writes = Object.hasOwn(WRITES, operation);
  const run = ({ ...READS, ...WRITES } as Readonly<Record<string, unknown>>)[operation];
  return transactions.do(writes, (tx) => (run as (tx: Tx, argument: unknown) => unknown)(tx, argument));
}

export function threadState(window: EditorWindow, clock: ThreadState['clock'], schema: number): ThreadState {
  return { window, clock, schema, watch: new WindowWatch(window, clock.monotonicMs), renewal: { beat: 0, ms: 0 } };
}

if (parentPort !== null) {
  const port = parentPort;
  const { path, window } = workerData as StoreSetup;
  const onSetAside = (aside: string, reason: string) => port.postMessage([{ notice: { aside, reason } }]);
  const setup = { path, migrations: MIGRATIONS, lockTimeoutMs: LOCK_TIMEOUT_MS, onSetAside };
  const transactions = new Transactions(setup, threadState(window, systemClock, MIGRATIONS.length));
  const dataOf = (error: unknown) => {
    const { reason, message } = faultOf(error);
    return { reason, message };
  };
  answerCalls(port, (name, argument) => perform(transactions, name, argument), dataOf);
}
