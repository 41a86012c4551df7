import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { IdleNote } from '../../../../src/tasks/store/idleNote';
import type { NewTask } from '../../../../src/tasks/trackedTask';
import { servingOf } from '../editorWindow';
import { HandClock } from '../handClock';
import { always, type StoredList, TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';

/** A task whose status the service reported. */
function reported(meaning: 'succeeded' | 'failed' | 'running'): NewTask {
  const report = { status: meaning, meaning, progress: undefined, message: undefined, from: {} };
  return taskOf({ phase: { kind: 'accepted', report }, taskId: typedTaskId(meaning, 'string') });
}

/** A window that takes a turn each second of its clock. */
async function open(list: StoredList) {
  const clock = new HandClock();
  const serving = servingOf(list, clock);
  let reads = 0;
  serving.events.on('synced', () => reads++);
  serving.start();
  return {
    list,
    /** How often it has read the store in its turns. */
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
  it('does not open the store, until another one has changed it', async () => {
    await using store = await TemporaryStore.make();
    const there = await open(store.list());
    await there.list.add([reported('succeeded')]);
    while (!existsSync(`${store.path}-idle`)) await there.turn();
    const here = await open(store.list());
    await here.turn(3);
    assert.equal(here.reads, 0);
    assert.equal(here.list.isLoaded, false);
    const [added] = await there.list.add([reported('running')]);
    await here.turn();
    assert.deepEqual(
      here.list.unfinished.map(({ key }) => key),
      [added?.key],
    );
    await Promise.all([here.close(), there.close()]);
  });

  for (const [what, task] of Object.entries({
    'a task that is followed': reported('running'),
    'an import that is queued': taskOf({ phase: { kind: 'queued' } }),
    'a task that needs a person': reported('failed'),
  })) {
    it(`opens it all the same for ${what}, which a window that was closed has left`, async () => {
      await using store = await TemporaryStore.make();
      const there = await open(store.list());
      await there.list.add([task]);
      await there.turn(3);
      assert.equal(await there.list.history.idleStates(), undefined);
      await there.close();
      const here = await open(store.list());
      await here.turn();
      assert.ok(here.reads > 0);
      await here.close();
    });
  }

  it('opens it for an end that no window has announced yet', async () => {
    await using store = await TemporaryStore.make();
    const there = await open(store.list());
    const batch = { id: 'a', label: 'notes' };
    const [task] = await there.list.add([{ ...reported('running'), batch }]);
    await there.list.change(task?.key ?? 0, { phase: reported('succeeded').phase }, always);
    await there.turn(3);
    await there.close();
    const here = await open(store.list());
    await here.turn();
    assert.ok(here.reads > 0);
    await here.close();
  });

  it('reads it no more where it has opened it, as long as nothing is changed', async () => {
    await using store = await TemporaryStore.make();
    const window = await open(store.list());
    await window.list.add([reported('failed')]);
    await window.turn(3);
    const { reads } = window;
    await window.turn(3);
    assert.equal(window.reads, reads);
    await window.close();
  });

  it('knows the states of all tasks by the note of the last window', async () => {
    await using store = await TemporaryStore.make();
    const there = await open(store.list());
    await there.list.add([reported('succeeded')]);
    await there.turn(3);
    await there.close();
    const idle = new IdleNote(store.path, there.list.history);
    assert.deepEqual(await idle.states(), ['succeeded']);
    await there.list.add([reported('running')]);
    assert.equal(await idle.states(), undefined);
  });
});
