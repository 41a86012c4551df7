import type { ImportService } from '../service/importService';
import type { OnSetAside } from './database/sqliteConnection';
import { SqliteFile } from './database/sqliteFile';
import type { OriginOf } from './destination';
import { FollowLeases } from './following/followLeases';
import { type FindTarget, Refresher } from './following/refresher';
import type { ContractOf } from './following/rereadResponses';
import { ImportQueue } from './queue/importQueue';
import { Sources } from './sending/sources';
import { Notices } from './store/notices';
import { TaskList } from './store/taskList';
import { TASK_SCHEMA } from './store/taskSchema';
import { TaskStore } from './store/taskStore';
import { storePath } from './storePath';
import { systemClock } from './timing/clock';

/** What the parts take that store tasks, send imports and follow them. */
export interface TaskPartsDeps {
  /** Where the store is kept. */
  readonly folder: string;
  readonly service: ImportService;
  readonly findTarget: FindTarget;
  readonly originOf: OriginOf;
  readonly contractOf?: ContractOf;
  /** Changes whenever the target of a dataset may have, in any window. */
  readonly targetMark?: (dataset: string) => string;
  /** How many imports may be under way at once. */
  readonly allowed: () => number;
  readonly onSetAside: OnSetAside;
}

/** Makes and connects these parts. None of them does anything yet; the store is opened when it is first needed. */
export function makeTaskParts(deps: TaskPartsDeps) {
  const { folder, service, findTarget, originOf, onSetAside, ...sending } = deps;
  const clock = systemClock;
  const file = new SqliteFile(storePath(folder), TASK_SCHEMA, onSetAside);
  const list = new TaskList(new TaskStore(file, clock));
  const sources = new Sources();
  return {
    file,
    list,
    sources,
    clock,
    queue: new ImportQueue({ service, list, sources, findTarget, originOf, clock, ...sending }),
    refresher: new Refresher(service, list, findTarget, clock, deps.contractOf),
    notices: new Notices(file),
    leases: new FollowLeases(file, clock.monotonicMs),
  };
}
