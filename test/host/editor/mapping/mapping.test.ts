import assert from 'node:assert/strict';
import { Mapping, type TouchedTasks } from '../../../../src/editor/mapping/mapping';
import type { Datasets } from '../../../../src/editor/datasets/datasets';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import type { Dataset } from '../../../../src/service/contract/dataset';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { taskState } from '../../../../src/tasks/trackedTask';
import { answered, ownList } from '../../answeredTasks';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';

const manuals = { name: 'Manuals', baseUrl: 'https://manuals.example' };
const logs = { name: 'Logs', baseUrl: 'https://logs.example', contract: { headers: { 'X-Tenant': '42' } } };
const strange = { dataset: 'Manuals', begun: '{"x":{"ref":9007199254740993123}}', found: '{"x":{"y":{"st":"Z"}}}' };

describe('A mapping of responses', () => {
  let kept: OwnDatasets;
  let datasets: Datasets;
  let own: ReturnType<typeof ownList>;
  let list: TaskList;
  let mapping: Mapping;

  beforeEach(() => {
    kept = ownDatasets([7, manuals, logs]);
    ({ datasets } = kept);
    own = ownList();
    list = own.list;
    mapping = new Mapping(datasets, list);
  });

  afterEach(() => {
    kept.dispose();
    own.dispose();
  });

  it('is saved in the settings, and leaves the rest of them unchanged', async () => {
    await mapping.setPointer(found('Manuals'), 'taskId', '/x/ref');
    await mapping.setPointer(found('Logs'), 'status', '/st');
    await mapping.setMeanings(found('Logs'), new Map([['Z', 'succeeded']]));
    assert.deepEqual(kept.setting.read(), [
      7,
      { ...manuals, contract: { fileTask: { taskId: '/x/ref' } } },
      { ...logs, contract: { ...logs.contract, queryTask: { status: '/st', statusMeanings: { Z: 'succeeded' } } } },
    ]);
  });

  it('leaves nothing behind once it is removed', async () => {
    await mapping.setPointer(found('Manuals'), 'message', '/note');
    await mapping.setMeanings(found('Manuals'), new Map([['Z', 'failed']]));
    assert.equal(mapping.pointer(found('Manuals'), 'message'), '/note');
    assert.deepEqual(found('Manuals').contract.queryTask.statusMeanings, { Z: 'failed' });
    await mapping.setPointer(found('Manuals'), 'message', undefined);
    await mapping.setMeanings(found('Manuals'), new Map([['Z', undefined]]));
    assert.equal(mapping.pointer(found('Manuals'), 'message'), undefined);
    assert.deepEqual(found('Manuals').contract.queryTask.statusMeanings, {});
    const [, entry] = kept.setting.read() as { contract?: object }[];
    assert.deepEqual(entry?.contract ?? {}, {});
  });

  it('applies to all tasks of the dataset, and asks only before it changes results of others', async () => {
    const asked: [TouchedTasks, string][] = [];
    let isWanted = false;
    const asking = new Mapping(datasets, list, async (touched, { name }) => {
      asked.push([touched, name]);
      return isWanted;
    });
    await asking.setPointer(found('Manuals'), 'taskId', '/x/ref');
    const { contract } = found('Manuals');
    const added = await list.add([1, 2, 3].map(() => answered(strange, contract)));
    const [other = assert.fail()] = await list.add([answered({ ...strange, dataset: 'Logs' })]);
    const stateOf = (key: number) => taskState(list.get(key) ?? assert.fail());
    const states = () => added.map(({ key }) => stateOf(key));
    await asking.setPointer(found('Manuals'), 'status', '/x/y/st', added[0]?.key);
    await asking.setMeanings(found('Manuals'), new Map([['Z', 'succeeded']]));
    assert.deepEqual([asked, states()], [[], ['succeeded', 'succeeded', 'succeeded']]);
    await asking.setMeanings(found('Manuals'), new Map([['Z', 'failed']]));
    assert.deepEqual(asked.splice(0), [[{ tasks: 3, ended: 3 }, 'Manuals']]);
    assert.deepEqual(states(), ['succeeded', 'succeeded', 'succeeded']);
    isWanted = true;
    await asking.setMeanings(found('Manuals'), new Map([['Z', 'failed']]));
    assert.deepEqual([asked.length, states()], [1, ['failed', 'failed', 'failed']]);
    assert.equal(stateOf(other.key), 'withoutId');
  });

  it('of the sandbox is kept in memory until the sandbox stops', async () => {
    const before = kept.setting.read();
    const sandbox: Dataset = { name: 'Sandbox', baseUrl: new URL('http://127.0.0.1:9'), contract: DEFAULT_CONTRACT };
    datasets.setSandbox(sandbox);
    await mapping.setPointer(found('Sandbox'), 'status', '/st');
    await mapping.setMeanings(found('Sandbox'), new Map([['Z', 'succeeded']]));
    assert.equal(mapping.pointer(found('Sandbox'), 'status'), '/st');
    assert.deepEqual(found('Sandbox').contract.queryTask.statusMeanings, { Z: 'succeeded' });
    assert.deepEqual(kept.setting.read(), before);
    datasets.setSandbox(undefined);
    datasets.setSandbox(sandbox);
    await mapping.setPointer(found('Sandbox'), 'message', '/note');
    assert.equal(mapping.pointer(found('Sandbox'), 'status'), undefined);
  });

  function found(name: string): Dataset {
    const dataset = datasets.find(name);
    assert.ok(dataset, name);
    return dataset;
  }
});
