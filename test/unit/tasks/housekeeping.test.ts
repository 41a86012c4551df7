import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { typedTaskId } from '../../../src/service/json/taskId';
import { housekeeping } from '../../../src/tasks/housekeeping';
import { accepted, fileOf, reportTask, requestOf } from './store/storeRequests';
import { StoreWindows, type TestWindow } from './store/storeWindows';

const DAY_MS = 86_400_000;

describe('Housekeeping', () => {
  let all: StoreWindows;
  let store: TestWindow;
  let textsFolder: string;
  let cleanUp: () => Promise<void>;

  beforeEach(async () => {
    all = await StoreWindows.make();
    store = all.open('A');
    textsFolder = path.join(path.dirname(all.path), 'texts');
    cleanUp = housekeeping({
      store,
      clock: all.clock,
      textsFolder,
      retention: () => ({ days: 90, rows: 10 }),
    });
  });

  afterEach(() => all[Symbol.asyncDispose]());

  it('deletes rows that are older than the retention setting allows, at most once an hour', async () => {
    await upload('a.txt', 'T1');
    // The most recently changed row is never deleted, so that its version number is never reused.
    await upload('b.txt', 'T2');
    all.clock.advance(91 * DAY_MS);
    await cleanUp();
    assert.deepEqual(await names(), ['b.txt']);
    await upload('c.txt', 'T3');
    await cleanUp();
    assert.deepEqual(await names(), ['b.txt', 'c.txt']);
    all.clock.advance(3_600_000);
    await cleanUp();
    assert.deepEqual(await names(), ['c.txt']);
  });

  it('deletes temporary text files that are more than a day old and no longer needed by any row', async () => {
    const text = fileOf('Selection.txt', { path: null, textFile: 'needed' });
    await store.queue(requestOf('run', [text]));
    mkdirSync(textsFolder, { recursive: true });
    for (const [name, ageMs] of [
      ['needed', 2 * DAY_MS],
      ['left', 2 * DAY_MS],
      ['new', 60_000],
    ] as const) {
      writeFileSync(path.join(textsFolder, name), 'text');
      const seconds = (all.clock.now() - ageMs) / 1000;
      utimesSync(path.join(textsFolder, name), seconds, seconds);
    }
    await cleanUp();
    assert.deepEqual(readdirSync(textsFolder).toSorted(), ['needed', 'new']);
  });

  async function upload(name: string, id: string): Promise<void> {
    const { imports } = await store.queue(requestOf(`run ${name}`, [fileOf(name)]));
    const [importId = 0] = imports.map((one) => one ?? 0);
    const attempt = store.attempt(name);
    await store.begin([{ import: importId, attempt }]);
    await store.end(accepted(attempt, id));
    await reportTask(store, importId, typedTaskId(id, 'string'), { meaning: 'succeeded' });
  }

  async function names(): Promise<string[]> {
    return (await store.rowsAfter({ filter: {}, after: 0, limit: 10 })).map(({ name }) => name);
  }
});
