import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { housekeeping } from '../../../src/tasks/housekeeping';
import { fileOf, reportTask, requestOf, taskIdOf } from './store/storeRequests';
import { acceptedOne, beforeEachPair, namesIn, a as store, windows } from './store/storeWindows';

const DAY_MS = 86_400_000;

describe('Housekeeping', () => {
  let textsFolder: string;
  let cleanUp: () => Promise<void>;

  beforeEachPair();

  beforeEach(async () => {
    textsFolder = path.join(path.dirname(windows.path), 'texts');
    cleanUp = housekeeping({ store, clock: windows.clock, textsFolder, retention: () => ({ days: 90, rows: 10 }) });
  });

  it('deletes rows that are older than the retention setting allows, at most once an hour', async () => {
    await succeed('a.txt');
    // The most recently changed row is never deleted, so that its version number is never reused.
    await succeed('b.txt');
    windows.clock.advance(91 * DAY_MS);
    await cleanUp();
    assert.deepEqual(await namesIn(store), ['b.txt']);
    await succeed('c.txt');
    await cleanUp();
    assert.deepEqual(await namesIn(store), ['b.txt', 'c.txt']);
    windows.clock.advance(3_600_000);
    await cleanUp();
    assert.deepEqual(await namesIn(store), ['c.txt']);
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
      const seconds = (windows.clock.now() - ageMs) / 1000;
      utimesSync(path.join(textsFolder, name), seconds, seconds);
    }
    await cleanUp();
    assert.deepEqual(readdirSync(textsFolder).toSorted(), ['needed', 'new']);
  });

  async function succeed(name: string): Promise<void> {
    const { import: id } = await acceptedOne(store, name);
    await reportTask(store, id, taskIdOf(`t-${name}`), { meaning: 'succeeded' });
  }
});
