// A process of its own for what responses cost its window: the first argument is the folder of its store, the second one
// the base URL of the service, the third one the id of the task that is asked about, the last one how often it is.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseJson } from '../../src/service/json/json';
import { taskIdOf } from '../../src/service/json/taskId';
import { FollowedList } from '../../src/tasks/following/followedList';
import { makeTaskParts } from '../../src/tasks/taskParts';
import { systemClock } from '../../src/tasks/timing/clock';
import { newTask } from '../../src/tasks/trackedTask';
import { wire } from '../unit/service/wire';
import { benchTarget } from './benchTarget';
import { median } from './comparison';
import { printFigures } from './printFigures';

/** What a response cost: processor time, and the longest time in which nothing else ran. */
export interface ResponseCost {
  readonly cpuMs: number;
  readonly blockMs: number;
}

/** The median of each figure. */
async function responses(folder: string, baseUrl: string, id: string, times: string): Promise<ResponseCost> {
  const to = benchTarget(baseUrl);
  const { list, refresher } = makeTaskParts({
    folder,
    service: wire(),
    findTarget: async () => to,
    contractOf: () => to.contract,
    originOf: () => to.baseUrl.origin,
    allowed: () => 1,
    whyNotAsked: () => undefined,
    onError: console.error,
    onSetAside: () => {},
  });
  const [task] = await list.add([
    newTask({
      dataset: 'Bench',
      origin: to.baseUrl.origin,
      source: {
        from: 'disk',
        path: '/notes.txt',
        relativePath: 'notes.txt',
        name: 'notes.txt',
        sizeBytes: 1,
        sha256: '',
      },
      batch: { id: 'bench', label: 'bench' },
      createdMs: Date.now(),
      taskId: taskIdOf(parseJson(id)),
      phase: { kind: 'accepted', report: undefined },
    }),
  ]);
  const [followed] = task === undefined ? [] : new FollowedList(list, systemClock).tasksToRefresh(task.key);
  if (task === undefined || followed === undefined) throw new Error('There is no task to ask about.');
  const ask = async () => {
    const asked = await refresher.check(followed, new AbortController().signal, false);
    if (asked?.kind !== 'accepted' || list.get(task.key)?.lastQueryError !== undefined)
      throw new Error(`The response is not read: ${JSON.stringify(asked)?.slice(0, 500)}`);
  };
  // Compiles the code, and records what is new.
  for (let index = 0; index < 3; index++) await ask();
  const costs: ResponseCost[] = [];
  while (costs.length < Number(times)) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const before = process.cpuUsage();
    await ask();
    const { user, system } = process.cpuUsage(before);
    await setTimeout(5);
    delays.disable();
    costs.push({ cpuMs: (user + system) / 1000, blockMs: delays.max / 1e6 });
  }
  return { cpuMs: median(costs.map(({ cpuMs }) => cpuMs)), blockMs: median(costs.map(({ blockMs }) => blockMs)) };
}

const [folder = '', baseUrl = '', id = '', times = ''] = process.argv.slice(2);
printFigures(responses(folder, baseUrl, id, times));
