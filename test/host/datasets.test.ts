import assert from 'node:assert/strict';
import { AccessKeys } from '../../src/editor/accessKeys';
import { Datasets } from '../../src/editor/datasets';
import { DatasetsTree } from '../../src/editor/datasetsTree';
import { datasetsSetting } from '../../src/editor/settings';
import { Webhooks } from '../../src/editor/webhooks';
import { DEFAULT_CONTRACT } from '../../src/service/contract';
import type { Dataset } from '../../src/service/dataset';
import { MemoryMemento, MemorySecrets } from './memoryStorage';
import { setUserSetting } from './userSettings';

const manuals = { name: 'Manuals', baseUrl: 'https://manuals.example' };
const logs = { name: 'Logs', baseUrl: 'https://logs.example/api', contract: { fileTask: { filePart: 'doc' } } };

describe('Datasets', () => {
  let keys: AccessKeys;
  let workspaceState: MemoryMemento;
  let datasets: Datasets;

  beforeEach(() => {
    keys = new AccessKeys(new MemorySecrets());
    workspaceState = new MemoryMemento();
    datasets = new Datasets(keys, workspaceState);
  });

  afterEach(async () => {
    datasets.dispose();
    await setUserSetting('datasetImport.datasets', undefined);
  });

  it('are added to the settings after what stands there, which stays as it is, usable or not', async () => {
    const others = [
      7,
      null,
      { name: 'Bad', baseUrl: 'ftp://x', colour: 'red' },
      logs,
      { baseUrl: 'https://unnamed.example' },
    ];
    await put(others);
    await datasets.add(manuals);
    assert.deepEqual(datasetsSetting(), [...others, manuals]);
    assert.equal(datasets.find('Manuals')?.baseUrl.href, 'https://manuals.example/');
  });

  it('are found by their names, each with its own contract', async () => {
    await put([manuals, logs]);
    assert.equal(datasets.find('Logs')?.contract.fileTask.filePart, 'doc');
    assert.equal(datasets.find('Manuals')?.contract.fileTask.filePart, DEFAULT_CONTRACT.fileTask.filePart);
    assert.equal(datasets.find('logs'), undefined);
  });

  it('replace the one of the same name', async () => {
    await put([manuals, logs]);
    await datasets.add({ ...manuals, baseUrl: 'https://new.example' });
    assert.deepEqual(datasetsSetting(), [logs, { ...manuals, baseUrl: 'https://new.example' }]);
  });

  it('are not added to a setting that is no list, so that nothing of it is lost', async () => {
    await put({ name: 'Manuals' });
    await assert.rejects(datasets.add(manuals), /datasetImport\.datasets/);
    assert.deepEqual(datasetsSetting(), { name: 'Manuals' });
  });

  it('are removed together with their keys, and with nothing of the others', async () => {
    await put([7, manuals, logs]);
    const [removed, kept] = [found('Manuals'), found('Logs')];
    await keys.set(removed, 'key of manuals');
    await keys.set(kept, 'key of logs');
    await datasets.remove(removed);
    assert.deepEqual(datasetsSetting(), [7, logs]);
    assert.equal(await keys.get(removed), undefined);
    assert.equal(await keys.get(kept), 'key of logs');
  });

  it('have a target once there is a key, and none without', async () => {
    await put([manuals]);
    assert.equal(await datasets.target('Manuals'), undefined);
    await keys.set(found('Manuals'), 'a key');
    const target = await datasets.target('Manuals');
    assert.equal(target?.accessKey, 'a key');
    assert.equal(target?.baseUrl.href, 'https://manuals.example/');
    assert.equal(await datasets.target('Other'), undefined);
  });

  it('lose their key where the settings point them to another origin', async () => {
    await put([manuals]);
    await keys.set(found('Manuals'), 'a key');
    await put([{ ...manuals, baseUrl: 'https://elsewhere.example' }]);
    assert.equal(await datasets.target('Manuals'), undefined);
  });

  describe('have a default', () => {
    it('that is the only one there is', async () => {
      assert.equal(defaultName(), undefined);
      await put([manuals]);
      assert.equal(defaultName(), 'Manuals');
    });

    it('that must be chosen where there are several, and is kept in the workspace alone', async () => {
      await put([manuals, logs]);
      assert.equal(defaultName(), undefined);
      await datasets.setDefault(found('Logs'));
      assert.equal(defaultName(), 'Logs');
      assert.deepEqual(datasetsSetting(), [manuals, logs]);
      const reopened = new Datasets(keys, workspaceState);
      assert.equal(reopened.default?.name, 'Logs');
      reopened.dispose();
    });

    it('that is chosen anew where the chosen one is gone', async () => {
      await put([manuals, logs]);
      await datasets.setDefault(found('Logs'));
      await put([manuals, { ...logs, name: 'More' }]);
      assert.equal(defaultName(), undefined);
      await put([manuals]);
      assert.equal(defaultName(), 'Manuals');
    });
  });

  it('have the sandbox before all others while it runs, and know it from a dataset of the same name', async () => {
    await put([manuals, { name: 'Sandbox', baseUrl: 'https://mine.example' }]);
    const sandbox: Dataset = { name: 'Sandbox', baseUrl: new URL('http://127.0.0.1:9'), contract: DEFAULT_CONTRACT };
    datasets.setSandbox(sandbox);
    assert.equal(datasets.all[0], sandbox);
    assert.equal(datasets.find('Sandbox'), sandbox);
    assert.deepEqual(
      datasets.all.map((each) => datasets.isSandbox(each)),
      [true, false, false],
    );
    datasets.setSandbox(undefined);
    assert.deepEqual(
      datasets.all.map(({ name }) => name),
      ['Manuals', 'Sandbox'],
    );
  });

  it('tell when one, a key or the default changes', async () => {
    let told = 0;
    datasets.onDidChange(() => told++);
    const tells = async (change: () => Promise<unknown>) => {
      const before = told;
      await change();
      assert.ok(told > before, String(change));
    };
    await tells(() => put([manuals]));
    await tells(() => keys.set(found('Manuals'), 'a key'));
    await tells(() => datasets.setDefault(found('Manuals')));
    await tells(() => datasets.remove(found('Manuals')));
  });

  describe('in their view', () => {
    it('show default, missing key and host, and below them base URL, key, request, answers and webhook, never the key itself', async () => {
      await put([manuals, logs, 7]);
      await datasets.setDefault(found('Logs'));
      await keys.set(found('Logs'), 'secret-key-1');
      const webhooks = new Webhooks(new MemoryMemento());
      await webhooks.remember(found('Logs'), new URL('https://hooks.example/x'));
      const tree = new DatasetsTree(datasets, keys, webhooks);
      const nodes = await tree.getChildren();
      const items = await Promise.all(nodes.map((node) => tree.getTreeItem(node)));
      assert.deepEqual(
        items.map(({ label, description, contextValue }) => [label, description, contextValue]),
        [
          ['Manuals', 'no Access-Key · manuals.example', 'dataset'],
          ['Logs', 'default · logs.example', 'dataset'],
          ['#3', 'cannot be used', undefined],
        ],
      );
      const below = await Promise.all(nodes.map((node) => tree.getChildren(node)));
      const details = await Promise.all((below[1] ?? []).map((node) => tree.getTreeItem(node)));
      assert.deepEqual(
        details.map(({ label, description }) => [label, description]),
        [
          ['Base URL', 'https://logs.example/api'],
          ['Access-Key', 'set'],
          ['Request', 'edited'],
          ['Answers', 'recognised by usual names'],
          ['Webhook', 'https://hooks.example/x'],
        ],
      );
      assert.ok(!JSON.stringify([items, details]).includes('secret-key-1'));
      assert.deepEqual(below[2], []);
      for (const part of [tree, webhooks]) part.dispose();
    });

    it('say how the request differs and where answers are read, and lead to changing it', async () => {
      const contract = { fileTask: { taskId: '/r/ref' }, queryTask: { status: '/r/st' } };
      await put([{ ...manuals, contract }]);
      const webhooks = new Webhooks(new MemoryMemento());
      const tree = new DatasetsTree(datasets, keys, webhooks);
      const [node] = await tree.getChildren();
      const details = await Promise.all((await tree.getChildren(node)).map((each) => tree.getTreeItem(each)));
      assert.deepEqual(
        details.slice(2, 4).map(({ label, description, command }) => [label, description, command?.command]),
        [
          ['Request', 'as assumed', 'datasetImport.editRequest'],
          ['Answers', 'Task ID /r/ref, Status /r/st', 'datasetImport.mapAnswers'],
        ],
      );
      for (const part of [tree, webhooks]) part.dispose();
    });

    it('show a mistake in a part of a contract beside the dataset, which can be used', async () => {
      await put([{ ...manuals, contract: { fileTask: { taskId: 'ref', filePart: 'doc' } } }]);
      assert.equal(found('Manuals').contract.fileTask.filePart, 'doc');
      const webhooks = new Webhooks(new MemoryMemento());
      const tree = new DatasetsTree(datasets, keys, webhooks);
      const items = await Promise.all((await tree.getChildren()).map((node) => tree.getTreeItem(node)));
      assert.deepEqual(
        items.map(({ label, description }) => [label, String(description).split(' · ').at(-1)]),
        [
          ['Manuals', 'manuals.example'],
          ['Manuals', 'has a mistake'],
        ],
      );
      assert.match(String(items[1]?.tooltip), /'Manuals'.*contract\.fileTask\.taskId is not a JSON Pointer/);
      for (const part of [tree, webhooks]) part.dispose();
    });
  });

  function defaultName(): string | undefined {
    return datasets.default?.name;
  }

  function found(name: string): Dataset {
    const dataset = datasets.find(name);
    assert.ok(dataset, name);
    return dataset;
  }
});

function put(setting: unknown): Promise<void> {
  return setUserSetting('datasetImport.datasets', setting);
}
