import assert from 'node:assert/strict';
import type { AccessKeys } from '../../../../src/editor/datasets/accessKeys';
import { Datasets } from '../../../../src/editor/datasets/datasets';
import { whyWaits } from '../../../../src/editor/datasets/findDataset';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import type { Dataset } from '../../../../src/service/contract/dataset';
import type { Serving } from '../../../../src/tasks/sending/serving';
import type { DestinationRow } from '../../../../src/tasks/store/model';
import { MemoryMemento } from '../../memoryStorage';
import { type MemoryDatasets, type OwnDatasets, ownDatasets } from '../../ownDatasets';

const manuals = { name: 'Manuals', baseUrl: 'https://manuals.example' };
const logs = { name: 'Logs', baseUrl: 'https://logs.example/api', contract: { fileTask: { filePart: 'doc' } } };
const sandbox: Dataset = { name: 'Sandbox', baseUrl: new URL('http://127.0.0.1:9'), contract: DEFAULT_CONTRACT };

describe('A dataset', () => {
  let own: OwnDatasets;
  let setting: MemoryDatasets;
  let keys: AccessKeys;
  let datasets: Datasets;

  beforeEach(() => {
    own = ownDatasets();
    ({ setting, keys, datasets } = own);
  });

  afterEach(() => own.dispose());

  it('has one reason why its imports wait, even for a view that has read an outdated row', async () => {
    setting.set([manuals]);
    const row = { id: 1, dataset: 'Manuals', origin: 'https://old.example', window: 'this one' } as DestinationRow;
    const pause = { reason: 'noKey', untilMs: null };
    const whyOf = (destinations: readonly DestinationRow[], isServing: boolean) => {
      const serving = { destinations, isServing: () => isServing, pauseOf: () => pause } as unknown as Serving;
      return whyWaits({ datasets, keys, serving }, row.id);
    };
    const moved = { reason: 'moved', host: 'manuals.example' };
    const reasons = [whyOf([row], true), whyOf([{ ...row, window: null }], false), whyOf([row], false)];
    assert.deepEqual(reasons, [moved, moved, pause]);
  });

  it('can be added without changing the other entries in the settings, even invalid ones', async () => {
    const others = [
      7,
      null,
      { name: 'Bad', baseUrl: 'ftp://x', colour: 'red' },
      logs,
      { baseUrl: 'https://unnamed.example' },
    ];
    put(others);
    await datasets.add(manuals);
    assert.deepEqual(setting.read(), [...others, manuals]);
    assert.equal(datasets.find('Manuals')?.baseUrl.href, 'https://manuals.example/');
  });

  it('cannot be added under the name of the sandbox or a name that is already in the settings, even if the existing entry is invalid', async () => {
    const faulty = { name: ' Faulty ', baseUrl: 'http://faulty.example', contract: logs.contract };
    put([manuals, faulty]);
    for (const name of ['Manuals', 'Faulty']) {
      await assert.rejects(datasets.add({ name, baseUrl: 'https://new.example' }), /A dataset named '/);
      assert.equal(datasets.nameFault(name), `A dataset named '${name}' already exists.`);
    }
    const adding = datasets.add({ name: 'Sandbox', baseUrl: 'https://mine.example' });
    await assert.rejects(adding, /The name 'Sandbox' is reserved for the sandbox/);
    assert.deepEqual(setting.read(), [manuals, faulty]);
  });

  it('is changed and removed without changing other entries with the same name', async () => {
    const invalid = { name: 'Manuals', baseUrl: 'http://manuals.example', contract: logs.contract };
    const second = { name: 'Manuals', baseUrl: 'https://second.example' };
    put([invalid, manuals, second]);
    const used = () => datasets.find('Manuals') ?? assert.fail();
    assert.equal(datasets.overrides(used()), undefined);
    await datasets.override(used(), ['fileTask', 'filePart'], 'doc');
    const changed = { ...manuals, contract: { fileTask: { filePart: 'doc' } } };
    assert.deepEqual(setting.read(), [invalid, changed, second]);
    await datasets.rename(used(), 'First');
    assert.deepEqual(setting.read(), [invalid, { ...changed, name: 'First' }, second]);
    await datasets.remove(used());
    assert.deepEqual(setting.read(), [invalid, { ...changed, name: 'First' }]);
  });

  it('cannot be changed after it has been removed', async () => {
    put([manuals, logs]);
    const gone = found('Logs');
    put([manuals]);
    await assert.rejects(datasets.override(gone, ['queryTask', 'status'], '/st'), /Dataset 'Logs' no longer exists/);
    assert.deepEqual(setting.read(), [manuals]);
    const changes = [datasets.add(manuals), datasets.override(found('Manuals'), ['queryTask', 'status'], '/st')];
    assert.equal((await Promise.allSettled(changes)).map(({ status }) => status).join(), 'rejected,fulfilled');
    assert.equal(found('Manuals').contract.queryTask.status, '/st');
  });

  it('cannot be added if the datasets setting is not a list', async () => {
    put({ name: 'Manuals' });
    await assert.rejects(datasets.add(manuals), /datasetImport\.datasets/);
    assert.deepEqual(setting.read(), { name: 'Manuals' });
  });

  it('is removed together with its key and its webhook', async () => {
    put([7, manuals, logs]);
    const [removed, kept] = [found('Manuals'), found('Logs')];
    await keys.set(removed, 'key of manuals');
    await keys.set(kept, 'key of logs');
    for (const each of [removed, kept])
      await datasets.setWebhook(each, { url: 'https://hook.example', isVerified: true });
    await datasets.setDefault(removed);
    await datasets.remove(removed);
    assert.deepEqual([setting.read(), datasets.missingDefault], [[7, logs], undefined]);
    assert.equal(await keys.get(removed), undefined);
    assert.equal(await keys.get(kept), 'key of logs');
    await datasets.add(manuals);
    assert.equal(datasets.webhookOf(found('Manuals')), undefined);
    assert.equal(datasets.webhookOf(kept)?.url, 'https://hook.example');
  });

  it('keeps its key if it cannot be removed from the settings', async () => {
    put([manuals]);
    await keys.set(found('Manuals'), 'a key');
    setting.save = () => Promise.reject(new Error('unsaved changes'));
    await assert.rejects(datasets.remove(found('Manuals')), /unsaved changes/);
    assert.equal(await keys.get(found('Manuals')), 'a key');
  });

  it('can receive imports only if an access key is stored for its current origin', async () => {
    put([manuals]);
    assert.equal(await datasets.target('Manuals'), undefined);
    await keys.set(found('Manuals'), 'a key');
    const target = await datasets.target('Manuals');
    assert.equal(target?.accessKey, 'a key');
    assert.equal(target?.baseUrl.href, 'https://manuals.example/');
    put([{ ...manuals, baseUrl: 'https://elsewhere.example' }]);
    assert.equal(await datasets.target('Manuals'), undefined);
  });

  it('does not automatically become the default if there are other datasets, even invalid ones', async () => {
    put([manuals, { ...logs, baseUrl: 'htps://logs.example' }]);
    assert.deepEqual([datasets.default?.name, datasets.missingDefault], [undefined, undefined]);
    put([manuals]);
    assert.equal(datasets.default?.name, 'Manuals');
    put([manuals, logs]);
    assert.equal(datasets.default?.name, undefined);
    await datasets.setDefault(found('Logs'));
    assert.equal(datasets.default?.name, 'Logs');
    assert.deepEqual(setting.read(), [manuals, logs]);
    const reopened = new Datasets(keys, own.workspaceState, new MemoryMemento(), setting);
    assert.equal(reopened.default?.name, 'Logs');
    reopened.dispose();
  });

  const unusable = { removed: [manuals], invalid: [manuals, { ...logs, baseUrl: 'htps://logs.example' }] };
  for (const [what, setting] of Object.entries(unusable)) {
    it(`that is the default is not silently replaced by another dataset when it is ${what}`, async () => {
      put([manuals, logs]);
      await datasets.setDefault(found('Logs'));
      assert.equal(datasets.missingDefault, undefined);
      put(setting);
      assert.deepEqual([datasets.default?.name, datasets.missingDefault], [undefined, 'Logs']);
      put([manuals, logs]);
      assert.deepEqual([datasets.default?.name, datasets.missingDefault], ['Logs', undefined]);
    });
  }

  it('is listed before the running sandbox', async () => {
    put([manuals, { name: 'Sandbox', baseUrl: 'https://mine.example' }]);
    datasets.setSandbox(sandbox);
    assert.equal(datasets.all[1], sandbox);
    assert.equal(datasets.find('Sandbox'), sandbox);
    const areSandboxes = datasets.all.map((each) => datasets.isSandbox(each));
    assert.deepEqual(areSandboxes, [false, true]);
    datasets.setSandbox(undefined);
    assert.equal(datasets.all.map(({ name }) => name).join(), 'Manuals');
  });

  function found(name: string): Dataset {
    return datasets.find(name) ?? assert.fail(name);
  }

  function put(value: unknown): void {
    setting.set(value);
  }
});
