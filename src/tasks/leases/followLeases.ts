import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../database/sqliteConnection';
import type { SqliteFile } from '../database/sqliteFile';
import { type EditorWindow, LEASE_MS, type LeaseHolder, LeaseWatch, thisWindow } from './windowLease';

/** How often this window renews what it has in the store; the others take it for gone after `LEASE_MS`. */
const RENEW_MS = LEASE_MS / 3;

/** Who follows what, and where a person looks, as a window finds it in the store. */
export interface FollowState {
  /** The destinations that this window follows, by their keys. */
  readonly held: ReadonlySet<string>;
  /** The destinations that another window follows. */
  readonly elsewhere: ReadonlySet<string>;
  /** Until when they are certainly this window's, by the clock's `monotonicMs`. */
  readonly heldUntilMs: number;
  /** Whether any window shows a view of ours. */
  readonly isWatched: boolean;
  /** The keys of the tasks that a person looks at, in any window. */
  readonly looked: ReadonlySet<number>;
}

interface Follower extends LeaseHolder {
  /** Keys as JSON; null where the window shows no view. */
  readonly looked: string | null;
}

/**
 * The tables `followers` (the windows that follow tasks or show them) and `follow_leases` (which of them follows a
 * destination). A lease passes to another window once its holder gives it up or is gone.
 */
export class FollowLeases {
  readonly #file: SqliteFile;
  readonly #window: EditorWindow;
  readonly #monotonicMs: () => number;
  readonly #watch: LeaseWatch;
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(file: SqliteFile, monotonicMs: () => number, window: EditorWindow = thisWindow()) {
    this.#file = file;
    this.#window = window;
    this.#monotonicMs = monotonicMs;
    this.#watch = new LeaseWatch(window, monotonicMs);
  }

  /**
   * Takes what is free of the destinations that this window can ask, gives up the others that it holds, and says what a
   * person looks at here; `looked` is undefined while no view is visible. To be called every few seconds, as it also
   * renews what is held; mostly it only reads. @throws StoreError
   */
  async update(wanted: readonly string[], looked: readonly number[] | undefined): Promise<FollowState> {
    const nowMs = this.#monotonicMs();
    const shown = looked === undefined ? null : JSON.stringify(looked);
    const before = await this.#file.read((db) => this.#read(db));
    const isDue = nowMs - this.#renewedMs >= RENEW_MS;
    if (!this.#mustWrite(before, wanted, shown, isDue)) return this.#stateOf(before);
    const after = await this.#file.write((db) => this.#write(db, before, wanted, shown));
    this.#renewedMs = nowMs;
    return this.#stateOf(after);
  }

  /** Gives up everything, so that another window may go on at once. @throws StoreError */
  async release(): Promise<void> {
    if (this.#renewedMs === Number.NEGATIVE_INFINITY || !this.#file.exists) return;
    this.#renewedMs = Number.NEGATIVE_INFINITY;
    await this.#file.write((db) => this.#leave(db));
  }

  #read(db: DatabaseSync): Stored {
    const followers = prepared(db, 'SELECT * FROM followers').all() as unknown as Follower[];
    const gone = this.#watch.goneAmong(followers);
    return { ...leasesIn(db), followers, gone: followers.filter(({ id }) => gone.includes(id)) };
  }

  #mustWrite({ followers, gone, holders }: Stored, wanted: readonly string[], shown: string | null, isDue: boolean) {
    const here = this.#window.id;
    const own = followers.find(({ id }) => id === here);
    const held = [...holders].filter(([, id]) => id === here).map(([destination]) => destination);
    const isFree = (destination: string) => !followers.some(({ id }) => id === holders.get(destination));
    const needsRow = shown !== null || wanted.some((destination) => isFree(destination) || held.includes(destination));
    return (
      gone.length > 0 ||
      wanted.some(isFree) ||
      held.some((destination) => !wanted.includes(destination)) ||
      (own?.looked ?? null) !== shown ||
      needsRow !== (own !== undefined) ||
      (needsRow && isDue)
    );
  }

  #write(db: DatabaseSync, { gone }: Stored, wanted: readonly string[], shown: string | null): Stored {
    const { id, machine, pid } = this.#window;
    // Unless it has renewed its lease since.
    for (const other of gone) prepared(db, 'DELETE FROM followers WHERE id = ? AND beat = ?').run(other.id, other.beat);
    prepared(db, RENEW).run(id, machine, pid, shown);
    db.exec('DELETE FROM follow_leases WHERE follower NOT IN (SELECT id FROM followers)');
    const among = 'destination IN (SELECT value FROM json_each(?))';
    prepared(db, `DELETE FROM follow_leases WHERE follower = ? AND NOT ${among}`).run(id, JSON.stringify(wanted));
    const take = 'INSERT OR IGNORE INTO follow_leases SELECT value, ? FROM json_each(?)';
    prepared(db, take).run(id, JSON.stringify(wanted));
    const leases = leasesIn(db);
    if (shown === null && ![...leases.holders.values()].includes(id)) this.#leave(db);
    const followers = prepared(db, 'SELECT * FROM followers').all() as unknown as Follower[];
    return { ...leases, followers, gone: [] };
  }

  #leave(db: DatabaseSync): void {
    prepared(db, 'DELETE FROM follow_leases WHERE follower = ?').run(this.#window.id);
    prepared(db, 'DELETE FROM followers WHERE id = ?').run(this.#window.id);
  }

  #stateOf({ followers, gone, holders }: Stored): FollowState {
    const here = this.#window.id;
    const destinations = (isTheirs: (id: string) => boolean) =>
      new Set([...holders].filter(([, id]) => isTheirs(id)).map(([destination]) => destination));
    const isThere = ({ id }: Follower) => !gone.some((other) => other.id === id);
    const views = followers.filter(isThere).flatMap(({ looked }) => looked ?? []);
    return {
      held: destinations((id) => id === here),
      elsewhere: destinations((id) => id !== here),
      heldUntilMs: this.#renewedMs + LEASE_MS,
      isWatched: views.length > 0,
      looked: new Set(views.flatMap((keys) => JSON.parse(keys) as number[])),
    };
  }
}

/** What is in the store; `gone` are the windows that have left something and are no longer there. */
interface Stored {
  readonly followers: readonly Follower[];
  readonly gone: readonly Follower[];
  /** The ids of the windows that follow, by destination. */
  readonly holders: ReadonlyMap<string, string>;
}

function leasesIn(db: DatabaseSync): Pick<Stored, 'holders'> {
  const rows = prepared(db, 'SELECT * FROM follow_leases').all();
  return { holders: new Map(rows.map((row) => [String(row['destination']), String(row['follower'])])) };
}

const RENEW = `INSERT INTO followers VALUES (?, ?, ?, 1, ?) ON CONFLICT (id)
  DO UPDATE SET machine = excluded.machine, pid = excluded.pid, beat = beat + 1, looked = excluded.looked`;
