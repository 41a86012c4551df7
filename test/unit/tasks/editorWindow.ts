import path from 'node:path';
import type { Destination } from '../../../src/tasks/destination';
import { type CheckedSource, checkFile } from '../../../src/tasks/sending/checkedSource';
import { Gates } from '../../../src/tasks/sending/gate';
import { Sources } from '../../../src/tasks/sending/sources';
import { ImportQueue, type QueueDeps } from '../../../src/tasks/serving/importQueue';
import type { ImportRun } from '../../../src/tasks/serving/importRun';
import { type ServingDeps, ServingWindow } from '../../../src/tasks/serving/servingWindow';
import type { TaskList } from '../../../src/tasks/store/taskList';
import type { Clock } from '../../../src/tasks/timing/clock';
import { target, wire } from '../service/wire';
import { HandClock } from './handClock';
import { sharedFiles } from './sharedFiles';
import type { StoredList, TemporaryStore } from './temporaryStore';

/** What a window of the editor has of its own, and what its queue told. */
export interface EditorParts extends Disposable {
  readonly list: StoredList;
  readonly serving: ServingWindow;
  readonly sources: Sources;
  readonly queue: ImportQueue;
  /** The runs that have ended. */
  readonly ended: ImportRun[];
  /** The troubles of the store that were told. */
  readonly troubles: unknown[];
  /** Until when nothing begins, by its clock; undefined where something may. */
  readonly pausedUntilMs: number | undefined;
}

/**
 * A window whose queue sends all it has to this service, and begins nothing any more when the test is over. It has a folder
 * for texts only where `facts` say so.
 */
export function editorWindow(
  list: StoredList,
  baseUrl: URL,
  {
    sources = new Sources('', sharedFiles),
    allowed = () => 4,
    ...facts
  }: Partial<QueueDeps> & { allowed?: () => number } = {},
): EditorParts {
  const clock = facts.clock ?? new HandClock();
  const findTarget = facts.findTarget ?? (async () => target(baseUrl));
  const canAsk = async ({ dataset }: Destination) => (await findTarget(dataset)) !== undefined;
  const serving = servingOf(list, clock, { canAsk });
  const queue = new ImportQueue({
    service: wire(),
    list,
    serving,
    gates: new Gates(clock, allowed),
    sources,
    findTarget,
    ...facts,
    clock,
  });
  const ended: ImportRun[] = [];
  const troubles: unknown[] = [];
  queue.events.on('ended', (run) => ended.push(run));
  queue.events.on('unrecorded', (error) => troubles.push(error));
  return {
    ...{ list, serving, sources, queue, ended, troubles },
    get pausedUntilMs() {
      const untilMs = queue.progress?.pause?.untilMs;
      return untilMs !== undefined && untilMs > clock.monotonicMs() ? untilMs : undefined;
    },
    [Symbol.dispose]: () => {
      queue.dispose();
      void serving.stop();
    },
  };
}

/** What a window serves, where it can serve every destination; it takes turns as it is told to. */
export function servingOf(list: StoredList, clock: Clock, facts: Partial<ServingDeps> = {}): ServingWindow {
  return new ServingWindow({
    ...{ list, clock, store: list.store },
    whyNotAsked: () => undefined,
    canAsk: async () => true,
    onError: (error) => {
      throw error;
    },
    ...facts,
  });
}

/** What a window does once a second: reads what the others have written, and takes what is free. */
export async function takeTurn({
  list,
  serving,
}: {
  readonly list: TaskList;
  readonly serving: ServingWindow;
}): Promise<void> {
  await list.trySync();
  await serving.updateLeases();
}

/** Looks at files on disk. */
export function checkAll(files: readonly string[]): Promise<CheckedSource[]> {
  return Promise.all(files.map((file) => checkFile(file, `notes/${path.basename(file)}`)));
}

/** Writes files that can be imported. */
export async function filesOf(store: TemporaryStore, ...names: string[]): Promise<CheckedSource[]> {
  const files = await Promise.all(names.map((name) => store.files.write(name, `the text of ${name}\n`)));
  return checkAll(files.map((file) => file.path));
}
