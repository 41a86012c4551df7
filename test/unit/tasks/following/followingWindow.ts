import { setImmediate } from 'node:timers/promises';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { FollowedList } from '../../../../src/tasks/following/followedList';
import { Follower } from '../../../../src/tasks/following/follower';
import type { Refresher } from '../../../../src/tasks/following/refresher';
import { type EditorWindow, thisWindow } from '../../../../src/tasks/leases/windowLease';
import type { ContractOf } from '../../../../src/tasks/responseNow';
import { checkingRights } from '../../../../src/tasks/serving/checkingRights';
import type { ServingWindow } from '../../../../src/tasks/serving/servingWindow';
import type { WhyNotAsked } from '../../../../src/tasks/serving/whyNotAsked';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { Clock } from '../../../../src/tasks/timing/clock';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import type { RawServer } from '../../service/rawServer';
import { target } from '../../service/wire';
import { servingOf } from '../editorWindow';
import type { HandClock } from '../handClock';
import { type TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';
import { refresherOf } from './refresherOf';

/** A window that follows the tasks of datasets behind these servers; it has an access key unless `keys` lacks one. */
export interface FollowingWindow extends AsyncDisposable {
  readonly list: TaskList;
  readonly refresher: Refresher;
  readonly follower: Follower;
  readonly serving: ServingWindow;
  /** The datasets of which it has no key. */
  readonly lacksKey: Set<string>;
  readonly errors: unknown[];
  /** Tracks so many more tasks of a dataset. */
  add(dataset: string, count?: number): Promise<TrackedTask[]>;
}

export interface WindowFacts {
  readonly store: TemporaryStore;
  readonly servers: Readonly<Record<string, RawServer>>;
  readonly clock: Clock;
  /** What its requests carry, by which a server tells windows apart. */
  readonly accessKey?: string;
  readonly window?: EditorWindow;
  /** Is asked for it as each response is read. */
  readonly contractOf?: ContractOf;
  /** How long it waits for a lock of the store. */
  readonly patienceMs?: number;
}

/** Opens a window and begins to follow. */
export function followingWindow(facts: WindowFacts): FollowingWindow {
  const { store, servers, clock, accessKey = 'ak-here', window = thisWindow(), patienceMs, contractOf } = facts;
  const list = store.list(clock.now, patienceMs, window);
  const lacksKey = new Set<string>();
  const errors: unknown[] = [];
  const rows = new FollowedList(list, clock);
  const refresher = refresherOf(
    list,
    async (dataset) => {
      const server = servers[dataset];
      return server && !lacksKey.has(dataset) ? { ...target(server.url), accessKey } : undefined;
    },
    clock,
    { rows, ...(contractOf && { contractOf }) },
  );
  const onError = (error: unknown) => errors.push(error);
  const serving = servingOf(list, clock, {
    whyNotAsked: ({ dataset }): WhyNotAsked | undefined => (lacksKey.has(dataset) ? { kind: 'noKey' } : undefined),
    canAsk: (destination) => refresher.canAsk(destination),
    onError,
  });
  const rights = checkingRights(serving);
  const follower = new Follower({ rows, refresher, rights, clock, onError });
  rights.connect(follower);
  serving.start();
  let made = 0;
  return {
    ...{ list, refresher, follower, serving, lacksKey, errors },
    add: (dataset, count = 1) =>
      list.add(
        Array.from({ length: count }, () =>
          taskOf({
            ...{ dataset, origin: servers[dataset]?.url.origin, createdMs: clock.now() },
            taskId: typedTaskId(`T${made++}`, 'string'),
          }),
        ),
      ),
    [Symbol.asyncDispose]: async () => {
      follower.dispose();
      await serving.stop();
    },
  };
}

/**
 * Advances the clock by a quarter of a second per turn of the event loop until a condition is true. Requests are real
 * and take several turns, so more time passes for each of them on a slow machine.
 */
export async function passUntil(clock: HandClock, condition: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    for (let turn = 0; turn < 100; turn++) {
      if (await condition()) return true;
      clock.advance(250);
      await setImmediate();
    }
    return false;
  }, condition.toString());
}
