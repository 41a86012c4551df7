import '../../../../src/tasks/serving/importQueue';
import '../../../../src/tasks/following/refresher';
import { SqliteFile } from '../../../../src/tasks/database/sqliteFile';
import { TASK_SCHEMA } from '../../../../src/tasks/store/taskSchema';

// A program of its own: a module is loaded once in a process's life.
const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] };
const isLoaded = () => moduleLoadList.includes('NativeModule sqlite');

async function report(path: string): Promise<void> {
  const file = new SqliteFile(path, TASK_SCHEMA, () => {});
  const before = isLoaded();
  await file.read(() => {});
  process.stdout.write(JSON.stringify({ before, after: isLoaded() }));
}

void report(process.argv[2] ?? '');
