// Everything the store can do, by name. Each operation is a function of a transaction and one plain argument.
import { announce, batches, batchPage } from './batches';
import { cancel, remove, undo } from './canceling';
import { leave, pause, rename, serve, tryNow } from './leases';
import { changesSince, counts, details, groups, page, textFiles } from './lists';
import { clear, forget, known, knownPaths } from './memory';
import { queue } from './queueing';
import { begin, end, next, putBack } from './sendPath';
import { attach, markUploaded, report, stopTracking, track, unfinishedTasks } from './tasks';
import type { Rest, Tx } from './tx';

/** These only read, or find out whether there is something to write: they don't lock out other windows. */
export const READS = {
  serve,
  announce,
  next,
  unfinishedTasks,
  changesSince,
  page,
  groups,
  counts,
  batches,
  batchPage,
  known,
  knownPaths,
  details,
  textFiles,
};

export const WRITES = {
  queue,
  begin,
  end,
  putBack,
  cancel,
  report,
  attach,
  track,
  markUploaded,
  stopTracking,
  remove,
  undo,
  clear,
  forget,
  pause,
  tryNow,
  rename,
  leave,
};

type Operations = typeof READS & typeof WRITES;

/** The result of an operation, once nothing is left to do. */
type ResultOf<Returned> = Returned extends Rest<infer Result> ? Result : Returned;

/** The operations, for the host. A call that fails rejects with StoreFault. */
export type ImportStoreCalls = {
  readonly [Name in keyof Operations]: Operations[Name] extends (tx: Tx, argument: infer Argument) => infer Returned
    ? (argument: Argument) => Promise<ResultOf<Returned>>
    : never;
};
