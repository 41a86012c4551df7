import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { newTask } from '../../../../src/tasks/trackedTask';
import { activated } from '../../activated';

describe('The view Tasks', () => {
  it('selects a task though it is just being drawn as a whole', async () => {
    const { list, tasksView } = await activated();
    await commands.executeCommand('datasetImport.tasks.focus');
    const phase = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } } as const;
    const task = () => newTask({ dataset: 'Shown', createdMs: Date.now(), phase });
    const keys: number[] = [];
    try {
      for (let round = 0; round < 2; round++) {
        const [one] = await list.add([task()]);
        assert.ok(one);
        keys.push(one.key);
        const revealing = tasksView.reveal(one.key);
        keys.push(...(await list.add([task()])).map(({ key }) => key));
        await revealing;
        assert.deepEqual(tasksView.selection, [{ taskKey: one.key }]);
      }
    } finally {
      await list.remove(keys);
    }
  });
});
