import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { mapResponses } from '../../../../src/editor/mapping/mapResponses';
import { UserError } from '../../../../src/editor/platform/userError';
import { clicked } from '../../../../src/editor/targets';
import { formatState } from '../../../../src/editor/taskItems/formatState';
import { taskState } from '../../../../src/tasks/trackedTask';
import { beforeEachWalk, type Walk } from './walk';

describe('Map Responses', () => {
  let walk: Walk;
  beforeEachWalk((begun) => {
    walk = begun;
  });

  it('calls recognized only what was read in a response, and says where', async () => {
    assert.deepEqual((await rows()).slice(0, 4), [
      ...[
        'Task ID: no response yet',
        'Status: no response yet',
        'Progress: no response yet',
        'Message: no response yet',
      ],
    ]);
    await walk.imports(1);
    await walk.hears(['{"status":"RUNNING","pct":12}', 'running']);
    assert.deepEqual((await rows()).slice(0, 4), [
      ...['Task ID: /taskId (recognized)', 'Status: /status (recognized)', 'Progress: not recognized'],
      'Message: not recognized',
    ]);
    await walk.deps.mapping.setPointer(walk.dataset, 'progress', '/pct');
    assert.equal((await rows())[2], 'Progress: /pct');
  });

  it('opens at what a row lacks, and otherwise at all fields', async () => {
    await walk.imports(1);
    const from = () => mapResponses(walk.deps, clicked({ taskKey: walk.tasks[0]?.key ?? 0 }));
    await walk.hears(['{"phase":"open"}', 'running']);
    await walk.user.gives(from, 'open');
    assert.equal(walk.dataset.contract.queryTask.status, '/phase');
    await walk.deps.mapping.setMeanings(walk.dataset, new Map([['open', 'running']]));
    await walk.user.gives(from, 'Status', 'Recognize Automatically');
    assert.equal(walk.dataset.contract.queryTask.status, undefined);
  });

  it('offers no value of another task, and says so', async () => {
    await walk.imports(1);
    await walk.hears(['[{"taskId":"t-0","status":"FAILED"},{"taskId":"t-2","status":"DONE"}]', 'running']);
    const [task = assert.fail()] = walk.tasks;
    assert.equal(formatState(taskState(task), task), "task 'T-1' is not in the response");
    await assert.rejects(mapResponses(walk.deps, clicked({ taskKey: task.key })), (error) => {
      assert.ok(error instanceof UserError);
      assert.equal(error.message, "The response for 'walk 0.txt' has only values of other tasks than 'T-1'.");
      assert.deepEqual(
        error.actions.map(({ label }) => label),
        ['Open Dataset Settings'],
      );
      return true;
    });
  });

  /** The labels and descriptions of the pick. */
  async function rows(): Promise<string[]> {
    let shown: readonly QuickPickItem[] = [];
    const one = async (items: readonly QuickPickItem[]) => {
      shown = items;
      return undefined;
    };
    const deps = { ...walk.deps, picks: { ...walk.deps.picks, one } } as typeof walk.deps;
    await mapResponses(deps, clicked({ dataset: walk.dataset }));
    return shown.map(({ label, description = '' }) => `${label}: ${description}`);
  }
});
