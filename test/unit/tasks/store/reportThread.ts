// A process of its own that stores a task in a thread, says whether SQLite was loaded in its own, and closes nothing.
import { StoreThread } from '../../../../src/tasks/store/storeThread';
import { TaskList } from '../../../../src/tasks/store/taskList';
import { taskOf } from '../temporaryStore';

async function report(path: string): Promise<void> {
  const fail = (problem: unknown) => {
    throw problem;
  };
  const list = new TaskList(new StoreThread(path, fail));
  const { length: tasks } = await list.add([taskOf()]);
  // node's own list of what was loaded in this thread.
  const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] };
  const isSqliteLoadedHere = moduleLoadList.some((module) => module.endsWith(' sqlite'));
  process.stdout.write(JSON.stringify({ tasks, isSqliteLoadedHere }));
}

void report(process.argv[2] ?? '');
