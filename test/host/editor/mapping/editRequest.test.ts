import assert from 'node:assert/strict';
import { type InputBoxOptions, Position, type QuickPickItem, WorkspaceEdit, workspace } from 'vscode';
import { COMMANDS } from '../../../../src/editor/commands';
import { editRequest } from '../../../../src/editor/mapping/editRequest';
import type { Action } from '../../../../src/editor/platform/actions';
import type { Messages } from '../../../../src/editor/platform/messages';
import { type Picks, picks } from '../../../../src/editor/platform/window';
import type { FileRow, Pause } from '../../../../src/tasks/store/model';
import { activated, type Engine } from '../../activated';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';
import { envelope, OwnImportStore } from '../../ownImportStore';
import { answering, closeEditors } from '../../settled';
import { WorkspaceFiles } from '../../workspaceFiles';

describe('Edit Request…', () => {
  const ORIGIN = 'https://import.example';
  let engine: Engine;
  let settings: OwnDatasets;
  let own: OwnImportStore;
  let count = 0;
  let displayed: { readonly message: string; readonly actions: readonly string[] }[];
  let buttons: readonly Action[];
  let pause: Pause | null;

  before(async () => {
    engine = await activated();
  });

  beforeEach(() => {
    own = new OwnImportStore();
    displayed = [];
    pause = null;
    settings = ownDatasets([{ name: 'Manuals', baseUrl: ORIGIN }]);
  });

  afterEach(async () => {
    settings.dispose();
    await own[Symbol.asyncDispose]();
  });

  it('opens the form field named in a rejection, then offers to reimport all files that were rejected for the same reason', async () => {
    await rejectedImport('another rejection', '7');
    await rejectedImport('缺少参数“fileName”');
    await answering(edit(await rejectedImport('缺少参数“fileName”')), 'accept');
    assert.deepEqual(dataset().contract.fileTask.fields, { fileName: '${fileName}' });
    const message = "The request settings of dataset 'Manuals' were changed. Rejected imports: 2.";
    assert.deepEqual(displayed, [{ message, actions: ['Import Again'] }]);
  });

  it('does not offer Import Again for rejections that paused uploads, because the change imports those files again', async () => {
    const task = await rejectedImport('lang is required');
    pause = { reason: 'rejections', untilMs: null, cause: envelope('400') };
    await edit(task, { text: 'en' });
    assert.deepEqual(displayed.at(-1)?.actions, ['Test Connection']);
  });

  it('opens the rejection that paused uploads if it is run on a group', async () => {
    for (const code of ['7', '42', '42']) await rejectedImport('No.', code);
    const [elsewhere = 0] = await own.queue(['other.txt'], {
      destination: { dataset: 'Other', origin: 'https://other.example' },
    });
    await own.reject(elsewhere, '42', envelope('42'));
    await rejectedImport('No.', '8');
    for (const [code, title] of [
      ['42', /code 42/],
      ['500', /code 8/],
    ] as const) {
      const titles: string[] = [];
      const one = async (_: unknown, options: { title: string }) => void titles.push(options.title);
      const pauseOf = (id: number) => (id === 1 ? { cause: envelope(code) } : null);
      const services = {
        datasets: settings.datasets,
        store: own.store,
        serving: { pauseOf },
        picks: { one },
      } as unknown as Engine;
      const group = { group: '', filter: {} };
      await COMMANDS.editRequest(services, { name: 'editRequest', args: [group], selection: [] });
      assert.match(titles.join(), title);
    }
  });

  it('asks about unsaved changes when the user chooses Import Again in its message', async () => {
    const files = new WorkspaceFiles('edited');
    const document = await workspace.openTextDocument(files.write('a.txt', 'text'));
    const change = new WorkspaceEdit();
    change.insert(document.uri, new Position(0, 0), 'changed ');
    await workspace.applyEdit(change);
    const [id = 0] = await own.queue(['a.txt'], { file: { path: document.uri.fsPath } });
    await own.reject(id, '400', envelope('400', 'lang is required'));
    await edit(await own.row('a.txt'), { text: 'en' });
    await assert.rejects(async () => buttons[0]?.run(), /'a\.txt' has unsaved changes/);
    await closeEditors();
    files.remove();
  });

  it('opens the header named in a rejection, and shows the rejection in the title', async () => {
    const shown: InputBoxOptions[] = [];
    await edit(await rejectedImport('The header "X-Tenant" is required.'), { text: 'acme', shown });
    assert.equal(dataset().contract.headers['X-Tenant'], 'acme');
    const titles = shown.map(({ title }) => title);
    assert.deepEqual(titles, ['Header \'X-Tenant\' · code 400: The header "X-Tenant" is required.']);
  });

  it('opens the body of a rejected status check, and adds the parameter named in the rejection', async () => {
    for (const [message, body, cursor] of [
      ["parameter 'taskIds' is required", { taskIds: ['${taskId}'] }, '{"taskIds":["${taskId}"]'],
      ['taskNo is required', { taskNo: '${taskId}' }, '{"taskNo":"${taskId}"'],
      ["parameter 'lang' is required", { taskId: '${taskId}', lang: 'en' }, '{"taskId":"${taskId}","lang":"'],
    ] as const) {
      const shown: InputBoxOptions[] = [];
      await edit(await rejectedCheck(message), { text: (value) => value.replace('""', '"en"'), shown });
      assert.deepEqual(dataset().contract.queryTask.body, body, message);
      const { value, valueSelection } = shown[0] ?? {};
      assert.equal(value?.slice(0, valueSelection?.[0]), cursor);
      await settings.datasets.override(dataset(), ['queryTask', 'body'], undefined);
    }
    assert.deepEqual(displayed.at(-1)?.actions, ['Test Connection']);
  });

  it('lists the request parts named in a rejection first, followed by all parts', async () => {
    const named = await rejectedImport("Parameter 'mode' must be 'fast', like part 'docs'");
    assert.deepEqual((await offeredLabels(named)).slice(0, 12), [
      'named by the service',
      "Form Field 'mode'",
      'File Part Name',
      "Header 'mode'",
      "Form Field 'fast'",
      'File Part Name',
      "Header 'fast'",
      'File Part Name',
      "Form Field 'docs'",
      "Header 'docs'",
      'all parts',
      'File Part Name',
    ]);
    assert.deepEqual((await offeredLabels(await rejectedCheck("'x-mode' is required"))).slice(0, 4), [
      'named by the service',
      "Header 'x-mode'",
      'Status Check Body',
      'all parts',
    ]);
  });

  it('lists all request parts if the rejection does not name a missing part', async () => {
    assert.deepEqual(await offeredLabels(await rejectedImport('internal error')), [
      'all parts',
      'File Part Name',
      'Form Fields',
      'Status Check Body',
      'Headers',
      'Open Dataset Settings',
    ]);
    await settings.datasets.override(dataset(), ['fileTask', 'fields', 'fileName'], 'x');
    assert.equal((await offeredLabels(await rejectedImport('缺少参数“fileName”')))[0], 'all parts');
    assert.deepEqual(displayed, []);
  });

  it('changes nothing if the user cancels', async () => {
    await answering(edit(await rejectedImport('缺少参数“fileName”')), 'cancel');
    assert.equal(settings.datasets.overrides(dataset()), undefined);
    assert.deepEqual(displayed, []);
  });

  function dataset() {
    return settings.datasets.find('Manuals') ?? assert.fail('there is no dataset');
  }

  /** Runs the command for a row, cancels any input boxes, and returns the labels in the list that appears. */
  async function offeredLabels(row: FileRow): Promise<readonly string[]> {
    const labels: string[] = [];
    await edit(row, { text: undefined, labels });
    return labels;
  }

  /**
   * Runs the command for a row. With `typed`, enters its text into every input box and closes the list; otherwise shows
   * VS Code's real input boxes and lists.
   */
  async function edit(
    row: FileRow,
    typed?: {
      text: string | undefined | ((value: string) => string);
      shown?: InputBoxOptions[];
      labels?: string[];
    },
  ): Promise<void> {
    const done = async (message: string, ...actions: Action[]) => {
      displayed.push({ message, actions: actions.map(({ label }) => label) });
      buttons = actions;
    };
    const text = async (options: InputBoxOptions) => {
      typed?.shown?.push(options);
      return typeof typed?.text === 'function' ? typed.text(options.value ?? '') : typed?.text;
    };
    const one = async (items: readonly QuickPickItem[]) => {
      typed?.labels?.push(...items.map(({ label }) => label));
    };
    const messages = { done } as unknown as Messages;
    const serving = { pauseOf: () => pause } as unknown as Engine['serving'];
    const services = { ...engine, datasets: settings.datasets, store: own.store, serving, messages };
    const shown = typed === undefined ? picks : ({ ...picks, one, text } as unknown as Picks);
    await editRequest({ ...services, picks: shown }, dataset(), row);
  }

  async function rejectedImport(message: string, code = '400'): Promise<FileRow> {
    const name = `notes ${++count}.txt`;
    const [id = 0] = await own.queue([name]);
    await own.reject(id, code, envelope(code, message));
    return own.row(name);
  }

  async function rejectedCheck(message: string): Promise<FileRow> {
    const name = `notes ${++count}.txt`;
    const [id = 0] = await own.queue([name]);
    const [taskId = assert.fail()] = await own.accept(id, `t-${count}`);
    await own.report(id, taskId, { cause: { ...envelope('400', message), rejected: true } });
    return own.row(name);
  }
});
