import assert from 'node:assert/strict';
import { CancellationTokenSource, DataTransfer, DataTransferItem, type QuickPickItem, Uri } from 'vscode';
import { type DatasetsRow, DatasetsTree, dropTarget } from '../../../../src/editor/datasets/datasetsTree';
import { dropsOf, importDropped, importHere } from '../../../../src/editor/importing/importFile';
import { UserError } from '../../../../src/editor/platform/userError';
import type { Checklist } from '../../../../src/editor/platform/window';
import type { Dataset } from '../../../../src/service/contract/dataset';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import type { Parts } from '../../activated';
import { type OwnParts, ownParts } from '../../ownParts';
import { answering, untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';
import { WorkspaceFiles } from '../../workspaceFiles';

describe('Importing to a dataset in its view', () => {
  let parts: OwnParts;
  let files: WorkspaceFiles;
  let usual: TinyService;
  let other: TinyService;
  /** What went wrong with a drop. */
  let errors: unknown[];

  before(async () => {
    parts = await ownParts();
    files = new WorkspaceFiles('importing here');
    let count = 0;
    const accepted = { 'file-task': () => `{"code":"0","message":null,"data":{"taskId":"here-${++count}"}}` };
    [usual, other] = [await startTinyService(accepted), await startTinyService(accepted)];
    parts.setting.set([
      { name: 'Usual', baseUrl: usual.baseUrl.href },
      { name: 'Other', baseUrl: other.baseUrl.href },
      { name: 'Broken', baseUrl: 'ftp://import.example.com' },
    ]);
    for (const name of ['Usual', 'Other']) await parts.keys.set(named(name), `key-of-${name}`);
    await parts.datasets.setDefault(named('Usual'));
  });

  beforeEach(() => {
    errors = [];
  });

  after(async () => {
    await parts.dispose();
    await Promise.all([usual, other].map((service) => service.close()));
    files.remove();
  });

  it('sends what is dropped on its row there, and not to the default', async () => {
    const since = usual.requests.length;
    const task = await dropping('on-row.txt', await rowOf('Other'));
    assert.equal(task.dataset, 'Other');
    assert.equal(other.requests.at(-1)?.accessKey, 'key-of-Other');
    assert.match(other.requests.at(-1)?.body ?? '', /on-row\.txt/);
    assert.equal(usual.requests.length, since);
  });

  it('sends what is dropped beside the rows to the default', async () => {
    assert.equal((await dropping('beside.txt', undefined)).dataset, 'Usual');
  });

  it('asks to confirm that a folder goes there', async () => {
    const { folder } = new WorkspaceFiles('importing here/folder');
    files.write('folder/a.txt', 'in a folder');
    const titles: string[] = [];
    const checklist = async (list: Checklist<never>) => {
      titles.push(list.title());
      return undefined;
    };
    const dropped = { uris: [Uri.file(folder)], texts: [], bad: [] };
    await importDropped({ ...parts, picks: { ...parts.picks, checklist } }, dropped, await rowOf('Other'));
    assert.deepEqual(titles, ['Import 1 file (11 bytes) to Other']);
  });

  it('sends files without a path there', async () => {
    const texts = [{ name: 'from a browser.txt', bytes: Buffer.from('from a browser') }];
    await importDropped(parts, { uris: [], texts, bad: [] }, await rowOf('Other'));
    assert.equal((await imported('from a browser.txt')).dataset, 'Other');
  });

  it('asks in one list about files without a path of which some may hold secrets', async () => {
    const rows: string[] = [];
    const checklist = async (list: Checklist<QuickPickItem>) => {
      rows.push(list.title(), ...list.rows().map((row) => `${list.isTicked(row)} ${row.label.trim()}`));
      return undefined;
    };
    const texts = ['plain.txt', 'keys.env'].map((name) => ({
      name,
      bytes: Buffer.from(`${name} ${performance.now()}`),
    }));
    const asking = { ...parts, picks: { ...parts.picks, checklist } as unknown as Parts['picks'] };
    await importDropped(asking, { uris: [], texts, bad: [] }, await rowOf('Other'));
    assert.match(rows[0] ?? '', /^Import 1 of 2 files \(.*\) to Other$/);
    const [, ...listed] = rows;
    assert.deepEqual(listed, ['true New', 'true plain.txt', 'false May contain secrets', 'false keys.env']);
  });

  it('imports nothing that is dropped on an entry which cannot be used, and says what is wrong with it', async () => {
    const tracked = parts.list.held.length;
    const fault = (await rows()).find((row) => 'fault' in row);
    assert.ok(fault);
    await drop([files.write('on-fault.txt', 'on fault')], fault);
    const [error] = errors;
    assert.ok(error instanceof UserError);
    assert.match(error.message, /^Nothing was imported\. Dataset 'Broken' in the settings cannot be used: .*https:/);
    assert.deepEqual(
      error.actions.map(({ label }) => label),
      ['Open Dataset Settings'],
    );
    assert.equal(parts.list.held.length, tracked);
  });

  it('asks for its access key where that is missing, and imports nothing where none is given', async () => {
    const tracked = parts.list.held.length;
    await parts.keys.clear({ name: 'Other' });
    try {
      const uri = files.write('without-key.txt', 'without a key');
      await answering(importDropped(parts, { uris: [uri], texts: [], bad: [] }, await rowOf('Other')), 'cancel');
      assert.equal(parts.list.held.length, tracked);
      const titles: (string | undefined)[] = [];
      const text: Parts['picks']['text'] = async ({ title }) => {
        titles.push(title);
        return 'key-of-Other';
      };
      const dropped = { uris: [uri], texts: [], bad: [] };
      await importDropped({ ...parts, picks: { ...parts.picks, text } }, dropped, await rowOf('Other'));
      assert.deepEqual(titles, ["Access Key of 'Other'"]);
      assert.equal((await imported('without-key.txt')).dataset, 'Other');
    } finally {
      await parts.keys.set(named('Other'), 'key-of-Other');
    }
  });

  it('imports what is picked from its menu there, and names it in the title of the dialog', async () => {
    const uri = files.write('picked.txt', 'picked');
    const named: string[] = [];
    await importHere(parts, await rowOf('Other'), async (dataset) => {
      named.push(dataset);
      return [uri];
    });
    assert.deepEqual(named, ['Other']);
    assert.equal((await imported('picked.txt')).dataset, 'Other');
  });

  /** Drops a new file on a row of the view, or beside the rows, and gives its task once it was accepted. */
  async function dropping(name: string, row: DatasetsRow | undefined, to = parts): Promise<TrackedTask> {
    await drop([files.write(name, name)], row, to);
    const task = await imported(name);
    assert.deepEqual(errors, []);
    return task;
  }

  /** The task of the file, once it was accepted. */
  async function imported(name: string): Promise<TrackedTask> {
    const isIt = ({ source, taskId }: TrackedTask) => source?.name === name && taskId !== undefined;
    const [task] = await untilTasks(parts.list, 1, isIt);
    return task ?? assert.fail('no task');
  }

  async function drop(uris: readonly Uri[], row: DatasetsRow | undefined, { datasets } = parts): Promise<void> {
    const data = new DataTransfer();
    data.set('text/uri-list', new DataTransferItem(uris.join('\r\n')));
    const messages = { error: async (error: unknown) => void errors.push(error) } as unknown as Parts['messages'];
    const { token } = new CancellationTokenSource();
    await dropsOf({ ...parts, messages, datasets }, dropTarget).handleDrop(row, data, token);
  }

  async function rowOf(name: string): Promise<DatasetsRow> {
    const found = (await rows()).find((row) => 'dataset' in row && row.dataset.name === name);
    return found ?? assert.fail(`there is no row '${name}'`);
  }

  /** The rows of the view, or those below one. */
  async function rows(parent?: DatasetsRow, { datasets } = parts): Promise<DatasetsRow[]> {
    const tree = new DatasetsTree(datasets, parts.keys, parts.webhooks);
    try {
      return await tree.getChildren(parent);
    } finally {
      tree.dispose();
    }
  }

  function named(name: string): Dataset {
    return parts.datasets.find(name) ?? assert.fail(`there is no dataset '${name}'`);
  }
});
