import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { type Destination, destinationKey } from '../destination';
import { counted } from '../rows/counts';
import { changeTask, nextRevision, selectTasks } from '../rows/taskTable';
import type { Clock } from '../timing/clock';
import type { TrackedTask } from '../trackedTask';
import { type EditorWindow, LEASE_MS, LeaseWatch, type ListedWindow } from './windowLease';

/** How often a window renews what it has in the store; the others take it for gone after `LEASE_MS`. */
const RENEW_MS = LEASE_MS / 3;

/** What a window wants of the leases. */
export interface LeaseWish {
  /** The keys of the destinations that have something to do, and that this window can serve. */
  readonly wanted: readonly string[];
  /** Those of them that lack an access key here: a window that has it serves them instead. */
  readonly lacking?: readonly string[];
  /** Whether this window is to report the end of imports. */
  readonly isReporting: boolean;
}

/** Who serves what, and what windows want of each other, as a window finds it in the store. */
export interface LeaseState {
  /** The destinations that this window serves, by their keys, with how often other windows wanted to try now. */
  readonly held: ReadonlyMap<string, number>;
  /** Those that another window serves, with the text of their pause. */
  readonly elsewhere: ReadonlyMap<string, string | null>;
  /** Until when no other window takes this one for gone, by the clock's `monotonicMs`. */
  readonly heldUntilMs: number;
  /** The ids of the windows that are there. */
  readonly windows: ReadonlySet<string>;
  /** The keys of imports that were being sent by a window that is gone, and are unconfirmed since this update. */
  readonly interrupted: readonly number[];
}

interface Lease {
  readonly destination: string;
  readonly window: string;
  readonly pause: string | null;
  readonly able: number;
  readonly tries: number;
}

/** What is in the store; `gone` are the windows that have left something and are no longer there. */
interface Stored {
  readonly windows: readonly ListedWindow[];
  readonly gone: readonly ListedWindow[];
  readonly leases: readonly Lease[];
  /** The ids of the windows that are sending something. */
  readonly senders: readonly string[];
}

/**
 * The tables `windows` (who is there) and `leases` (which of them serves a destination: sends its imports, and follows its
 * tasks). A lease passes to another window once its holder gives it up, is gone, or lacks the access key that the other one
 * has; or by {@link claim}.
 */
export class Leases {
  readonly #file: SqliteFile;
  readonly #window: EditorWindow;
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>;
  readonly #watch: LeaseWatch;
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(file: SqliteFile, clock: Pick<Clock, 'now' | 'monotonicMs'>, window: EditorWindow) {
    this.#file = file;
    this.#window = window;
    this.#clock = clock;
    this.#watch = new LeaseWatch(window, clock.monotonicMs);
  }

  /**
   * Takes what is free of what is wanted, and gives up everything else that this window holds. To be called every second,
   * as it also renews what is held; mostly it only reads. @throws StoreError
   */
  async update(wish: LeaseWish): Promise<LeaseState> {
    const nowMs = this.#clock.monotonicMs();
    const before = await this.#file.tryRead((db) => this.#read(db));
    const isDue = nowMs - this.#renewedMs >= RENEW_MS;
    if (!this.#mustWrite(before, wish, isDue)) return this.#stateOf(before);
    const { interrupted, ...after } = await this.#file.tryWrite((db) => this.#write(db, before, wish));
    this.#renewedMs = nowMs;
    return this.#stateOf(after, interrupted);
  }

  /** Gives up everything, so that another window may go on at once. @throws StoreError */
  async release(): Promise<void> {
    if (!this.#file.exists) return;
    const isListed = (db: DatabaseSync) => windowsIn(db).some(({ id }) => id === this.#window.id);
    if (await this.#file.tryRead(isListed)) await this.#file.tryWrite((db) => this.#leave(db));
  }

  /** Shows the other windows why a destination pauses that this window serves; null for no pause. @throws StoreError */
  async showPause(destination: string, pause: string | null): Promise<void> {
    const show = 'UPDATE leases SET pause = ? WHERE destination = ? AND window = ?';
    await this.#file.tryWrite((db) => prepared(db, show).run(pause, destination, this.#window.id));
  }

  /** Lets the windows that serve these destinations try now. @throws StoreError */
  async tryNow(destinations: readonly string[]): Promise<void> {
    const wish = 'UPDATE leases SET tries = tries + 1 WHERE destination IN (SELECT value FROM json_each(?))';
    await this.#file.write((db) => prepared(db, wish).run(JSON.stringify(destinations)));
  }

  #read(db: DatabaseSync): Stored {
    const windows = windowsIn(db);
    const gone = this.#watch.goneAmong(windows);
    return { ...leasesIn(db), windows, gone: windows.filter(({ id }) => gone.includes(id)) };
  }

  #mustWrite({ windows, gone, leases, senders }: Stored, wish: LeaseWish, isDue: boolean): boolean {
    const { wanted, lacking = [], isReporting } = wish;
    const here = this.#window.id;
    const holders = new Map(leases.map(({ destination, window }) => [destination, window]));
    const held = [...holders].filter(([, id]) => id === here).map(([destination]) => destination);
    const isThere = (window: string | undefined) => windows.some(({ id }) => id === window);
    const unable = new Set(leases.flatMap(({ destination, able }) => (able === 1 ? [] : [destination])));
    const isFree = (destination: string) =>
      !isThere(holders.get(destination)) || (unable.has(destination) && !lacking.includes(destination));
    const wishes = wanted.some((destination) => isFree(destination) || held.includes(destination));
    const isNeeded = isReporting || senders.includes(here) || wishes;
    return (
      gone.length > 0 ||
      wanted.some(isFree) ||
      held.some((destination) => !wanted.includes(destination)) ||
      held.some((destination) => lacking.includes(destination) !== unable.has(destination)) ||
      senders.some((window) => window !== here && !isThere(window)) ||
      isNeeded !== windows.some(({ id }) => id === here) ||
      (isNeeded && isDue)
    );
  }

  #write(db: DatabaseSync, { gone }: Stored, { wanted, lacking = [], isReporting }: LeaseWish) {
    const { id } = this.#window;
    // Unless it has renewed its lease since.
    for (const other of gone) prepared(db, 'DELETE FROM windows WHERE id = ? AND beat = ?').run(other.id, other.beat);
    renew(db, this.#window);
    db.exec('DELETE FROM leases WHERE window NOT IN (SELECT id FROM windows)');
    const giveUp = 'DELETE FROM leases WHERE window = ? AND destination NOT IN (SELECT value FROM json_each(?))';
    prepared(db, giveUp).run(id, JSON.stringify(wanted));
    for (const destination of wanted) prepared(db, TAKE).run(destination, id, Number(!lacking.includes(destination)));
    const interrupted = this.#endInterrupted(db);
    const after = leasesIn(db);
    const isBusy = after.senders.includes(id) || after.leases.some(({ window }) => window === id);
    if (!isReporting && !isBusy) this.#leave(db);
    return { ...after, windows: windowsIn(db), gone: [], interrupted };
  }

  /** Ends the imports that windows were sending which are gone. */
  #endInterrupted(db: DatabaseSync): number[] {
    const there = new Set(windowsIn(db).map(({ id }) => id));
    const left = selectTasks(db, "WHERE state = 'sending'").filter(
      ({ phase }) => phase.kind === 'sending' && !there.has(windowOf(phase.attemptId)),
    );
    if (left.length === 0) return [];
    const nowMs = this.#clock.now();
    const writing = { revision: nextRevision(db), nowMs };
    const keys = left.map(({ key }) => key);
    counted(db, keys, () => {
      for (const task of left)
        changeTask(db, task, { ...interrupted(task, nowMs), revision: writing.revision }, writing);
    });
    return keys;
  }

  #leave(db: DatabaseSync): void {
    prepared(db, 'DELETE FROM leases WHERE window = ?').run(this.#window.id);
    prepared(db, 'DELETE FROM windows WHERE id = ?').run(this.#window.id);
  }

  #stateOf({ windows: all, gone, leases }: Stored, interrupted: readonly number[] = []): LeaseState {
    const here = this.#window.id;
    const windows = all.filter(({ id }) => !gone.some((other) => other.id === id));
    const held = leases.filter(({ window }) => window === here);
    return {
      held: new Map(held.map(({ destination, tries }) => [destination, tries])),
      elsewhere: new Map(
        leases.flatMap(({ destination, window, pause }) => (window === here ? [] : [[destination, pause]])),
      ),
      heldUntilMs: this.#renewedMs + LEASE_MS,
      windows: new Set(windows.map(({ id }) => id)),
      interrupted,
    };
  }
}

/** Notes in a transaction that a window is there. */
export function renew(db: DatabaseSync, { id, machine, pid }: EditorWindow): void {
  prepared(db, RENEW).run(id, machine, pid);
}

/**
 * Gives the lease of a destination to the window in which a person imports, in a transaction: not where an upload is under
 * way or the destination pauses, whose window goes on with all.
 */
export function claim(db: DatabaseSync, window: EditorWindow, destination: Destination): void {
  renew(db, window);
  const { dataset, origin = null } = destination;
  prepared(db, CLAIM).run(destinationKey(destination), window.id, JSON.stringify(dataset), origin);
}

/** Whether a window serves a destination, in a transaction: only it may begin to send there. */
export function isServedBy(db: DatabaseSync, { id }: EditorWindow, destination: Destination): boolean {
  const held = prepared(db, 'SELECT 1 FROM leases WHERE destination = ? AND window = ?');
  return held.get(destinationKey(destination), id) !== undefined;
}

/** An id for an attempt of a window to send an import, given how many there were before. */
export function attemptIdOf({ id }: EditorWindow, count: number): string {
  return `${id} ${count}`;
}

function windowOf(attemptId: string): string {
  return attemptId.split(' ')[0] ?? '';
}

/** An import whose window is closed. Only that window knew how much was sent. */
function interrupted(task: TrackedTask, nowMs: number): TrackedTask {
  const attemptId = task.phase.kind === 'sending' ? task.phase.attemptId : '';
  const failure = { name: 'WindowClosed', attemptId, detail: '' } as const;
  const end = { kind: 'unconfirmed', failure, sentBytes: 0, totalBytes: 0 } as const;
  const attempt = { beganMs: task.createdMs, endedMs: nowMs, sentBytes: 0, totalBytes: 0, end };
  return { ...task, phase: end, attempts: [...task.attempts, attempt] };
}

function leasesIn(db: DatabaseSync): Pick<Stored, 'leases' | 'senders'> {
  const leases = prepared(db, 'SELECT * FROM leases').all() as unknown as Lease[];
  const attempts = prepared(db, ATTEMPTS)
    .all()
    .map(({ attempt }) => windowOf(String(attempt)));
  return { leases, senders: [...new Set(attempts)] };
}

function windowsIn(db: DatabaseSync): ListedWindow[] {
  return prepared(db, 'SELECT * FROM windows').all() as unknown as ListedWindow[];
}

const RENEW = `INSERT INTO windows (id, machine, pid, beat) VALUES (?, ?, ?, 1)
  ON CONFLICT (id) DO UPDATE SET machine = excluded.machine, pid = excluded.pid, beat = beat + 1`;

const ATTEMPTS = `SELECT phase ->> 'attemptId' AS attempt FROM tasks WHERE state = 'sending'`;

const TAKE = `INSERT INTO leases (destination, window, able) VALUES (?, ?, ?)
  ON CONFLICT (destination) DO UPDATE SET able = excluded.able, pause = iif(window = excluded.window, pause, NULL),
    window = excluded.window
  WHERE (window = excluded.window AND able <> excluded.able) OR (window <> excluded.window AND able < excluded.able)`;

const CLAIM = `INSERT INTO leases (destination, window) SELECT ?1, ?2
  WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE state = 'sending' AND dataset = ?3 AND origin IS ?4)
  ON CONFLICT (destination) DO UPDATE SET window = excluded.window, able = 1
  WHERE window <> excluded.window AND (pause IS NULL OR window NOT IN (SELECT id FROM windows))`;
