import assert from 'node:assert/strict';
import { groupOf, readFirstLevel, readPages } from '../../../../src/tasks/history/levels';
import type { Phase } from '../../../../src/tasks/trackedTask';
import { sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

function rejected(message: string): Phase {
  return { kind: 'rejected', refusal: { by: 'envelope', status: 200, code: '1', message } };
}

describe('Tasks by the reason for which they need a person', () => {
  it('are grouped by their words, those of most tasks first, and last what needs nobody', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const phases: Phase[] = [
      rejected('Row 1 has no title'),
      rejected('Too long'),
      { kind: 'queued' },
      rejected('Row 27 has no title'),
      rejected('Row 3 has no title'),
    ];
    await list.add(phases.map((phase, index) => taskOf({ source: sourceOf(`${index}.txt`), phase })));
    const { groups, hasMore } = await readFirstLevel(list.history, { groupBy: 'reason', filter: undefined }, 1);
    assert.equal(hasMore, false);
    assert.deepEqual(
      groups.map(({ counts }) => [...counts]),
      [[['rejected', 3]], [['rejected', 1]], [['queued', 1]]],
    );
    const namesIn = async (value = '') => {
      const { tasks } = await readPages(list.history, { group: groupOf('reason', value) }, 1);
      return tasks.map(({ source }) => source?.name).sort();
    };
    assert.deepEqual(await namesIn(groups[0]?.value), ['0.txt', '3.txt', '4.txt']);
    assert.deepEqual(await namesIn(groups[1]?.value), ['1.txt']);
    assert.deepEqual(await namesIn(groups[2]?.value), ['2.txt']);
    const examples = groups[0]?.examples?.map(({ source }) => source?.name);
    assert.deepEqual(examples?.sort(), ['0.txt', '4.txt']);
  });

  it('are counted as far as a filter lets them through', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const phases: Phase[] = [rejected('no'), rejected('no'), { kind: 'queued' }, { kind: 'queued' }];
    await list.add(phases.map((phase, index) => taskOf({ source: sourceOf(`${index}, ${index % 2}.txt`), phase })));
    const groups = await list.history.groups('reason', { text: ' 1.txt' });
    assert.deepEqual(
      groups.map(({ counts }) => [...counts]),
      [[['rejected', 1]], [['queued', 1]]],
    );
  });

  it('are shown a page of reasons at a time, should a service give a reason of its own for each', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const words = (index: number) => String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));
    await list.add(Array.from({ length: 250 }, (_, index) => taskOf({ phase: rejected(words(index)) })));
    const level = (pages: number) => readFirstLevel(list.history, { groupBy: 'reason', filter: undefined }, pages);
    const [first, both] = [await level(1), await level(2)];
    assert.deepEqual([first.rows.length, first.hasMore], [200, true]);
    assert.deepEqual([both.rows.length, both.hasMore], [250, false]);
  });
});
