import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, DEFAULT_CONTRACT } from '../../src/service/contract';
import { readBegunTask, readTaskReport } from '../../src/service/taskReport';
import { answerData } from '../../src/tasks/readAnswersAgain';
import { SqliteFile } from '../../src/tasks/sqliteFile';
import { TaskList } from '../../src/tasks/taskList';
import { TASK_MIGRATIONS, TaskStore } from '../../src/tasks/taskStore';
import { type NewTask, newTask } from '../../src/tasks/trackedTask';

/** A list of tasks with a store of its own. */
export function ownList(): { list: TaskList; dispose(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'di-list-'));
  const file = new SqliteFile(join(folder, 'tasks.sqlite'), TASK_MIGRATIONS, () => {});
  const dispose = () => {
    file.close();
    rmSync(folder, { recursive: true });
  };
  return { list: new TaskList(new TaskStore(file, Date.now)), dispose };
}

/** The answer of a service, `data` as JSON text. */
export function answerWith(data: string): string {
  return `{"code":"0","message":null,"data":${data}}`;
}

/** An accepted import with its answers, as a contract reads them; without `found` it was not asked about yet. */
export function answered(
  answers: { readonly dataset: string; readonly begun: string; readonly found?: string | undefined },
  contract: Contract = DEFAULT_CONTRACT,
): NewTask {
  const { dataset, begun, found } = answers;
  const { taskId, from } = readBegunTask(answerData(answerWith(begun)), contract.fileTask);
  const report = found === undefined ? undefined : readTaskReport(answerData(answerWith(found)), contract.queryTask);
  return newTask({
    dataset,
    source: { path: '/files/notes.txt', name: 'notes.txt', sizeBytes: 5 },
    createdMs: 0,
    phase: { kind: 'accepted', report },
    taskId,
    taskIdFrom: from,
    importAnswer: answerWith(begun),
    lastAnswer: answerWith(found ?? begun),
  });
}
