import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { Contract } from '../service/contract/contract';
import type { ImportService } from '../service/importService';
import { type Destination, destinationKey } from './destination';
import { FollowedStore } from './following/followedStore';
import { Follower } from './following/follower';
import { type FindTarget, Refresher } from './following/refresher';
import { Housekeeping } from './housekeeping';
import { type EditorWindow, LEASE_MS, thisWindow } from './leases/windowLease';
import { Files } from './sending/files';
import { Gates } from './sending/gate';
import { Serving } from './sending/serving';
import { type ImportStore, openImportStore, type SetAside } from './store/importStore';
import type { DestinationRow, Filter, Keeping, Served } from './store/model';
import { storePath, textsFolder } from './storePath';
import { type Clock, systemClock } from './timing/clock';

/** A task that is checked less often doesn't keep a lease. */
const SOON_MS = 60_000;

/** What tracking imports needs from the editor. */
export interface TasksPorts {
  /** The folder of the database. */
  readonly folder: string;
  readonly service: ImportService;
  readonly clock?: Clock;
  /** The dataset's target with its access key; undefined if there is no such dataset or no key. May be slow. */
  readonly findTarget: FindTarget;
  /** The contract that a destination has now; undefined if there is no such dataset, or it has another origin. */
  contractOf(destination: Destination): Contract | undefined;
  /** Whether the dataset has this origin and a key, as far as is known: it waits for nothing. */
  canServe(destination: Destination): boolean;
  /** A key may have changed. */
  readKeysAgain(destination?: Destination): void;
  /** How many imports of a destination may be sent at once. */
  allowed(): number;
  /** How many finished rows are kept, and for how long. */
  keeping(): Keeping;
  /** Gets unexpected errors, and those of the store while nobody waits for it. */
  onError(error: unknown): void;
}

/** The parts that run in threads of their own. */
export interface TaskThreads {
  readonly store: ImportStore;
  readonly window: EditorWindow;
  readonly files: Files;
  /** Whether there is a database: a window with nothing to do creates none. */
  exists(): boolean;
}

/** The threads of this window. Nothing is started or created before the first call. */
export function taskThreads(folder: string, onSetAside: (aside: SetAside) => void): TaskThreads {
  const databasePath = storePath(folder);
  const window = thisWindow();
  const program = require.resolve('./store/importStoreProgram');
  const store = openImportStore({ path: databasePath, window }, { program, onSetAside });
  return { store, window, files: new Files(), exists: () => existsSync(databasePath) };
}

/** Stores imports, sends them and follows their tasks. Nothing is read or sent before `serving.start` or the first call. */
export function connectTasks({ store, window, files, exists }: TaskThreads, ports: TasksPorts) {
  const { folder, service, findTarget, contractOf, onError, clock = systemClock } = ports;
  const gates = new Gates(clock, () => ports.allowed());
  const rows = new FollowedStore(store);
  const refresher = new Refresher({ service, rows, findTarget, contractOf, gates, clock });
  const texts = textsFolder(folder);
  const housekeeping = new Housekeeping({ store, clock, textsFolder: texts, keeping: () => ports.keeping() });
  const serving: Serving = new Serving({
    ...{ service, files, store, clock, window, findTarget, onError },
    textsFolder: texts,
    gateOf: (destination) => gates.of(destination),
    exists,
    canServe: ({ dataset, origin }) => ports.canServe({ dataset, origin }),
    checking: () => serving.destinations.filter(isCheckedSoon),
  });
  const rights = {
    untilMs: (destination: Destination) =>
      servesNow(destination) ? clock.monotonicMs() + LEASE_MS : Number.NEGATIVE_INFINITY,
    isElsewhere: (destination: Destination) => {
      const row = rowOf(destination);
      return row !== undefined && row.window !== null && row.window !== window.id;
    },
    readAgain: (destination?: Destination) => ports.readKeysAgain(destination),
  };
  const follower = new Follower({ rows, refresher, rights, clock, onError });
  /** Read at least once: before, it isn't known when a destination's tasks are due. */
  const read = new Set<string>();
  const events = new EventEmitter<{ turn: [Served] }>();

  function rowOf(destination: Destination): DestinationRow | undefined {
    return serving.destinations.find((row) => destinationKey(row) === destinationKey(destination));
  }

  function servesNow(destination: Destination): boolean {
    const row = rowOf(destination);
    return row !== undefined && serving.isServing(row.id);
  }

  function isCheckedSoon(row: DestinationRow): boolean {
    if (!row.unfinished) return false;
    const { waitMs } = refresher.checksOf(row).schedule;
    // Without a time, the tasks are being checked.
    return !read.has(destinationKey(row)) || waitMs === undefined || waitMs <= SOON_MS;
  }

  async function followAll(served: Served): Promise<void> {
    for (const row of served.destinations) {
      const key = destinationKey(row);
      if ((!row.unfinished && !read.has(key)) || !ports.canServe(row)) continue;
      const wanted = await rows.read(row);
      read.add(key);
      if (wanted.length === 0 || !serving.isServing(row.id)) continue;
      const { dataset, origin } = row;
      const named = wanted.map((file) => ({ dataset, origin, key: file }));
      refresher.refreshAll(named, new AbortController().signal).catch(onError);
    }
    follower.onTurn();
  }

  serving.events.on('turn', (served) => {
    followAll(served).then(() => events.emit('turn', served), onError);
    if (served.held.length > 0) housekeeping.onTurn().catch(onError);
  });

  return {
    store,
    files,
    serving,
    refresher,
    follower,
    events,
    clock,
    exists,
    /** Has unfinished tasks checked now, by the window that follows them. @throws StoreFault */
    async refreshStatus(filter: Filter): Promise<number> {
      const count = await store.checkNow(filter);
      await serving.turn();
      return count;
    },
    /** The settings or an access key have changed. */
    async targetsChanged(): Promise<void> {
      follower.endPauses();
      await serving.targetsChanged();
    },
    /** Begins nothing more; resolves once what is known is stored, or after a few seconds. */
    async end(): Promise<void> {
      follower.dispose();
      await serving.stop();
      await store.close();
      files.end();
    },
  };
}

export type Tasks = ReturnType<typeof connectTasks>;
