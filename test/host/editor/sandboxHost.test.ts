import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { Uri, workspace } from 'vscode';
import type { AccessKeys } from '../../../src/editor/datasets/accessKeys';
import type { Datasets } from '../../../src/editor/datasets/datasets';
import type { Messages } from '../../../src/editor/platform/messages';
import { SandboxHost, startSandbox } from '../../../src/editor/sandboxHost';
import type { Dataset } from '../../../src/service/contract/dataset';
import { openImportStore } from '../../../src/tasks/store/importStore';
import { storePath } from '../../../src/tasks/storePath';
import { fileOf, requestOf } from '../../unit/tasks/store/storeRequests';
import { activated } from '../activated';
import { type OwnDatasets, ownDatasets } from '../ownDatasets';
import { until } from '../until';

const PROGRAM = path.join(__dirname, '../../../src/tasks/store/importStoreProgram.js');

describe("A window's sandbox", () => {
  let own: OwnDatasets;
  let keys: AccessKeys;
  let datasets: Datasets;
  let sandbox: SandboxHost;

  beforeEach(() => {
    own = ownDatasets();
    ({ keys, datasets } = own);
    sandbox = new SandboxHost(datasets, keys, () => {});
  });

  afterEach(async () => {
    await sandbox.stop();
    for (const part of [sandbox, own]) part.dispose();
  });

  it('is added as a single dataset with a loopback URL and its own key, even if it is started twice at the same time', async () => {
    const [first, second] = await Promise.all([sandbox.start(), sandbox.start()]);
    assert.equal(first, second);
    assert.deepEqual(datasets.all, [first]);
    assert.equal(first.baseUrl.hostname, '127.0.0.1');
    assert.equal(datasets.isSandbox(first), true);
    assert.match((await keys.get(first)) ?? '', /^sandbox-\S{20,}$/);
  });

  it('is not offered as the default if it already is, even after its mapping has changed', async () => {
    const offered: string[][] = [];
    const done: Messages['done'] = async (_, ...actions) => void offered.push(actions.map(({ label }) => label));
    const services = { sandbox, datasets, messages: { done } as Messages };
    await startSandbox(services);
    await datasets.override(await sandbox.start(), ['queryTask', 'status'], '/st');
    await startSandbox(services);
    assert.deepEqual(offered, [['Import Sample Files'], ['Import Sample Files']]);
  });

  it('removes its dataset and its key when it stops, and gets a new key when it is started again', async () => {
    const first = await sandbox.start();
    const firstKey = await keys.get(first);
    await sandbox.stop();
    assert.deepEqual(datasets.all, []);
    assert.equal(await keys.get(first), undefined);
    await assert.rejects(connected(first), { code: 'ECONNREFUSED' });
    const second = await sandbox.start();
    assert.notEqual(await keys.get(second), firstKey);
    (await connected(second)).destroy();
  });

  it("does not matter for the rows of another window's sandbox", async () => {
    const engine = await activated();
    const window = { id: 'other', machine: hostname(), pid: process.pid };
    const setup = { path: storePath(path.dirname(engine.textsFolder)), window };
    const other = openImportStore(setup, { program: PROGRAM, onSetAside: () => assert.fail('set aside') });
    const destination = { dataset: 'Sandbox', origin: 'http://127.0.0.1:9' };
    await other.queue(requestOf('r', [fileOf('a.txt')], { destination }));
    await until('the destination', async () => {
      await engine.serving.turn();
      return engine.serving.destinations.some(
        ({ origin, window }) => origin === destination.origin && window === 'other',
      );
    });
    const [row] = await engine.store.rowsAfter({ filter: { states: ['queued'] }, after: 0, limit: 1 });
    const uri = Uri.from({ scheme: 'dataset-import-task', path: '/a.txt', query: String(row?.id) });
    const details = (await workspace.openTextDocument(uri)).getText();
    await engine.store.cancel({});
    await engine.store.remove({});
    await other.close();
    assert.match(details, /^a\.txt\nQueued\n/);
  });

  it('closes its port and its connections when the extension shuts down', async () => {
    const dataset = await sandbox.start();
    const socket = await connected(dataset);
    sandbox.dispose();
    await once(socket, 'close');
    await assert.rejects(connected(dataset), { code: 'ECONNREFUSED' });
  });

  it('closes its port even if the extension shuts down while the sandbox is starting', async () => {
    const starting = sandbox.start();
    sandbox.dispose();
    await assert.rejects(connected(await starting), { code: 'ECONNREFUSED' });
  });

  it('works even if the secret storage fails', async () => {
    const fails = () => Promise.reject(new Error('no keyring'));
    Object.assign(own.secrets, { get: fails, store: fails, delete: fails, keys: fails });
    const dataset = await sandbox.start();
    assert.ok(await keys.get(dataset));
    await sandbox.stop();
    assert.equal(await keys.get(dataset), undefined);
  });
});

async function connected({ baseUrl }: Dataset): Promise<Socket> {
  const socket = connect({ host: baseUrl.hostname, port: Number(baseUrl.port) });
  await once(socket, 'connect');
  return socket;
}
