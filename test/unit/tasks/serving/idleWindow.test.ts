import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { StoreThread } from '../../../../src/tasks/store/storeThread';
import type { NewTask } from '../../../../src/tasks/trackedTask';
import { servingOf } from '../editorWindow';
import { HandClock } from '../handClock';
import { OtherProcess } from '../otherProcess';
import { StoredList, TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';

/** A task whose status the service reported. */
function reported(meaning: 'succeeded' | 'failed' | 'running'): NewTask {
  const report = { status: meaning, meaning, progress: undefined, message: undefined, from: {} };
  return taskOf({ phase: { kind: 'accepted', report }, taskId: typedTaskId(meaning, 'string') });
}

/** A window that takes a turn each second of its clock. */
async function open(list: StoredList, clock = new HandClock()) {
  const serving = servingOf(list, clock);
  let reads = 0;
  serving.events.on('synced', () => reads++);
  serving.start();
  return {
    list,
    serving,
    /** How often it has read the tasks in its turns. */
    get reads() {
      return reads;
    },
    async turn(count = 1) {
      for (let turns = 0; turns < count; turns++) {
        await until(() => clock.alarms > 0);
        clock.advance(1000);
        await until(() => clock.alarms > 0);
      }
    },
    close: () => serving.stop(),
  };
}

describe('A window with nothing to do', () => {
  it('reads no tasks until another window writes', async () => {
    await using store = await TemporaryStore.make();
    const [here, there] = [await open(store.list()), store.list()];
    await there.add([reported('failed')]);
    await here.turn(2);
    const { reads } = here;
    await here.turn(3);
    assert.equal(here.reads, reads);
    const [added] = await there.add([reported('running')]);
    await here.turn();
    assert.deepEqual(
      here.list.unfinished.map(({ key }) => key),
      [added?.key],
    );
    await here.close();
  });

  it('writes nothing', async () => {
    await using store = await TemporaryStore.make();
    const clock = new HandClock();
    const window = await open(store.list(clock.now), clock);
    await window.list.add([reported('succeeded')]);
    await window.turn();
    // SQLite's count of the transactions that changed the file.
    const transactions = () => readFileSync(store.path).readUInt32BE(24);
    const before = transactions();
    await window.turn(60);
    assert.equal(transactions(), before);
    await window.close();
  });

  it('leaves the locks of its store alone: a transaction in the thread keeps another process from writing', async () => {
    await using store = await TemporaryStore.make();
    await store.list().add([reported('succeeded')]);
    const program = require.resolve('../store/holdingStoreProgram');
    await using thread = disposable(new StoreThread(store.path, fail, program));
    const window = await open(new StoredList(thread, store.path));
    await window.turn(2);
    await using other = await OtherProcess.start('tryToWrite', store.path);
    await window.turn(2);
    assert.equal(await other.go(), 'locked');
    await window.close();
  });
});

function disposable(thread: StoreThread): StoreThread & AsyncDisposable {
  return Object.assign(thread, { [Symbol.asyncDispose]: () => thread.close() });
}

function fail(why: unknown): never {
  throw new Error(String(why));
}
