import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { ImportService } from '../service/importService';
import { Following, type FollowingPorts } from './following/following';
import { housekeeping } from './housekeeping';
import { Files } from './sending/files';
import { Gate } from './sending/gate';
import { Serving } from './sending/serving';
import { openImportStore, type SetAside } from './store/importStore';
import { type Destination, destinationKey, type Filter, type Retention, type Served } from './store/model';
import { storePath, textsFolder } from './storePath';
import { type Clock, systemClock } from './timing/clock';
import { thisWindow } from './windowWatch';

/** Services and settings provided by the editor. */
export interface TasksPorts
  extends Pick<FollowingPorts, 'findTarget' | 'contractOf' | 'canServe' | 'readKeysAgain' | 'onError'> {
  /** The database folder. */
  readonly folder: string;
  readonly service: ImportService;
  readonly clock?: Clock;
  /** Max imports in flight per destination. */
  allowed(): number;
  /** How many finished rows to keep, and for how long. */
  retention(): Retention;
}

/** Sets up a window's worker threads. The threads are started and the database is created only when first needed. */
export function taskThreads(folder: string, onSetAside: (aside: SetAside) => void) {
  const databasePath = storePath(folder);
  const window = thisWindow();
  const program = require.resolve('./store/importStoreProgram');
  const store = openImportStore({ path: databasePath, window }, { program, onSetAside });
  // A window with nothing to do doesn't create the database.
  return { store, window, files: new Files(), exists: () => existsSync(databasePath) };
}

/**
 * Connects the store, the uploads and the status checks. Nothing is read or sent until `serving.start` or another
 * method is called.
 */
export function connectTasks(threads: ReturnType<typeof taskThreads>, ports: TasksPorts) {
  const { store, files } = threads;
  const { folder, onError, clock = systemClock } = ports;
  const gates = new Map<string, Gate>();
  const gateOf = (destination: Destination) => {
    const key = destinationKey(destination);
    const gate = gates.get(key) ?? new Gate(clock, () => ports.allowed());
    gates.set(key, gate);
    return gate;
  };
  const texts = textsFolder(folder);
  const cleanUp = housekeeping({ store, clock, textsFolder: texts, retention: () => ports.retention() });
  const serving: Serving = new Serving({
    ...ports,
    ...threads,
    clock,
    gateOf,
    textsFolder: texts,
    checking: () => serving.destinations.filter((row) => following.isDueSoon(row)),
  });
  const isServing = (destination: number) => serving.isServing(destination);
  const following = new Following({ ...ports, store, gateOf, clock, isServing });
  const events = new EventEmitter<{ turn: [Served] }>();

  serving.events.on('turn', (served) => {
    following.onTurn(served.destinations).then(() => events.emit('turn', served), onError);
    if (served.held.length > 0) cleanUp().catch(onError);
  });
  // Another window may have replaced the key without notifying this window.
  serving.events.on('badKey', (served) => {
    const reread = served.targetChanged();
    reread.then(() => following.targetChanged(served.row)).catch(onError);
  });

  return {
    store,
    files,
    serving,
    following,
    events,
    clock,
    /** Makes the serving window check unfinished tasks now. @throws StoreFault */
    async refreshStatus(filter: Filter): Promise<number> {
      const count = await store.checkNow(filter);
      await serving.turn();
      return count;
    },
    /** Call this after a change to the settings or to an access key. */
    async targetsChanged(): Promise<void> {
      await serving.targetsChanged();
      await following.targetsChanged();
    },
    /** Stops uploads and status checks. Resolves once all outcomes are stored, or after a few seconds. */
    async end(): Promise<void> {
      following.dispose();
      await serving.stop();
      await store.close();
      files.end();
    },
  };
}

export type Tasks = ReturnType<typeof connectTasks>;
