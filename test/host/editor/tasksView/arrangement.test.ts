import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { picks } from '../../../../src/editor/platform/window';
import { filterTasks, groupTasks, TaskArrangement } from '../../../../src/editor/tasksView/arrangement';
import { pickRow } from '../../../../src/editor/tasksView/chooseRows';
import { QUIET_MS } from '../../../../src/editor/wording/states';
import { PROBLEMS } from '../../../../src/tasks/store/model';
import { systemClock } from '../../../../src/tasks/timing/clock';
import { MemoryMemento } from '../../memoryStorage';
import { OwnImportStore } from '../../ownImportStore';

describe('The Tasks view', () => {
  let own: OwnImportStore;
  let arrangement: TaskArrangement;
  let nowMs: number;
  const clock = { ...systemClock, now: () => nowMs };

  beforeEach(() => {
    own = new OwnImportStore();
    arrangement = new TaskArrangement(new MemoryMemento());
    nowMs = 0;
  });

  afterEach(async () => {
    arrangement.dispose();
    await own[Symbol.asyncDispose]();
  });

  let offered: readonly QuickPickItem[];

  /** Picks the item with this label, or types text. */
  function picking(pick: { readonly label?: string; readonly typed?: string }) {
    const one = async (items: readonly QuickPickItem[], _: unknown, typed: (text: string) => unknown) => {
      offered = items;
      return pick.typed === undefined ? items.find(({ label }) => label === pick.label) : typed(pick.typed);
    };
    return { ...picks, one: one as unknown as typeof picks.one };
  }

  /** Picks a filter, and returns the offered items. */
  async function filter(pick: Parameters<typeof picking>[0]): Promise<string[]> {
    await filterTasks({ store: own.store, clock, arrangement, picks: picking(pick) });
    return offered.map(({ label, description }) => [label, description].filter(Boolean).join(' '));
  }

  it('offers filters for problems, for each state that occurs, and for each dataset if there are multiple datasets', async () => {
    for (const state of ['rejected', 'notUploaded', 'queued'] as const) await own.inState(state);
    await own.inState('rejected', 'other.txt');
    assert.deepEqual(await filter({}), ['Problems 3', 'Rejected 2', 'Not uploaded 1', 'Queued 1']);
    await own.queue(['b.txt'], { destination: { dataset: 'Logs', origin: 'https://logs.example' } });
    assert.deepEqual((await filter({})).slice(4).toSorted(), ['Logs 1', 'Manuals 4']);
  });

  it("shows a dataset's tasks from all origins when filtered by that dataset", async () => {
    await own.queue(['a.txt']);
    for (const origin of ['https://old.example', 'https://new.example'])
      await own.queue([`${origin.slice(8)}.txt`], { destination: { dataset: 'Logs', origin } });
    await filter({ label: 'Logs' });
    const { rows } = await own.store.page({ filter: arrangement.current.filter ?? {}, limit: 9 });
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), ['new.example.txt', 'old.example.txt']);
    assert.equal(arrangement.current.filterName, 'Logs');
  });

  it('offers a filter for tasks that have gone hours without progress', async () => {
    await own.inState('running');
    await own.inState('failed');
    const { changedMs } = await own.row('running.txt');
    nowMs = changedMs + QUIET_MS;
    assert.ok(!(await filter({})).some((row) => row.startsWith('No progress')));
    nowMs += 1;
    assert.ok((await filter({ label: 'No progress' })).includes('No progress 1'));
    assert.deepEqual(arrangement.current.filter, { quietSinceMs: nowMs - QUIET_MS });
  });

  it('can be filtered with a predefined filter or typed text, and then offers Show All', async () => {
    await own.inState('rejected');
    await filter({ label: 'Problems' });
    assert.deepEqual([arrangement.current.filter, arrangement.current.filterName], [{ states: PROBLEMS }, 'problems']);
    assert.equal((await filter({ typed: 'notes/1' }))[0], 'Show All');
    assert.deepEqual([arrangement.current.filter, arrangement.current.filterName], [{ text: 'notes/1' }, "'notes/1'"]);
    await filter({});
    assert.deepEqual(arrangement.current.filter, { text: 'notes/1' });
    await filter({ label: 'Show All' });
    assert.deepEqual([arrangement.current.filter, arrangement.current.filterName], [undefined, '']);
  });

  it('remembers the grouping that the user picks, even if another window is then filtered', async () => {
    const memory = new MemoryMemento();
    arrangement = new TaskArrangement(memory);
    const other = new TaskArrangement(memory);
    await groupTasks({ arrangement, picks: picking({ label: 'Reason' }) });
    assert.equal(offered.find(({ description }) => description !== undefined)?.label, 'Batch');
    assert.equal(arrangement.current.groupBy, 'reason');
    await other.change({ filter: { text: 'a' } });
    assert.equal(new TaskArrangement(memory).current.groupBy, 'reason');
  });

  it("and its commands' Quick Picks describe rows the same way", async () => {
    await own.inState('rejected');
    await own.inState('queued');
    const picked = await pickRow({ store: own.store, clock, picks: picking({ label: 'rejected.txt' }) });
    assert.equal(picked, (await own.row('rejected.txt')).id);
    const rows = offered.map(({ label, description }) => [label, description]);
    assert.deepEqual(rows, [
      ['rejected.txt', 'rejected · code 42: No such dataset · Manuals · just now'],
      ['queued.txt', 'queued · Manuals · just now'],
    ]);
  });
});
