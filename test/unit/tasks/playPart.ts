// A program of its own: another window, or another program, at the same store.
import { once } from 'node:events';
import { typedTaskId } from '../../../src/service/json/taskId';
import { SqliteFile } from '../../../src/tasks/database/sqliteFile';
import { StoreError } from '../../../src/tasks/database/storeError';
import { thisWindow } from '../../../src/tasks/leases/windowLease';
import { storeHere } from '../../../src/tasks/store/store';
import { TASK_SCHEMA } from '../../../src/tasks/store/taskSchema';
import { systemClock } from '../../../src/tasks/timing/clock';
import { hasEnded } from '../../../src/tasks/trackedTask';
import { target } from '../service/wire';
import { checkAll, editorWindow } from './editorWindow';
import { checkUnfinished, refresherOf } from './following/refresherOf';
import { always, clockOf, NOON, StoredList, taskOf } from './temporaryStore';
import { until } from './until';

/** A layout whose making takes long enough to be met by another process, and counts how often it was made. */
export const SLOW_SCHEMA = `CREATE TABLE made (version INTEGER) STRICT; INSERT INTO made VALUES (1);
  CREATE TABLE notes (words TEXT) STRICT;
  WITH RECURSIVE steps (step) AS (SELECT 1 UNION ALL SELECT step + 1 FROM steps WHERE step < 60000)
  INSERT INTO notes SELECT 'step' FROM steps; DELETE FROM notes`;

const parts = {
  /** Holds the whole file until it is told to go. */
  async holdLock(path: string) {
    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(path);
    db.exec('BEGIN EXCLUSIVE');
    await ready();
    db.exec('COMMIT');
  },

  /** Tries to begin a transaction that writes, once; says how that ended. */
  async tryToWrite(path: string) {
    const { DatabaseSync } = await import('node:sqlite');
    await ready();
    const db = new DatabaseSync(path, { timeout: 0 });
    try {
      db.exec('BEGIN IMMEDIATE');
      return 'wrote';
    } catch (error) {
      return new StoreError(path, error).reason;
    } finally {
      db.close();
    }
  },

  /** Opens a file and writes into it. */
  async openAndWrite(path: string, words: string) {
    const file = new SqliteFile(path, SLOW_SCHEMA, told);
    await ready();
    await file.write((db) => db.prepare('INSERT INTO notes VALUES (?)').run(words));
  },

  /** Opens a file, and writes into it some time later. */
  async openWriteLater(path: string, words: string) {
    const file = new SqliteFile(path, SLOW_SCHEMA, told);
    await file.read(() => {});
    await ready();
    await file.write((db) => db.prepare('INSERT INTO notes VALUES (?)').run(words));
  },

  /** Adds tasks and changes each. */
  async work(path: string, name: string, count: string) {
    const list = listAt(path);
    await list.loaded();
    await ready();
    for (let index = 0; index < Number(count); index += 20) {
      const names = Array.from({ length: 20 }, (_, place) => `${name}${index + place}`);
      for (const { key, dataset } of await list.add(names.map((dataset) => taskOf({ dataset }))))
        await list.change(key, { taskId: typedTaskId(`id of ${dataset}`, 'string') }, always);
    }
  },

  /** Asks about the tasks that are not finished. */
  async askOn(path: string, baseUrl: string) {
    const list = listAt(path);
    await list.loaded();
    const to = async () => target(new URL(baseUrl));
    const refresher = refresherOf(list, to, { ...systemClock, now: () => NOON });
    await ready();
    await checkUnfinished(refresher, list);
  },

  /** Imports files and stays. */
  async importFiles(path: string, baseUrl: string, ...files: string[]) {
    const { queue, serving } = editorWindow(listAt(path), new URL(baseUrl), { clock: systemClock });
    await ready();
    serving.start();
    await queue.add(await checkAll(files), 'Books');
    await until(() => queue.progress === undefined);
  },

  /** Serves what windows that are gone have left; says how many imports of them ended in this window's runs. */
  async takeOver(path: string, baseUrl: string) {
    const list = listAt(path);
    const { queue, serving, ended } = editorWindow(list, new URL(baseUrl), { clock: systemClock });
    await ready();
    serving.start();
    await until(() => list.held.length > 0 && list.held.every(({ phase }) => hasEnded(phase)));
    await until(() => queue.progress === undefined);
    return ended.reduce((sum, { results }) => sum + results.length, 0);
  },
};

/** What another process can be there for. */
export type Part = keyof typeof parts;

function listAt(path: string): StoredList {
  return new StoredList(
    storeHere(
      new SqliteFile(path, TASK_SCHEMA, told),
      thisWindow(),
      clockOf(() => NOON),
    ),
    path,
  );
}

async function ready(): Promise<void> {
  process.send?.({ kind: 'ready' });
  await once(process, 'message');
}

function told(aside: string): void {
  process.send?.({ kind: 'aside', told: aside });
}

async function play([part, ...facts]: string[]): Promise<void> {
  const result = await (parts[part as Part] as (...facts: string[]) => Promise<unknown>)(...facts);
  process.send?.({ kind: 'done', told: result });
  process.disconnect();
}

if (require.main === module) void play(process.argv.slice(2));
