import type { ImportService } from '../service/importService';
import type { OnSetAside } from './database/sqliteConnection';
import type { Destination, OriginOf } from './destination';
import { FollowedList } from './following/followedList';
import { Follower } from './following/follower';
import { type FindTarget, Refresher } from './following/refresher';
import type { ContractOf } from './responseNow';
import { Files } from './sending/files';
import { Gates } from './sending/gate';
import { Sources } from './sending/sources';
import { checkingRights } from './serving/checkingRights';
import { ImportQueue } from './serving/importQueue';
import { ServingWindow } from './serving/servingWindow';
import type { WhyNotAsked } from './serving/whyNotAsked';
import { StoreThread } from './store/storeThread';
import { TaskList } from './store/taskList';
import { storePath, textsFolder } from './storePath';
import { type Clock, systemClock } from './timing/clock';

/** What the parts take that store tasks, send imports and follow them. */
export interface TaskPartsDeps {
  readonly onSetAside: OnSetAside;
  /** Where the store is kept. */
  readonly folder: string;
  readonly service: ImportService;
  readonly findTarget: FindTarget;
  readonly originOf: OriginOf;
  readonly contractOf?: ContractOf;
  /** Why a destination cannot be asked; undefined where it can, as far as is known. */
  readonly whyNotAsked: (destination: Destination) => WhyNotAsked | undefined;
  /** Gets unexpected errors of what goes on by itself. */
  readonly onError: (error: unknown) => void;
  /** How many imports may be under way at once. */
  readonly allowed: () => number;
  readonly clock?: Clock;
}

/** Makes and connects these parts. None of them does anything yet; the store is opened when it is first needed. */
export function makeTaskParts(deps: TaskPartsDeps) {
  const {
    folder,
    service,
    findTarget,
    originOf,
    whyNotAsked,
    onError,
    allowed,
    clock = systemClock,
    ...sending
  } = deps;
  const store = new StoreThread(storePath(folder), deps.onSetAside);
  const list = new TaskList(store);
  const files = new Files();
  const sources = new Sources(textsFolder(folder), files);
  const gates = new Gates(clock, allowed);
  const rows = new FollowedList(list, clock);
  const { contractOf = () => undefined } = deps;
  const refresher = new Refresher({ service, rows, findTarget, contractOf, gates, clock });
  const canAsk = (destination: Destination) => refresher.canAsk(destination);
  const serving = new ServingWindow({ list, store, clock, whyNotAsked, canAsk, onError });
  const queue = new ImportQueue({ service, list, sources, findTarget, originOf, clock, serving, gates, ...sending });
  const rights = checkingRights(serving);
  const follower = new Follower({ rows, refresher, rights, clock, onError });
  rights.connect(follower);
  return {
    store,
    list,
    files,
    sources,
    clock,
    serving,
    queue,
    refresher,
    follower,
    notices: store.notices,
    contents: store.contents,
    /** Begins nothing any more; resolves once what is known is stored. */
    async end(): Promise<void> {
      follower.dispose();
      await queue.stop();
      await serving.stop();
      await store.close();
      files.end();
    },
  };
}
