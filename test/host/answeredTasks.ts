import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, DEFAULT_CONTRACT } from '../../src/service/contract/contract';
import { toOwnTask } from '../../src/service/response/ownTask';
import { readBegunTask, readTaskReport } from '../../src/service/response/taskReport';
import { SqliteFile } from '../../src/tasks/database/sqliteFile';
import { responseData } from '../../src/tasks/following/keptResponses';
import { type EditorWindow, thisWindow } from '../../src/tasks/leases/windowLease';
import { ServingWindow } from '../../src/tasks/serving/servingWindow';
import { type Store, storeHere } from '../../src/tasks/store/store';
import { TaskList } from '../../src/tasks/store/taskList';
import { TASK_SCHEMA } from '../../src/tasks/store/taskSchema';
import { type NewTask, newTask, type Source } from '../../src/tasks/trackedTask';
import { HandClock } from '../unit/tasks/handClock';

/** A list of tasks with a store of its own. */
export interface OwnList {
  readonly list: TaskList;
  readonly serving: ServingWindow;
  readonly contents: Store['contents'];
  /** Stands still until a test moves it. */
  readonly clock: HandClock;
  /** Where its store is, and where more may be. */
  readonly folder: string;
  /** The same tasks as another window has them. */
  listOfOtherWindow(): TaskList;
  /** The same tasks as a window has them that is no longer there. */
  listOfGoneWindow(): TaskList;
  dispose(): void;
}

/** Makes a list of tasks. Its store's time is `now`. */
export function ownList(now: () => number = Date.now): OwnList {
  const folder = mkdtempSync(join(tmpdir(), 'di-list-'));
  const files: SqliteFile[] = [];
  const path = join(folder, 'tasks.sqlite');
  const storeOf = (window: EditorWindow) => {
    const file = new SqliteFile(path, TASK_SCHEMA, () => assert.fail('set aside'));
    files.push(file);
    return storeHere(file, window, { now, monotonicMs: now });
  };
  const listOf = (window: EditorWindow) => new TaskList(storeOf(window));
  const store = storeOf(thisWindow());
  const list = new TaskList(store);
  const clock = new HandClock();
  return {
    list,
    clock,
    serving: servingOf(list, store, clock),
    contents: store.contents,
    folder,
    listOfOtherWindow: () => listOf(thisWindow()),
    listOfGoneWindow: () => listOf({ ...thisWindow(), pid: pidOfNobody() }),
    dispose: () => {
      for (const file of files) void file.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What a window serves, where it can serve every destination; it takes turns as it is told to. */
function servingOf(list: TaskList, store: Store, clock: HandClock): ServingWindow {
  const onError = (error: unknown) => assert.fail(String(error));
  const facts = { whyNotAsked: () => undefined, canAsk: async () => true, onError };
  return new ServingWindow({ list, store, clock, ...facts });
}

/** For a change that expects nothing of its task. */
export const always = () => true;

/** The id of a process that has ended. */
function pidOfNobody(): number {
  return spawnSync(process.execPath, ['--version'], { env: { ELECTRON_RUN_AS_NODE: '1' } }).pid;
}

/** A file of this name as an import has it. */
export function fileSource(name: string, sizeBytes: number): Source & { readonly from: 'disk' } {
  return { from: 'disk', path: `/files/${name}`, relativePath: `files/${name}`, name, sizeBytes };
}

/** The answer of a service, `data` as JSON text. */
export function answerWith(data: string): string {
  return `{"code":"0","message":null,"data":${data}}`;
}

/** An accepted import with its answers, as a contract reads them; without `found` it was not asked about yet. */
export function answered(
  responses: { readonly dataset: string; readonly begun: string; readonly found?: string | undefined },
  contract: Contract = DEFAULT_CONTRACT,
): NewTask {
  const { dataset, begun, found } = responses;
  const { taskId, from } = readBegunTask(responseData(answerWith(begun)) ?? null, contract.fileTask);
  const ownTask = taskId && toOwnTask(taskId, contract.fileTask.taskId);
  const data = found === undefined ? undefined : responseData(answerWith(found));
  const report = data === undefined ? undefined : readTaskReport(data, contract.queryTask, ownTask);
  return newTask({
    dataset,
    source: fileSource('notes.txt', 5),
    createdMs: 0,
    phase: { kind: 'accepted', report },
    taskId,
    taskIdFrom: from,
    importResponse: answerWith(begun),
    lastResponse: answerWith(found ?? begun),
  });
}
