import path from 'node:path';
import { type CheckedSource, checkFile, Sources } from '../../../src/tasks/sending/sources';
import { ImportQueue, type QueueDeps } from '../../../src/tasks/serving/importQueue';
import type { ImportRun } from '../../../src/tasks/serving/importRun';
import type { TaskList } from '../../../src/tasks/store/taskList';
import { target, wire } from '../service/wire';
import { HandClock } from './handClock';
import type { TemporaryStore } from './temporaryStore';

/** What a window of the editor has of its own, and what its queue told. */
export interface EditorParts extends Disposable {
  readonly list: TaskList;
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
  list: TaskList,
  baseUrl: URL,
  { sources = new Sources(''), ...facts }: Partial<QueueDeps> = {},
): EditorParts {
  const clock = facts.clock ?? new HandClock();
  const queue = new ImportQueue({
    service: wire(),
    list,
    sources,
    findTarget: async () => target(baseUrl),
    allowed: () => 4,
    ...facts,
    clock,
  });
  const ended: ImportRun[] = [];
  const troubles: unknown[] = [];
  queue.events.on('ended', (run) => ended.push(run));
  queue.events.on('unrecorded', (error) => troubles.push(error));
  return {
    ...{ list, sources, queue, ended, troubles },
    get pausedUntilMs() {
      const untilMs = queue.progress?.pause?.untilMs;
      return untilMs !== undefined && untilMs > clock.monotonicMs() ? untilMs : undefined;
    },
    [Symbol.dispose]: () => queue.dispose(),
  };
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
