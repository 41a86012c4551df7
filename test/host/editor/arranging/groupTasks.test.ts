import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { groupTasks } from '../../../../src/editor/arranging/groupTasks';
import { TaskArrangement } from '../../../../src/editor/arranging/taskArrangement';
import { picks } from '../../../../src/editor/platform/window';
import { MemoryMemento } from '../../memoryStorage';

describe('Group Tasks By', () => {
  it('groups by what is picked, in later windows too, and keeps the filter', async () => {
    const memory = new MemoryMemento();
    const arrangement = new TaskArrangement(memory);
    arrangement.filterBy({ text: 'a' });
    assert.equal(await choose(arrangement, 'State'), 'Batch');
    assert.deepEqual(arrangement.current, { groupBy: 'state', filter: { text: 'a' } });
    const later = new TaskArrangement(memory);
    assert.deepEqual(later.current, { groupBy: 'state', filter: undefined });
    assert.equal(await choose(later, 'Nothing'), 'State');
    assert.equal(later.current.groupBy, 'state');
    for (const each of [arrangement, later]) each.dispose();
  });

  /** Picks a row, and gives the label of the current one. */
  async function choose(arrangement: TaskArrangement, label: string): Promise<string | undefined> {
    let current: string | undefined;
    const one = async <T extends QuickPickItem>(items: readonly T[]) => {
      current = items.find(({ description }) => description === 'current')?.label;
      return items.find((item) => item.label === label);
    };
    await groupTasks({ picks: { ...picks, one } }, arrangement);
    return current;
  }
});
