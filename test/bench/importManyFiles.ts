// A process of its own for one measurement: imports all files of the folder named by the first argument to the service
// named by the second one, as a batch is imported: each recorded durably in a store beside the folder before it leaves
// and again when it was answered. Imports itself first, so that all that is loaded at the first import is there.
// Prints the milliseconds that it took.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ImportService } from '../../src/service/importService';
import type { Target } from '../../src/service/requests';
import { Importer } from '../../src/tasks/importer';
import { SqliteFile } from '../../src/tasks/sqliteFile';
import { TaskList } from '../../src/tasks/taskList';
import { TASK_MIGRATIONS, TaskStore } from '../../src/tasks/taskStore';
import { wire } from '../unit/service/wire';
import { benchTarget } from './benchTarget';

const atOnce = 8;

async function importAll(paths: readonly string[], service: ImportService, to: Target, list: TaskList): Promise<void> {
  const importer = new Importer(service, list, Date.now);
  const waiting = paths.values();
  const { signal } = new AbortController();
  const lane = async () => {
    for (const path of waiting) {
      const files = [await importer.check(path, path)];
      for await (const { outcome } of importer.import(files, { dataset: 'Bench', target: to }, signal)) {
        if (outcome.kind !== 'accepted') throw new Error(`An import ended as ${outcome.kind}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

async function measure(folder: string, baseUrl: string): Promise<number> {
  const file = new SqliteFile(`${folder}.sqlite`, TASK_MIGRATIONS, () => {});
  const list = new TaskList(new TaskStore(file, Date.now));
  const [service, to] = [wire(), benchTarget(baseUrl)];
  await importAll([__filename], service, to, list);
  const paths = readdirSync(folder).map((name) => join(folder, name));
  const begun = performance.now();
  await importAll(paths, service, to, list);
  return performance.now() - begun;
}

const [folder = '', baseUrl = ''] = process.argv.slice(2);
measure(folder, baseUrl).then(
  (ms) => console.log(String(ms)),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
