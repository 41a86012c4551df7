import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import type { AccessKeys } from '../../../../src/editor/datasets/accessKeys';
import { addDataset, enterDataset } from '../../../../src/editor/datasets/addDataset';
import { chooseDataset, setDefaultDataset } from '../../../../src/editor/datasets/chooseDataset';
import type { Datasets } from '../../../../src/editor/datasets/datasets';
import { forgetImportedFiles } from '../../../../src/editor/datasets/forgetImportedFiles';
import { removeDataset } from '../../../../src/editor/datasets/removeDataset';
import { renameDataset } from '../../../../src/editor/datasets/renameDataset';
import { setAccessKey } from '../../../../src/editor/datasets/setAccessKey';
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
import { typedSteps } from '../../typedSteps';

const manuals = { name: 'Manuals', baseUrl: 'https://import.example' };
const logs = { name: 'Logs', baseUrl: 'https://logs.example' };

type Command = (services: Services & { readonly webhooks: Webhooks }, target: unknown) => Promise<unknown>;

const COMMANDS: Readonly<Record<string, Command>> = {
  addDataset,
  renameDataset,
  removeDataset,
  forgetImportedFiles,
  setDefaultDataset,
  setAccessKey: (services, target) => setAccessKey(services, target as undefined),
};

// In tests, VS Code rejects with the text of a dialog instead of showing it.
describe('The commands of datasets', () => {
  let kept: OwnDatasets;
  let keys: AccessKeys;
  let datasets: Datasets;
  let sandbox: SandboxHost;
  let deps: Services & { readonly webhooks: Webhooks };
  let own: OwnImportStore;
  /** What is typed into the boxes that come; those after it show. */
  let toType: string[];
  /** The messages, each with its buttons. */
  let said: string[][];

  beforeEach(async () => {
    kept = ownDatasets();
    ({ keys, datasets } = kept);
    sandbox = new SandboxHost(datasets, keys, () => {});
    own = await OwnImportStore.make();
    toType = [];
    const text: Picks['text'] = async (options) => {
      const typed = toType.shift();
      if (typed === undefined) return picks.text(options);
      assert.equal(options.validateInput?.(typed), undefined);
      return typed;
    };
    deps = {
      datasets,
      keys,
      sandbox,
      picks: { ...picks, text, steps: typedSteps(() => toType.shift()) },
      store: own.store,
      messages: { done: say } as unknown as Messages,
      webhooks: new Webhooks(new MemoryMemento()),
    } as unknown as typeof deps;
    said = [];
  });

  afterEach(async () => {
    await sandbox.stop();
    for (const part of [sandbox, kept]) part.dispose();
    await own[Symbol.asyncDispose]();
  });

  it('act on the dataset that they are given, as it is now', async () => {
    put([manuals, logs]);
    const node = { dataset: datasets.find('Logs') };
    put([manuals, { ...logs, baseUrl: 'https://elsewhere.example' }]);
    await assert.rejects(run('removeDataset', node), /Remove dataset 'Logs'/);
    await run('setDefaultDataset', node);
    assert.equal(datasets.default?.baseUrl.host, 'elsewhere.example');
    assert.equal((await chooseDataset(deps, node, 'Any'))?.baseUrl.host, 'elsewhere.example');
  });

  it('say so where it is not there any more, instead of taking another', async () => {
    put([manuals]);
    for (const name of ['setAccessKey', 'removeDataset', 'setDefaultDataset'] as const) {
      await assert.rejects(run(name, { dataset: { name: 'Gone' } }), told(/Dataset 'Gone' no longer exists/));
    }
  });

  it('take nonsense for no argument', async () => {
    put([manuals]);
    for (const nonsense of [null, 7, 'Manuals', {}, { dataset: null }, { dataset: {} }, { dataset: { name: 7 } }]) {
      await run('setAccessKey', nonsense, ['ak-of-manuals']);
      assert.equal(await keys.get(named('Manuals')), 'ak-of-manuals');
      await keys.clear(named('Manuals'));
    }
  });

  it('ask which dataset is to be the default if none is given', async () => {
    put([manuals, logs]);
    await answering(run('setDefaultDataset', undefined), 'cancel');
    assert.equal(defaultName(), undefined);
    await answering(run('setDefaultDataset', undefined), 'accept');
    assert.equal(defaultName(), 'Manuals');
  });

  it('ask where the default cannot be used, though there is one other dataset', async () => {
    put([manuals]);
    await datasets.setDefault(await sandbox.start());
    await sandbox.stop();
    assert.equal(await answering(chooseDataset(deps, undefined, 'Any'), 'cancel'), undefined);
    assert.equal((await answering(chooseDataset(deps, undefined, 'Any'), 'accept'))?.name, 'Manuals');
  });

  it('name the mistake in the settings of the dataset that they would act on, and take no other one', async () => {
    put([manuals, logs]);
    const node = { dataset: named('Manuals') };
    await datasets.setDefault(named('Manuals'));
    put([{ ...manuals, contract: { fileTask: { mediaType: 7 } } }, logs]);
    const mistake = told(/Dataset 'Manuals' .*cannot be used because 'contract\.fileTask\.mediaType' is not valid\.$/);
    for (const target of [undefined, node]) await assert.rejects(chooseDataset(deps, target, 'Any'), mistake);
  });

  describe('that add one', () => {
    it('ask for its URL, its key, which can be set later, and its name, and propose the host', async () => {
      const proposed: string[] = [];
      const typed = ['https://import.example/', 'first-key-0123', undefined, 'import.example/v2', '', 'Letters'];
      const steps = typedSteps(({ value }) => {
        proposed.push(value);
        return typed.shift() ?? value;
      });
      for (let count = 0; count < 2; count++) await enterDataset({ ...deps, picks: { ...deps.picks, steps } });
      assert.deepEqual(proposed, ['', '', 'import.example', '', '', 'import.example 2']);
      assert.deepEqual(kept.setting.read(), [
        { name: 'import.example', baseUrl: 'https://import.example' },
        { name: 'Letters', baseUrl: 'https://import.example/v2' },
      ]);
      assert.equal(await keys.get(named('import.example')), 'first-key-0123');
      assert.equal(await keys.get(named('Letters')), undefined);
    });

    it('say so with what comes next: the first is the default anyway, and a key can be set', async () => {
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

    it('read a host alone, and cut the path of an operation', async () => {
      await run('addDataset', undefined, ['import.example/gateway/openapi/open/v1/file-task', 'first-key-0123', 'Any']);
      assert.deepEqual(kept.setting.read(), [{ name: 'Any', baseUrl: 'https://import.example/gateway' }]);
    });

    it('begin with what was typed before they were closed, but not with the key, and with nothing once it is added', async () => {
      const shown: string[] = [];
      const typing = (last: string | undefined) =>
        typedSteps(({ value, prompt }) => {
          shown.push(value);
          if (prompt.includes('base URL')) return 'import.example';
          return prompt.includes('name') ? last : 'the-key-0123';
        });
      const add = (last?: string) => enterDataset({ ...deps, picks: { ...deps.picks, steps: typing(last) } });
      assert.equal(await add(), undefined);
      await add('Letters');
      assert.deepEqual(shown, ['', '', 'import.example', 'import.example', '', 'import.example']);
      assert.equal(named('Letters').baseUrl.host, 'import.example');
      assert.deepEqual(datasets.draft, { baseUrl: '', name: undefined });
    });
  });

  describe('that ask which dataset', () => {
    it('list those used last first, and the sandbox last', async () => {
      put([manuals, logs]);
      await sandbox.start();
      assert.deepEqual(await offered(), ['Manuals', 'Logs', 'Sandbox']);
      await picksOf('Logs');
      assert.deepEqual(await offered(), ['Logs', 'Manuals', 'Sandbox']);
      await picksOf('Sandbox');
      assert.deepEqual(await offered(), ['Logs', 'Manuals', 'Sandbox']);
    });

    it('remember the choice for the workspace where its button is pressed, and ask no more', async () => {
      put([manuals, logs]);
      assert.equal((await picksOf('Logs'))?.name, 'Logs');
      assert.equal(defaultName(), undefined);
      assert.equal((await picksOf('Logs', 'Select and Remember for This Workspace'))?.name, 'Logs');
      assert.equal(defaultName(), 'Logs');
    });

    it('change nothing where the list is closed', async () => {
      put([manuals, logs]);
      assert.equal(await picksOf(), undefined);
      assert.equal(defaultName(), undefined);
    });

    it('show the host of a dataset once where that is its name', async () => {
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
      await chooseDataset({ ...deps, picks: { ...deps.picks, table } }, undefined, 'Any');
      return all;
    }

    /** Chooses this row, or the button of it that is called so; none where the list is closed. */
    function picksOf(label?: string, button?: string): Promise<Dataset | undefined> {
      const table: Picks['table'] = async ({ rows, isActive, choose }) => {
        assert.deepEqual(rows().filter(isActive), rows().slice(0, 1));
        if (label === undefined) return;
        const row = rows().find((each) => each.label === label) ?? assert.fail(`no row '${label}'`);
        const number = row.buttons?.findIndex(({ tooltip }) => tooltip === button);
        assert.ok(choose(row, button === undefined ? undefined : number), 'the list stays open');
      };
      return chooseDataset({ ...deps, picks: { ...deps.picks, table } }, undefined, 'Any');
    }
  });

  it('rename one with its key, its webhook, its tasks and as the default', async () => {
    put([manuals, logs]);
    const before = named('Manuals');
    await keys.set(before, 'the-key-0123');
    await datasets.setDefault(before);
    await deps.webhooks.set(before, { url: 'https://hook.example/', isVerified: true });
    await own.inState('succeeded');
    await run('renameDataset', { dataset: before }, ['Product manuals']);
    const after = named('Product manuals');
    assert.equal(datasets.find('Manuals'), undefined);
    assert.deepEqual([await keys.get(after), await keys.get(before)], ['the-key-0123', undefined]);
    assert.equal(defaultName(), 'Product manuals');
    assert.equal(deps.webhooks.of(after)?.url, 'https://hook.example/');
    assert.equal((await own.row('succeeded.txt')).dataset, 'Product manuals');
    await run('renameDataset', { dataset: after }, ['Product manuals']);
    assert.equal(named('Product manuals').baseUrl.host, 'import.example');
  });

  it('rename none while files are being uploaded to it', async () => {
    put([manuals]);
    await own.inState('queued');
    const rename = run('renameDataset', { dataset: named('Manuals') }, ['Other']);
    await assert.rejects(rename, told(/^Files are being uploaded to Manuals\./));
    assert.deepEqual(kept.setting.read(), [manuals]);
  });

  it('leave the tasks of a dataset under its name if the settings cannot be saved', async () => {
    put([manuals]);
    await keys.set(named('Manuals'), 'the-key-0123');
    await own.inState('succeeded');
    kept.setting.save = () => Promise.reject(new Error('The settings are read-only.'));
    await assert.rejects(run('renameDataset', { dataset: named('Manuals') }, ['Other']), /read-only/);
    assert.equal((await own.row('succeeded.txt')).dataset, 'Manuals');
    const other = { ...named('Manuals'), name: 'Other' };
    assert.deepEqual([await keys.get(named('Manuals')), await keys.get(other)], ['the-key-0123', undefined]);
  });

  it('rename none to a name under which the list has tasks of a removed dataset', async () => {
    await own.inState('succeeded');
    put([logs]);
    const rename = run('renameDataset', { dataset: named('Logs') }, ['Manuals']);
    await assert.rejects(rename, told(/^The list has tasks of another dataset that was named 'Manuals'\./));
    assert.deepEqual(kept.setting.read(), [logs]);
  });

  it('forget what a dataset has received only after a question', async () => {
    put([manuals]);
    await own.inState('succeeded');
    const forget = () => run('forgetImportedFiles', { dataset: named('Manuals') });
    await assert.rejects(forget(), /Forget which files were uploaded to Manuals\?/);
    const [destination = assert.fail()] = await own.store.destinations(null);
    assert.equal(await own.store.forget(destination), 1);
  });

  describe('that are for those of the settings alone', () => {
    const own = ['removeDataset', 'setAccessKey'] as const;

    it('say that there is none', async () => {
      for (const name of own) await assert.rejects(run(name, undefined), told(/^No dataset is set up yet\.$/), name);
      await datasets.setDefault(await sandbox.start());
      for (const name of own) await assert.rejects(run(name, undefined), told(/^No dataset is set up yet\.$/), name);
    });

    it('refuse the sandbox', async () => {
      put([manuals]);
      const dataset = await sandbox.start();
      for (const name of own) await assert.rejects(run(name, { dataset }), told(/^The sandbox /), name);
      assert.ok(await keys.get(dataset));
    });

    it('ask for one of them where the sandbox is the default', async () => {
      put([manuals]);
      await datasets.setDefault(await sandbox.start());
      const removing = answering(run('removeDataset', undefined), 'accept');
      await assert.rejects(removing, /Remove dataset 'Manuals'/);
    });
  });

  it('delete the access key if its box is left empty, after a question', async () => {
    put([manuals]);
    const dataset = named('Manuals');
    await keys.set(dataset, 'ak-of-manuals');
    await assert.rejects(run('setAccessKey', { dataset }, ['']), /Delete the access key of dataset 'Manuals'/);
    assert.equal(await keys.get(dataset), 'ak-of-manuals');
  });

  it('say that the setting is no list before a dataset is typed', async () => {
    put({ name: 'Manuals' });
    await assert.rejects(run('addDataset', undefined), told(/datasetImport\.datasets.*must be a list/));
  });

  function defaultName(): string | undefined {
    return datasets.default?.name;
  }

  function named(name: string): Dataset {
    return datasets.find(name) ?? assert.fail(`there is no dataset '${name}'`);
  }

  async function run(name: string, target: unknown, texts: string[] = []): Promise<void> {
    toType = texts;
    await COMMANDS[name]?.(deps, target);
  }

  async function say(message: string, ...actions: readonly { readonly label: string }[]): Promise<void> {
    said.push([message, ...actions.map(({ label }) => label)]);
  }

  function put(value: unknown): void {
    kept.setting.set(value);
  }
});

function told(message: RegExp) {
  return (error: unknown) => error instanceof UserError && message.test(error.message);
}
