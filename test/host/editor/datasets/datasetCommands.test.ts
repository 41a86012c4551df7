import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import type { AccessKeys } from '../../../../src/editor/datasets/accessKeys';
import { chooseDataset } from '../../../../src/editor/datasets/chooseDataset';
import * as datasetCommands from '../../../../src/editor/datasets/datasetCommands';
import type { Datasets } from '../../../../src/editor/datasets/datasets';
import { type DatasetNode, datasetAt, whyNotServed } from '../../../../src/editor/datasets/findDataset';
import { UserError } from '../../../../src/editor/platform/actions';
import type { Messages } from '../../../../src/editor/platform/messages';
import { type Picks, picks } from '../../../../src/editor/platform/window';
import { SandboxHost } from '../../../../src/editor/sandboxHost';
import type { Services } from '../../../../src/editor/services';
import { formatWhy } from '../../../../src/editor/wording/causes';
import type { Dataset } from '../../../../src/service/contract/dataset';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';
import { OwnImportStore } from '../../ownImportStore';
import { answering } from '../../settled';

const manuals = { name: 'Manuals', baseUrl: 'https://import.example' };
const logs = { name: 'Logs', baseUrl: 'https://logs.example' };

const COMMANDS = { ...datasetCommands };

// VS Code doesn't show dialogs in tests. Instead, the call rejects with the dialog's text.
describe('Dataset commands:', () => {
  let own: OwnDatasets;
  let keys: AccessKeys;
  let datasets: Datasets;
  let sandbox: SandboxHost;
  let services: Services;
  let store: OwnImportStore;
  /** The text to type into each of the next boxes; undefined accepts the suggested text. */
  let toType: (string | undefined)[];
  /** The text that each box suggested. */
  let suggested: string[];
  /** The messages shown, each with its buttons. */
  let shown: string[][];
  /** The destinations whose paused uploads were continued. */
  let continued: number[];

  beforeEach(() => {
    own = ownDatasets();
    ({ keys, datasets } = own);
    sandbox = new SandboxHost(datasets, keys, () => {});
    store = new OwnImportStore();
    [toType, suggested, shown, continued] = [[], [], [], []];
    const text: Picks['text'] = async ({ value = '', validateInput }) => {
      suggested.push(value);
      if (toType.length === 0) return undefined;
      const typed = toType.shift() ?? value;
      assert.equal(validateInput?.(typed), undefined);
      return typed;
    };
    const done = async (message: string, ...actions: readonly { readonly label: string }[]) =>
      void shown.push([message, ...actions.map(({ label }) => label)]);
    services = {
      datasets,
      keys,
      sandbox,
      store: store.store,
      picks: { ...picks, text },
      messages: { done } as unknown as Messages,
      serving: {
        destinations: [{ id: 1, dataset: 'Manuals' }],
        pauseOf: () => ({ reason: 'badKey' }),
        tryNow: async (ids: number[]) => void continued.push(...ids),
      },
    } as unknown as Services;
  });

  afterEach(async () => {
    await sandbox.stop();
    for (const part of [sandbox, own]) part.dispose();
    await store[Symbol.asyncDispose]();
  });

  it("every command uses the given dataset's current settings, and fails if the dataset no longer exists, instead of using another one", async () => {
    put([manuals, logs]);
    const node = nodeOf('Logs');
    put([manuals, { ...logs, baseUrl: 'https://elsewhere.example' }]);
    await assert.rejects(run('removeDataset', node), /Remove dataset 'Logs'/);
    assert.equal((await chooseDataset(services, node, 'Any'))?.baseUrl.host, 'elsewhere.example');
    put([manuals]);
    for (const name of ['removeDataset', 'setDefaultDataset'] as const)
      await assert.rejects(run(name, node), userError(/Dataset 'Logs' no longer exists/));
  });

  it('every command asks for a dataset if only one of two datasets is valid, or if the default dataset is unusable', async () => {
    put([manuals, { ...logs, baseUrl: 'htps://logs.example' }]);
    const asking = () => chooseDataset(services, undefined, 'Any');
    assert.equal(await answering(asking(), 'cancel'), undefined);
    assert.equal((await answering(asking(), 'accept'))?.name, 'Manuals');
    put([manuals]);
    await datasets.setDefault(await sandbox.start());
    await sandbox.stop();
    assert.equal(await answering(asking(), 'cancel'), undefined);
  });

  it('if the default dataset or the given dataset has an invalid setting, the error message names that setting', async () => {
    put([manuals, logs]);
    const node = nodeOf('Manuals');
    await datasets.setDefault(named('Manuals'));
    put([{ ...manuals, contract: { fileTask: { mediaType: 7 } } }, logs]);
    const mistake = userError(
      /Dataset 'Manuals' .*cannot be used because 'contract\.fileTask\.mediaType' is not valid/,
    );
    for (const given of [undefined, node]) await assert.rejects(chooseDataset(services, given, 'Any'), mistake);
  });

  it('if the only dataset in the settings is invalid, the error message of Rename Dataset says so', async () => {
    put([{ ...manuals, baseUrl: 'htps://import.example' }]);
    await assert.rejects(run('renameDataset'), userError(/^Dataset 'Manuals' in the settings cannot be used: /));
    await sandbox.start();
    await assert.rejects(run('renameDataset'), userError(/^Dataset 'Manuals' in the settings cannot be used: /));
  });

  it("the list of datasets ends with the sandbox, and shows a dataset's host only if the host differs from the name", async () => {
    put([manuals, { ...logs, name: 'logs.example' }]);
    const { baseUrl } = await sandbox.start();
    let rows: readonly QuickPickItem[] = [];
    const one = (async (items: readonly QuickPickItem[]) => {
      rows = items;
    }) as Picks['one'];
    await chooseDataset({ ...services, picks: { ...services.picks, one } }, undefined, 'Any');
    const labels = rows.map(({ label, description }) => [label, description]);
    assert.deepEqual(labels, [
      ['Manuals', 'import.example'],
      ['logs.example', ''],
      ['Sandbox', baseUrl.host],
      ['Add Dataset…', undefined],
    ]);
  });

  it('Set Access Key applies to the only dataset in the settings, even if the sandbox is the default', async () => {
    await datasets.setDefault(await sandbox.start());
    await assert.rejects(run('setAccessKey'), userError(/^No dataset is set up yet\.$/));
    put([manuals]);
    await run('setAccessKey', undefined, ['ak-of-manuals']);
    assert.equal(await keys.get(named('Manuals')), 'ak-of-manuals');
    assert.deepEqual(shown, [["The access key of dataset 'Manuals' was set.", 'Test Connection']]);
    // The service may have rejected the same key before.
    await run('setAccessKey', undefined, ['ak-of-manuals']);
    assert.deepEqual(continued, [1, 1]);
    put([manuals, logs]);
    await assert.rejects(answering(run('removeDataset'), 'accept'), /Remove dataset 'Manuals'/);
    put([manuals, { ...logs, baseUrl: 'htps://logs.example' }]);
    assert.equal(await answering(run('removeDataset'), 'cancel'), undefined);
  });

  it('no command can modify the sandbox', async () => {
    const dataset = await sandbox.start();
    for (const name of ['removeDataset', 'renameDataset', 'setAccessKey'] as const)
      await assert.rejects(run(name, { dataset }), userError(/^The sandbox cannot be changed\./), name);
    assert.ok(await keys.get(dataset));
  });

  it('a task of an earlier sandbox is not mistaken for a task of the running sandbox', async () => {
    await sandbox.start();
    const earlier = { dataset: 'Sandbox', origin: 'http://127.0.0.1:9' };
    assert.throws(() => datasetAt(services, earlier), userError(/^This task belongs to a sandbox that was stopped/));
    const why = whyNotServed(services, earlier);
    assert.equal(why && formatWhy(why), 'its sandbox is not running here');
    await sandbox.stop();
    assert.throws(() => datasetAt(services, earlier), userError(/^The sandbox does not run in this window\./));
  });

  it('if the user leaves the input box empty, Set Access Key asks for confirmation before deleting the key', async () => {
    put([manuals]);
    const dataset = named('Manuals');
    await keys.set(dataset, 'ak-of-manuals');
    await assert.rejects(run('setAccessKey', { dataset }, ['']), /Delete the access key of dataset 'Manuals'/);
    assert.equal(await keys.get(dataset), 'ak-of-manuals');
  });

  it('Forget Imported Files asks for confirmation', async () => {
    put([manuals]);
    await store.inState('succeeded');
    await assert.rejects(
      run('forgetImportedFiles', nodeOf('Manuals')),
      /Forget which files were uploaded to Manuals\?/,
    );
    const [destination = assert.fail()] = await store.store.destinations(null);
    assert.equal(await store.store.forget(destination), 1);
  });

  it('Set Default Dataset lets the user pick a dataset if none is given', async () => {
    put([manuals, logs]);
    await answering(run('setDefaultDataset'), 'cancel');
    assert.equal(datasets.default?.name, undefined);
    await answering(run('setDefaultDataset'), 'accept');
    assert.equal(datasets.default?.name, 'Manuals');
  });

  describe('Add Dataset', () => {
    it('asks for a URL, an optional key and a name, and suggests the host as the name', async () => {
      await run('addDataset', undefined, ['https://import.example/', ' first-key-0123 ', undefined]);
      await run('addDataset', undefined, ['import.example/v2', '', 'Letters']);
      assert.deepEqual(suggested, ['', '', 'import.example', '', '', '']);
      assert.deepEqual(own.setting.read(), [
        { name: 'import.example', baseUrl: 'https://import.example' },
        { name: 'Letters', baseUrl: 'https://import.example/v2' },
      ]);
      assert.equal(await keys.get(named('import.example')), 'first-key-0123');
      assert.equal(await keys.get(named('Letters')), undefined);
    });

    it('does not add a dataset if the user closes an input box', async () => {
      for (const typed of [[], ['import.example'], ['import.example', 'first-key-0123']])
        await run('addDataset', undefined, typed);
      assert.deepEqual([own.setting.read(), shown], [undefined, []]);
    });

    it('offers next steps, such as setting the key and making the new dataset the default', async () => {
      await run('addDataset', undefined, ['https://import.example', 'first-key-0123', 'Manuals']);
      await run('addDataset', undefined, ['https://import.example', 'second-key-0123', 'Letters']);
      await datasets.setDefault(named('Manuals'));
      await run('addDataset', undefined, ['https://import.example', 'third-key-0123', 'Notes']);
      await run('addDataset', undefined, ['https://import.example', '', 'Logs']);
      assert.deepEqual(shown, [
        ["Dataset 'Manuals' added.", 'Test Connection', 'Import Files…'],
        ["Dataset 'Letters' added.", 'Test Connection', 'Set as Default', 'Import Files…'],
        ["Dataset 'Notes' added.", 'Test Connection', 'Set as Default', 'Import Files…'],
        ["Dataset 'Logs' added.", 'Set Access Key…', 'Set as Default'],
      ]);
    });
  });

  describe('Rename Dataset', () => {
    it("keeps the dataset's key, webhook and tasks, and keeps the dataset as the default", async () => {
      // Once this dataset is renamed, the second entry with its name can be used.
      put([manuals, { ...logs, name: 'Manuals' }]);
      const before = named('Manuals');
      await keys.set(before, 'the-key-0123');
      await datasets.setDefault(before);
      await datasets.setWebhook(before, { url: 'https://hook.example/', isVerified: true });
      await store.inState('succeeded');
      await run('renameDataset', { dataset: before }, ['Product manuals']);
      const after = named('Product manuals');
      assert.deepEqual([await keys.get(after), await keys.get(before)], ['the-key-0123', undefined]);
      assert.equal(datasets.default, after);
      assert.equal(datasets.webhookOf(after)?.url, 'https://hook.example/');
      put([manuals]);
      assert.equal(datasets.webhookOf(named('Manuals')), undefined);
      assert.equal((await store.row('succeeded.txt')).dataset, 'Product manuals');
    });

    it('changes nothing if the name stays the same', async () => {
      put([manuals]);
      await run('renameDataset', nodeOf('Manuals'), [undefined]);
      assert.deepEqual([own.setting.read(), suggested], [[manuals], ['Manuals']]);
    });

    it('fails while files are being uploaded to the dataset', async () => {
      put([manuals]);
      await store.inState('queued');
      const rename = run('renameDataset', nodeOf('Manuals'), ['Other']);
      await assert.rejects(rename, userError(/^Files are being uploaded to Manuals\./));
      assert.deepEqual(own.setting.read(), [manuals]);
    });

    it('rejects the name of a removed dataset that still has tasks in the list', async () => {
      await store.inState('succeeded');
      put([logs]);
      const rename = run('renameDataset', nodeOf('Logs'), ['Manuals']);
      await assert.rejects(rename, userError(/^The list has tasks of another dataset that was named 'Manuals'\./));
      assert.deepEqual(own.setting.read(), [logs]);
    });

    it('keeps everything under the old name if the settings cannot be saved', async () => {
      put([manuals]);
      const dataset = named('Manuals');
      await keys.set(dataset, 'the-key-0123');
      await store.inState('succeeded');
      own.setting.save = async () => assert.fail('the settings cannot be written');
      await assert.rejects(run('renameDataset', { dataset }, ['Other']), /the settings cannot be written/);
      assert.equal((await store.row('succeeded.txt')).dataset, 'Manuals');
      const stored = [await keys.get(dataset), await keys.get({ ...dataset, name: 'Other' })];
      assert.deepEqual(stored, ['the-key-0123', undefined]);
      const [destination = assert.fail()] = await store.store.destinations(null);
      assert.deepEqual([destination.dataset, await store.store.forget(destination)], ['Manuals', 1]);
    });
  });

  function named(name: string): Dataset {
    return datasets.find(name) ?? assert.fail(`there is no dataset '${name}'`);
  }

  function nodeOf(name: string): DatasetNode {
    return { dataset: named(name) };
  }

  async function run(name: keyof typeof COMMANDS, node?: DatasetNode, texts: (string | undefined)[] = []) {
    toType = texts;
    await COMMANDS[name](services, node);
  }

  function put(value: unknown): void {
    own.setting.set(value);
  }
});

function userError(message: RegExp) {
  return (error: unknown) => error instanceof UserError && message.test(error.message);
}
