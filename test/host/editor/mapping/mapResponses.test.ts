import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import { COMMANDS } from '../../../../src/editor/commands';
import { mapResponses } from '../../../../src/editor/mapping/mapResponses';
import { newestTaskId, taskOf } from '../../../../src/editor/mapping/responses';
import { UserError } from '../../../../src/editor/platform/actions';
import type { Services } from '../../../../src/editor/services';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { FileRow } from '../../../../src/tasks/store/model';
import { MANUALS } from '../../../unit/tasks/store/storeRequests';
import { ownDatasets } from '../../ownDatasets';
import { OwnImportStore } from '../../ownImportStore';
import { OpenedStore, rejected } from '../tasksView/openedStore';
import { beforeEachWalk, walk } from './reportingWalk';

describe('Map Responses…', () => {
  beforeEachWalk();

  it('shows where it finds each field in a response', async () => {
    assert.deepEqual((await rows()).slice(0, 4), [
      'Task ID: no response yet',
      'Status: no response yet',
      'Progress: no response yet',
      'Message: no response yet',
    ]);
    await walk.importFiles(1);
    await walk.report('{"status":"RUNNING","pct":12}');
    assert.deepEqual((await rows()).slice(0, 4), [
      'Task ID: /taskId (recognized)',
      'Status: /status (recognized)',
      'Progress: not recognized',
      'Message: not recognized',
    ]);
    await walk.services.datasets.override(walk.dataset, ['queryTask', 'progress'], '/pct');
    assert.equal((await rows())[2], 'Progress: /pct');
  });

  it('asks where the missing field is, or lists all fields if none are missing', async () => {
    await walk.importFiles(1);
    const from = async () => mapResponses(walk.services, walk.dataset, await walk.row());
    await walk.report('{"phase":"open"}');
    await walk.user.answer(from, 'open');
    assert.equal(walk.dataset.contract.queryTask.status, '/phase');
    await walk.services.datasets.override(walk.dataset, ['queryTask', 'statusMeanings'], { open: 'running' });
    await walk.passUntil('the status', async () => (await walk.row()).state === 'running');
    await walk.user.answer(from, 'Status', 'Recognize Automatically');
    assert.equal(walk.dataset.contract.queryTask.status, undefined);
  });

  it('reports an error if a response contains values only for other tasks', async () => {
    await walk.importFiles(1);
    await walk.report('[{"taskId":"t-0","status":"FAILED"},{"taskId":"t-2","status":"DONE"}]');
    await assert.rejects(mapResponses(walk.services, walk.dataset, await walk.row()), (error) => {
      assert.ok(error instanceof UserError);
      assert.equal(error.message, "The response for 'walk 0.txt' has no values of this task to choose from.");
      assert.equal(error.actions.map(({ label }) => label).join(), 'Open Dataset Settings');
      return true;
    });
  });

  it('finds the task that a stored response is about, if its file has several tasks', () => {
    const tasks = ['T-1', 'T-2'].map((id) => ({ id: typedTaskId(id, 'string'), meaning: 'running' }));
    const ownId = (data: string) =>
      taskOf({ row: { tasks } as unknown as FileRow, data: parseJson(data) }, DEFAULT_CONTRACT)?.id;
    assert.deepEqual(['{"taskId":"T-1"}', '{"taskId":"T-2"}', '{}'].map(ownId), ['T-1', 'T-2', 'T-2']);
  });

  it('uses the latest task, even if older rows failed or 50 newer ones were rejected', async () => {
    await using own = new OwnImportStore();
    const { datasets } = ownDatasets([{ name: MANUALS.dataset, baseUrl: MANUALS.origin }]);
    const newest = async () => newestTaskId({ store: own.store }, datasets.find(MANUALS.dataset) ?? assert.fail());
    await own.inState('failed', 'old.txt');
    await own.inState('succeeded', 'new.txt');
    const expected = (await own.row('new.txt')).tasks[0]?.id;
    assert.equal(await newest(), expected);
    for (let index = 0; index < 50; index++) await own.inState('rejected', `${index}.txt`);
    assert.equal(await newest(), expected);
  });

  it('uses a response without a task ID if it is run on a batch that also has rejected files', async () => {
    await using opened = new OpenedStore();
    const response = '{"code":"0","data":{"parts":[{"receipt":"R-1"}]}}';
    await opened.import({ 'a.md': rejected('No.'), 'b.md': { outcome: 'accepted', taskIds: [], response } });
    const { datasets, keys } = ownDatasets([{ name: MANUALS.dataset, baseUrl: MANUALS.origin }]);
    let shown: readonly QuickPickItem[] = [];
    const one = async (items: readonly QuickPickItem[]) => {
      shown = items;
    };
    const serving = { pauseOf: () => null };
    const services = { store: opened.store, datasets, keys, serving, picks: { one } } as unknown as Services;
    const batch = { group: 'batch 1', filter: { batch: 1 } };
    await COMMANDS.mapResponses(services, { name: 'mapResponses', args: [batch], selection: [] });
    // A later file may have several parts.
    assert.equal(shown.find(({ label }) => label === 'R-1')?.description, '/parts/${each}/receipt');
  });

  /** The labels and descriptions of the listed items. */
  async function rows(): Promise<string[]> {
    let shown: readonly QuickPickItem[] = [];
    const one = async (items: readonly QuickPickItem[]) => {
      shown = items;
      return undefined;
    };
    const services = { ...walk.services, picks: { ...walk.services.picks, one } } as typeof walk.services;
    await mapResponses(services, walk.dataset);
    return shown.map(({ label, description = '' }) => `${label}: ${description}`);
  }
});
