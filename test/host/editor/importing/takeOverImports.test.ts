import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from 'vscode';
import { takeOverImports } from '../../../../src/tasks/serving/takeOverImports';
import { newTask, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { fileSource, type OwnList, ownList } from '../../answeredTasks';

describe('What a window has left behind', () => {
  let own: OwnList;
  let looking: Disposable | undefined;

  beforeEach(() => {
    own = ownList();
  });

  afterEach(() => {
    looking?.dispose();
    own.dispose();
  });

  it('is taken over by another one, in its order', async () => {
    await leave('a.txt', 'b.txt');
    assert.deepEqual(await adopted(), ['a.txt', 'b.txt']);
  });

  it('is taken over where the store can be read only later', async () => {
    const store = join(own.folder, 'tasks.sqlite');
    mkdirSync(store);
    const value = adopted();
    await assert.rejects(own.list.sync());
    rmdirSync(store);
    await leave('a.txt');
    assert.deepEqual(await value, ['a.txt']);
  });

  async function leave(...names: string[]): Promise<void> {
    await own
      .listOfGoneWindow()
      .add(
        names.map((name) =>
          newTask({ dataset: 'Manuals', source: fileSource(name, 1), createdMs: 0, phase: { kind: 'queued' } }),
        ),
      );
  }

  async function adopted(): Promise<(string | undefined)[]> {
    const told = once(own.list.events, 'adopted') as Promise<[readonly TrackedTask[]]>;
    looking = takeOverImports(own.list);
    const [tasks] = await told;
    return tasks.map(({ source }) => source?.name);
  }
});
