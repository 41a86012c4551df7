import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { newTask, taskState } from '../../../../src/tasks/trackedTask';
import { activated } from '../../activated';
import { untilEvent, untilTasks } from '../../settled';
import { startTinyService } from '../../tinyService';
import { setUserSetting } from '../../userSettings';

describe('A task whose view is closed', () => {
  it('is followed to its end', async () => {
    const { datasets, keys, list } = await activated();
    await using service = {
      ...(await startTinyService({ 'query-task': () => '{"code":"0","message":null,"data":{"status":"DONE"}}' })),
      async [Symbol.asyncDispose]() {
        await this.close();
        await setUserSetting('datasetImport.datasets', undefined);
      },
    };
    await commands.executeCommand('workbench.view.explorer');
    await setUserSetting('datasetImport.datasets', [{ name: 'Followed', baseUrl: service.baseUrl.href }]);
    await untilEvent(datasets.onDidChange, () => datasets.find('Followed') !== undefined);
    await keys.set(datasets.find('Followed') ?? assert.fail(), 'ak-0123456789');
    const phase = { kind: 'accepted', report: undefined } as const;
    const { origin } = service.baseUrl;
    // By now its first check is due.
    const createdMs = Date.now() - 10_000;
    const taskId = typedTaskId('T1', 'string');
    const [task] = await list.add([newTask({ dataset: 'Followed', origin, createdMs, phase, taskId })]);
    try {
      await untilTasks(list, 1, (one) => one.key === task?.key && taskState(one) === 'succeeded');
      assert.deepEqual(
        service.requests.map(({ operation, accessKey }) => [operation, accessKey]),
        [['query-task', 'ak-0123456789']],
      );
    } finally {
      await list.remove([task?.key ?? 0]);
      await keys.clear({ name: 'Followed' });
    }
  });
});
