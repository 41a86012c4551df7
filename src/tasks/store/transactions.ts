import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Connection, type ConnectionSetup } from './connection';
import { faultOf, type StoreFault } from './storeFault';
import { Rest, type Step, type ThreadState, Tx } from './tx';

/** Max operations in one commit. Other windows wait during a commit. */
const MAX_GROUP = 200;

interface Waiting {
  readonly writes: boolean;
  readonly run: (tx: Tx) => Step<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: StoreFault) => void;
  /** Set after a failed transaction, to retry the operation in its own transaction. */
  readonly alone: boolean;
}

/**
 * Runs operations in order, each in a SAVEPOINT. Operations that arrive during a commit share the next commit, because
 * each commit waits for the disk.
 */
export class Transactions {
  readonly #connection: Connection;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(
    setup: ConnectionSetup,
    private readonly thread: ThreadState,
  ) {
    this.#connection = new Connection(setup, thread);
  }

  /** Set `writes` if the operation may write. @throws StoreFault */
  do<Result>(writes: boolean, run: (tx: Tx) => Step<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ writes, run, resolve: resolve as (result: unknown) => void, reject, alone: false });
      this.#running ??= this.#work();
    });
  }

  /** Closes the file once all operations have ended. A later operation opens it again. */
  async close(): Promise<void> {
    await this.#running;
    this.#connection.close();
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Let messages that arrived during the last commit join this commit.
      await nextTurn();
      // Operations to retry come first.
      this.#commit(this.#waiting.splice(0, this.#waiting[0]?.alone ? 1 : MAX_GROUP));
    }
    this.#running = undefined;
  }

  #commit(group: readonly Waiting[]): void {
    try {
      for (const settle of this.#transaction(group)) settle();
    } catch (error) {
      const fault = this.#connection.recover(faultOf(error));
      // Don't retry: SQLite has already waited for the lock, and the version won't change on its own.
      const isFinal = fault.reason === 'locked' || fault.reason === 'newer' || fault.reason === 'older';
      const isDone = (one: Waiting) => isFinal || one.alone;
      for (const one of group.filter(isDone)) one.reject(fault);
      this.#waiting.unshift(...group.filter((one) => !isDone(one)).map((one) => ({ ...one, alone: true })));
    }
  }

  /** Returns functions that settle the operations. Call them once the commit is on disk. */
  #transaction(group: readonly Waiting[]): (() => void)[] {
    const db = this.#connection.begin(group.some(({ writes }) => writes));
    const tx = new Tx(db, this.thread);
    const settled = group.map((one) => this.#runOne(db, tx, one));
    db.exec('COMMIT');
    return settled;
  }

  #runOne(db: DatabaseSync, tx: Tx, one: Waiting): () => void {
    if (one.writes) db.exec('SAVEPOINT operation');
    try {
      const result = one.run(tx);
      if (one.writes) db.exec('RELEASE operation');
      if (!(result instanceof Rest)) return () => one.resolve(result);
      return () => this.#waiting.push({ ...one, writes: true, run: result.run, alone: false });
    } catch (error) {
      const fault = faultOf(error);
      if (fault.reason !== 'invalid') throw fault;
      if (one.writes) db.exec('ROLLBACK TO operation; RELEASE operation');
      return () => one.reject(fault);
    }
  }
}
