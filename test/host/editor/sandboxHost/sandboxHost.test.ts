import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AccessKeys } from '../../../../src/editor/datasets/accessKeys';
import { Datasets } from '../../../../src/editor/datasets/datasets';
import { SandboxHost } from '../../../../src/editor/sandboxHost/sandboxHost';
import { type Dataset, SANDBOX_NAME } from '../../../../src/service/contract/dataset';
import { activated, type Engine } from '../../activated';
import { MemoryMemento, MemorySecrets } from '../../memoryStorage';

describe("The window's sandbox", () => {
  let engine: Engine;

  before(async () => {
    engine = await activated();
  });

  afterEach(() => engine.sandbox.stop());

  it('starts only once, even if it is started several times at once', async () => {
    const [first, second] = await Promise.all([engine.sandbox.start(), engine.sandbox.start()]);
    const third = await engine.sandbox.start();
    assert.equal(first, second);
    assert.equal(first, third);
    assert.deepEqual(
      engine.datasets.all.map(({ name }) => name),
      [SANDBOX_NAME],
    );
  });

  it('is a dataset on loopback with its own key', async () => {
    const dataset = await engine.sandbox.start();
    assert.equal(dataset.baseUrl.hostname, '127.0.0.1');
    assert.equal(engine.datasets.isSandbox(dataset), true);
    assert.match((await engine.keys.get(dataset)) ?? '', /^sandbox-\S{20,}$/);
  });

  it('removes its dataset and its key when it stops', async () => {
    const dataset = await engine.sandbox.start();
    await engine.sandbox.stop();
    assert.deepEqual(engine.datasets.all, []);
    assert.equal(await engine.keys.get(dataset), undefined);
    await assert.rejects(connected(dataset), { code: 'ECONNREFUSED' });
  });

  it('gets a new key when it is started again', async () => {
    const first = await engine.sandbox.start();
    const firstKey = await engine.keys.get(first);
    await engine.sandbox.stop();
    const second = await engine.sandbox.start();
    assert.notEqual(await engine.keys.get(second), firstKey);
    (await connected(second)).destroy();
  });

  it('closes its port and its connections when the extension shuts down', async () => {
    const { sandbox, parts: others } = alone();
    const dataset = await sandbox.start();
    const socket = await connected(dataset);
    sandbox.dispose();
    await once(socket, 'close');
    await assert.rejects(connected(dataset), { code: 'ECONNREFUSED' });
    for (const part of others) part.dispose();
  });

  it('closes its port even if the extension shuts down while the sandbox is starting', async () => {
    const { sandbox, parts: others } = alone();
    const starting = sandbox.start();
    sandbox.dispose();
    const dataset = await starting;
    await assert.rejects(connected(dataset), { code: 'ECONNREFUSED' });
    for (const part of others) part.dispose();
  });

  it('works even if the secret storage fails', async () => {
    const { sandbox, secrets, keys, parts: others } = alone();
    const fails = () => Promise.reject(new Error('no keyring'));
    Object.assign(secrets, { get: fails, store: fails, delete: fails, keys: fails });
    const dataset = await sandbox.start();
    assert.ok(await keys.get(dataset));
    await sandbox.stop();
    assert.equal(await keys.get(dataset), undefined);
    for (const part of [sandbox, ...others]) part.dispose();
  });
});

/** A sandbox host in addition to the window's own. */
function alone() {
  const secrets = new MemorySecrets();
  const keys = new AccessKeys(secrets);
  const datasets = new Datasets(keys, new MemoryMemento());
  return {
    sandbox: new SandboxHost(datasets, keys, () => {}),
    secrets,
    keys,
    parts: [datasets, keys],
  };
}

async function connected({ baseUrl }: Dataset): Promise<Socket> {
  const socket = connect({ host: baseUrl.hostname, port: Number(baseUrl.port) });
  await once(socket, 'connect');
  return socket;
}
