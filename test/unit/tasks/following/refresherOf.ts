import type { Destination } from '../../../../src/tasks/destination';
import { FollowedList } from '../../../../src/tasks/following/followedList';
import {
  type FindTarget,
  type Refreshed,
  Refresher,
  type RefresherDeps,
} from '../../../../src/tasks/following/refresher';
import { Gates } from '../../../../src/tasks/sending/gate';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { Clock } from '../../../../src/tasks/timing/clock';
import { isUnfinished } from '../../../../src/tasks/trackedTask';
import { wire } from '../../service/wire';

/** Checks the tasks of a list. */
export function refresherOf(
  list: TaskList,
  findTarget: FindTarget,
  clock: Clock,
  facts: Partial<RefresherDeps> = {},
): Refresher {
  const gates = new Gates(clock);
  const rows = new FollowedList(list, clock);
  return new Refresher({ service: wire(), rows, findTarget, contractOf: () => undefined, gates, clock, ...facts });
}

/** Checks a row because the user wants to know. */
export async function refresh(
  refresher: Refresher,
  row: Destination & { readonly key: number },
  signal = new AbortController().signal,
): Promise<Refreshed> {
  const [refreshed] = await refresher.refreshAll([row], signal);
  return refreshed;
}

/** Checks all unfinished tasks of a list in the background, as if all were due. */
export async function checkUnfinished(
  refresher: Refresher,
  list: TaskList,
  signal = new AbortController().signal,
): Promise<Refreshed[]> {
  const rows = new FollowedList(list, { now: () => 0 });
  const tasks = list.unfinished.filter(isUnfinished).flatMap(({ key }) => rows.tasksToRefresh(key));
  return Promise.all(
    tasks.map((task) => {
      const checks = refresher.checksOf(task.destination);
      return checks.run(task.row, () => refresher.check(task, signal, false), signal);
    }),
  );
}
