import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import type { AccessKeys } from '../../../../src/editor/datasets/accessKeys';
import { addDataset } from '../../../../src/editor/datasets/addDataset';
import { chooseDataset } from '../../../../src/editor/datasets/chooseDataset';
import * as datasetCommands from '../../../../src/editor/datasets/datasetCommands';
import type { Datasets } from '../../../../src/editor/datasets/datasets';
import { type DatasetNode, isDatasetNode } from '../../../../src/editor/datasets/findDataset';
import { Webhooks } from '../../../../src/editor/datasets/webhooks';
import type { Messages } from '../../../../src/editor/platform/messages';
import { UserError } from '../../../../src/editor/platform/userError';
import { type Picks, picks } from '../../../../src/editor/platform/window';
import { SandboxHost } from '../../../../src/editor/sandboxHost/sandboxHost';
import type { Services } from '../../../../src/editor/services';
import type { Dataset } from '../../../../src/service/contract/dataset';
import { MemoryMemento } from '../../memoryStorage';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';
import { OwnImportStore } from '../../ownImportStore';
import { answering } from '../../settled';

const manuals = { name: 'Manuals', baseUrl: 'https://import.example' };
const logs = { name: 'Logs', baseUrl: 'https://logs.example' };

const COMMANDS = { ...datasetCommands, addDataset };

// In tests, VS Code doesn't show a dialog. Instead, the call rejects with the dialog's text.
describe('Dataset commands', () => {
  let own: OwnDatasets;
  let keys: AccessKeys;
  let datasets: Datasets;
  let sandbox: SandboxHost;
  let services: Services;
  let store: OwnImportStore;
  /** The text to type into each of the next boxes; undefined accepts the suggested text. */
  let toType: (string | undefined)[];
  /** The text that each box suggested. */
  let proposed: string[];
  /** The messages shown, each with its buttons. */
  let said: string[][];

  beforeEach(async () => {
    own = ownDatasets();
    ({ keys, datasets } = own);
    sandbox = new SandboxHost(datasets, keys, () => {});
    store = await OwnImportStore.make();
    [toType, proposed, said] = [[], [], []];
    const text: Picks['text'] = async ({ value = '', validateInput }) => {
      proposed.push(value);
      if (toType.length === 0) return undefined;
      const typed = toType.shift() ?? value;
      assert.equal(validateInput?.(typed), undefined);
      return typed;
    };
    const done = async (message: string, ...actions: readonly { readonly label: string }[]) =>
      void said.push([message, ...actions.map(({ label }) => label)]);
    services = {
      ...{ datasets, keys, sandbox, store: store.store },
      picks: { ...picks, text },
      messages: { done } as unknown as Messages,
      webhooks: new Webhooks(new MemoryMemento()),
    } as unknown as Services;
  });

  afterEach(async () => {
    await sandbox.stop();
    for (const part of [sandbox, own]) part.dispose();
    await store[Symbol.asyncDispose]();
  });

  it("use the given dataset's current definition", async () => {
    put([manuals, logs]);
    const node = nodeOf('Logs');
    put([manuals, { ...logs, baseUrl: 'https://elsewhere.example' }]);
    await assert.rejects(run('removeDataset', node), /Remove dataset 'Logs'/);
    await run('setDefaultDataset', node);
    assert.equal(datasets.default?.baseUrl.host, 'elsewhere.example');
    assert.equal((await chooseDataset(services, node, 'Any'))?.baseUrl.host, 'elsewhere.example');
  });

  it('report that the given dataset no longer exists instead of using another dataset', async () => {
    put([manuals, logs]);
    const node = nodeOf('Logs');
    put([manuals]);
    for (const name of ['setAccessKey', 'removeDataset', 'setDefaultDataset'] as const)
      await assert.rejects(run(name, node), userError(/Dataset 'Logs' no longer exists/));
  });

  it('recognize an argument that identifies a dataset', () => {
    put([manuals]);
    assert.ok(isDatasetNode(nodeOf('Manuals')));
    for (const nonsense of [null, 7, 'Manuals', {}, { dataset: null }, { dataset: {} }, { dataset: { name: 7 } }])
      assert.ok(!isDatasetNode(nonsense));
  });

  it('ask which dataset to make the default if no dataset is given', async () => {
    put([manuals, logs]);
    await answering(run('setDefaultDataset'), 'cancel');
    assert.equal(defaultName(), undefined);
    await answering(run('setDefaultDataset'), 'accept');
    assert.equal(defaultName(), 'Manuals');
  });

  it('ask for a dataset if the default is unusable, even if there is only one other dataset', async () => {
    put([manuals]);
    await datasets.setDefault(await sandbox.start());
    await sandbox.stop();
    assert.equal(await answering(chooseDataset(services, undefined, 'Any'), 'cancel'), undefined);
    assert.equal((await answering(chooseDataset(services, undefined, 'Any'), 'accept'))?.name, 'Manuals');
  });

  it('name the mistake in the settings of the default or given dataset instead of using another dataset', async () => {
    put([manuals, logs]);
    const node = nodeOf('Manuals');
    await datasets.setDefault(named('Manuals'));
    put([{ ...manuals, contract: { fileTask: { mediaType: 7 } } }, logs]);
    const mistake = userError(
      /Dataset 'Manuals' .*cannot be used because 'contract\.fileTask\.mediaType' is not valid/,
    );
    for (const given of [undefined, node]) await assert.rejects(chooseDataset(services, given, 'Any'), mistake);
  });

  describe('that add a dataset', () => {
    it('ask for a URL, a key (which can be added later) and a name, and suggest the host as the name', async () => {
      await run('addDataset', undefined, ['https://import.example/', ' first-key-0123 ', undefined]);
      await run('addDataset', undefined, ['import.example/v2', '', 'Letters']);
      assert.deepEqual(proposed, ['', '', 'import.example', '', '', 'import.example 2']);
      assert.deepEqual(own.setting.read(), [
        { name: 'import.example', baseUrl: 'https://import.example' },
        { name: 'Letters', baseUrl: 'https://import.example/v2' },
      ]);
      assert.equal(await keys.get(named('import.example')), 'first-key-0123');
      assert.equal(await keys.get(named('Letters')), undefined);
    });

    it('add nothing if the user closes an input box', async () => {
      for (const typed of [[], ['import.example'], ['import.example', 'first-key-0123']])
        await run('addDataset', undefined, typed);
      assert.deepEqual([own.setting.read(), said], [undefined, []]);
    });

    it('offer next steps, such as setting the key and making a second dataset the default', async () => {
      await run('addDataset', undefined, ['https://import.example', 'first-key-0123', 'Manuals']);
      await run('addDataset', undefined, ['https://import.example', 'second-key-0123', 'Letters']);
      await datasets.setDefault(named('Manuals'));
      await run('addDataset', undefined, ['https://import.example', 'third-key-0123', 'Notes']);
      await run('addDataset', undefined, ['https://import.example', '', 'Logs']);
      assert.deepEqual(said, [
        ["Dataset 'Manuals' added.", 'Test Connection', 'Import Files…'],
        ["Dataset 'Letters' added.", 'Test Connection', 'Set as Default', 'Import Files…'],
        ["Dataset 'Notes' added.", 'Test Connection', 'Set as Default'],
        ["Dataset 'Logs' added. Its access key is not set yet.", 'Set Access Key…', 'Set as Default'],
      ]);
    });

    it("accept a URL without a scheme, and remove an operation's path from it", async () => {
      await run('addDataset', undefined, ['import.example/gateway/openapi/open/v1/file-task', 'first-key-0123', 'Any']);
      assert.deepEqual(own.setting.read(), [{ name: 'Any', baseUrl: 'https://import.example/gateway' }]);
    });

    it('fail before the user types anything if the setting is not a list', async () => {
      put({ name: 'Manuals' });
      await assert.rejects(run('addDataset'), userError(/datasetImport\.datasets.*must be a list/));
      assert.deepEqual(proposed, []);
    });
  });

  describe('that ask for a dataset', () => {
    it('list the most recently used dataset first and the sandbox last', async () => {
      put([manuals, logs]);
      await sandbox.start();
      assert.deepEqual(await offered(), ['Manuals', 'Logs', 'Sandbox']);
      await picksOf('Logs');
      assert.deepEqual(await offered(), ['Logs', 'Manuals', 'Sandbox']);
      await picksOf('Sandbox');
      assert.deepEqual(await offered(), ['Logs', 'Manuals', 'Sandbox']);
    });

    it("make a dataset the workspace's default when the user clicks its pin", async () => {
      put([manuals, logs]);
      assert.equal((await picksOf('Logs'))?.name, 'Logs');
      assert.equal(defaultName(), undefined);
      assert.equal((await picksOf('Logs', 'Select and Remember for This Workspace'))?.name, 'Logs');
      assert.equal(defaultName(), 'Logs');
    });

    it('change nothing if the user closes the list', async () => {
      put([manuals, logs]);
      assert.equal(await picksOf(), undefined);
      assert.equal(defaultName(), undefined);
    });

    it("show a dataset's host only if the dataset has a different name", async () => {
      put([manuals, { ...logs, name: 'logs.example' }]);
      assert.deepEqual(
        (await rowsOf()).map(({ label, description }) => [label, description]),
        [
          ['Manuals', 'import.example'],
          ['logs.example', ''],
          ['Add Dataset…', undefined],
        ],
      );
    });

    /** The datasets in the list. */
    async function offered(): Promise<string[]> {
      return (await rowsOf()).flatMap(({ label, buttons = [] }) => (buttons.length > 0 ? [label] : []));
    }

    async function rowsOf(): Promise<readonly QuickPickItem[]> {
      let all: readonly QuickPickItem[] = [];
      const table: Picks['table'] = async ({ rows }) => {
        all = rows();
      };
      await chooseDataset({ ...services, picks: { ...services.picks, table } }, undefined, 'Any');
      return all;
    }

    /** Picks a row, or clicks its button with this tooltip. Closes the list if no label is given. */
    function picksOf(label?: string, button?: string): Promise<Dataset | undefined> {
      const table: Picks['table'] = async ({ rows, isActive, choose }) => {
        assert.deepEqual(rows().filter(isActive), rows().slice(0, 1));
        if (label === undefined) return;
        const row = rows().find((each) => each.label === label) ?? assert.fail(`no row '${label}'`);
        const number = row.buttons?.findIndex(({ tooltip }) => tooltip === button);
        assert.ok(choose(row, button === undefined ? undefined : number), 'the list stays open');
      };
      return chooseDataset({ ...services, picks: { ...services.picks, table } }, undefined, 'Any');
    }
  });

  describe('that rename a dataset', () => {
    it('keep its key, its webhook, its tasks and its role as the default', async () => {
      put([manuals, logs]);
      const before = named('Manuals');
      await keys.set(before, 'the-key-0123');
      await datasets.setDefault(before);
      await services.webhooks.set(before, { url: 'https://hook.example/', isVerified: true });
      await store.inState('succeeded');
      await run('renameDataset', { dataset: before }, ['Product manuals']);
      const after = named('Product manuals');
      assert.equal(datasets.find('Manuals'), undefined);
      assert.deepEqual([await keys.get(after), await keys.get(before)], ['the-key-0123', undefined]);
      assert.equal(defaultName(), 'Product manuals');
      assert.equal(services.webhooks.of(after)?.url, 'https://hook.example/');
      assert.equal((await store.row('succeeded.txt')).dataset, 'Product manuals');
    });

    it('change nothing if the name stays the same', async () => {
      put([manuals]);
      await run('renameDataset', nodeOf('Manuals'), [undefined]);
      assert.deepEqual([own.setting.read(), proposed], [[manuals], ['Manuals']]);
    });

    it('fail while files are being uploaded to it', async () => {
      put([manuals]);
      await store.inState('queued');
      const rename = run('renameDataset', nodeOf('Manuals'), ['Other']);
      await assert.rejects(rename, userError(/^Files are being uploaded to Manuals\./));
      assert.deepEqual(own.setting.read(), [manuals]);
    });

    it('reject the name of a removed dataset that still has tasks in the list', async () => {
      await store.inState('succeeded');
      put([logs]);
      const rename = run('renameDataset', nodeOf('Logs'), ['Manuals']);
      await assert.rejects(rename, userError(/^The list has tasks of another dataset that was named 'Manuals'\./));
      assert.deepEqual(own.setting.read(), [logs]);
    });

    it('keep its key, its tasks and its imported files under the old name if the settings cannot be saved', async () => {
      put([manuals]);
      const dataset = named('Manuals');
      await keys.set(dataset, 'the-key-0123');
      await store.inState('succeeded');
      own.setting.save = async () => assert.fail('the settings cannot be written');
      await assert.rejects(run('renameDataset', { dataset }, ['Other']), /the settings cannot be written/);
      assert.equal((await store.row('succeeded.txt')).dataset, 'Manuals');
      assert.deepEqual(
        [await keys.get(dataset), await keys.get({ ...dataset, name: 'Other' })],
        ['the-key-0123', undefined],
      );
      const [destination = assert.fail()] = await store.store.destinations(null);
      assert.deepEqual([destination.dataset, await store.store.forget(destination)], ['Manuals', 1]);
    });
  });

  it("forget a dataset's imported files only after asking for confirmation", async () => {
    put([manuals]);
    await store.inState('succeeded');
    await assert.rejects(
      run('forgetImportedFiles', nodeOf('Manuals')),
      /Forget which files were uploaded to Manuals\?/,
    );
    const [destination = assert.fail()] = await store.store.destinations(null);
    assert.equal(await store.store.forget(destination), 1);
  });

  describe('that apply only to datasets in the settings', () => {
    const names = ['removeDataset', 'setAccessKey'] as const;

    it('report that there are none, even if the sandbox is the default', async () => {
      for (const name of names) await assert.rejects(run(name), userError(/^No dataset is set up yet\.$/), name);
      await datasets.setDefault(await sandbox.start());
      for (const name of names) await assert.rejects(run(name), userError(/^No dataset is set up yet\.$/), name);
    });

    it('fail for the sandbox', async () => {
      put([manuals]);
      const dataset = await sandbox.start();
      for (const name of names) await assert.rejects(run(name, { dataset }), userError(/^The sandbox /), name);
      assert.ok(await keys.get(dataset));
    });

    it('ask for a dataset if the sandbox is the default', async () => {
      put([manuals]);
      await datasets.setDefault(await sandbox.start());
      await assert.rejects(answering(run('removeDataset'), 'accept'), /Remove dataset 'Manuals'/);
    });
  });

  it("set the default dataset's access key if no dataset is given", async () => {
    put([manuals]);
    await run('setAccessKey', undefined, ['ak-of-manuals']);
    assert.equal(await keys.get(named('Manuals')), 'ak-of-manuals');
    assert.deepEqual(said, [["The access key of dataset 'Manuals' was set.", 'Test Connection']]);
  });

  it('ask for confirmation before they delete the access key if its box is left empty', async () => {
    put([manuals]);
    const dataset = named('Manuals');
    await keys.set(dataset, 'ak-of-manuals');
    await assert.rejects(run('setAccessKey', { dataset }, ['']), /Delete the access key of dataset 'Manuals'/);
    assert.equal(await keys.get(dataset), 'ak-of-manuals');
  });

  function defaultName(): string | undefined {
    return datasets.default?.name;
  }

  function named(name: string): Dataset {
    return datasets.find(name) ?? assert.fail(`there is no dataset '${name}'`);
  }

  function nodeOf(name: string): DatasetNode {
    return { dataset: named(name) };
  }

  async function run(name: keyof typeof COMMANDS, node?: DatasetNode, texts: (string | undefined)[] = []) {
    toType = texts;
    if (name === 'addDataset') await addDataset(services);
    else await COMMANDS[name](services, node);
  }

  function put(value: unknown): void {
    own.setting.set(value);
  }
});

function userError(message: RegExp) {
  return (error: unknown) => error instanceof UserError && message.test(error.message);
}
