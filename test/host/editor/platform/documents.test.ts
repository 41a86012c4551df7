import assert from 'node:assert/strict';
import { type TextDocument, Uri, window, workspace } from 'vscode';
import { GeneratedDocuments } from '../../../../src/editor/platform/documents';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { newTask } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { always, answered, answerWith, fileSource } from '../../answeredTasks';
import { closeEditors, untilText } from '../../settled';

describe('Documents to be read', () => {
  let parts: Parts;
  let list: TaskList;
  const made: number[] = [];

  before(async () => {
    parts = await activated();
    list = parts.list;
  });

  afterEach(async () => {
    await closeEditors();
    await list.remove(made.splice(0));
  });

  it('show the last answer again after the window was loaded anew, as far as there is one', async () => {
    const key = await add('{"taskId":"t-1"}');
    assert.match(await restored('dataset-import-response', String(key)), /"taskId": "t-1"/);
    assert.equal(
      await restored('dataset-import-response', '7'),
      'This task was removed from the list, and its response with it.\n',
    );
    const [task] = await list.add([newTask({ dataset: 'D', createdMs: 0, phase: { kind: 'queued' } })]);
    made.push(task?.key ?? 0);
    assert.equal(await restored('dataset-import-response', String(task?.key)), 'The service has not responded yet.\n');
  });

  it('say how to get a preview back that was open before', async () => {
    assert.equal(
      await restored('dataset-import-preview', ''),
      'This preview is no longer available. Use Preview Import… or Preview Status Check… to see the request again.\n',
    );
  });

  it('follow the answer about their own task, whatever else changes meanwhile', async () => {
    const [first, second] = [await add('{"taskId":"t-1"}'), await add('{"taskId":"t-2"}')];
    await document(first);
    const other = await document(second);
    list.setProgress(first, { sentBytes: 1, totalBytes: 2 });
    await list.change(first, { checkedMs: 5 }, always);
    await list.change(second, { lastResponse: answerWith('{"taskId":"t-2","state":"new"}') }, always);
    await untilText('dataset-import-response', (text) => text.includes('"state": "new"'));
    assert.match(other.getText(), /"state": "new"/);
  });

  it('are made again where they are meant, and no other of their kind', async () => {
    let edition = 1;
    const documents = new GeneratedDocuments('dataset-import-test', async () => {});
    documents.provide(({ path }) => `${path} ${edition}`);
    await documents.show('/a.txt');
    await documents.show('/b.txt');
    await untilText('dataset-import-test', (text) => text.startsWith('/b.txt'));
    edition = 2;
    documents.refresh(({ path }) => path === '/b.txt');
    await untilText('dataset-import-test', (text) => text === '/b.txt 2');
    const other = workspace.textDocuments.find(
      ({ uri }) => uri.scheme === 'dataset-import-test' && uri.path === '/a.txt',
    );
    assert.equal(other?.getText(), '/a.txt 1');
    documents.dispose();
  });

  it('wait for what generates them, where VS Code asks for them before it is loaded', async () => {
    for (const readOnlyMessage of [undefined, 'It cannot be edited.']) {
      const load = async () => documents.provide(({ path }) => `late ${path}`);
      const documents: GeneratedDocuments = new GeneratedDocuments('dataset-import-late', load, readOnlyMessage);
      assert.equal(await restored('dataset-import-late', `${readOnlyMessage}`), 'late /kept.json');
      documents.dispose();
    }
  });

  it('show an answer that was cut as such, and one that is nested too deeply without its depths', async () => {
    const cut = await add('{"taskId":"t-1"}');
    const told = 'Parts of this response are left out: it has 900000 bytes.';
    await list.change(cut, { lastResponse: `{"code":"0","data":["a","…"],"…":"${told}"}` }, always);
    const shown = await restored('dataset-import-response', String(cut));
    assert.deepEqual(JSON.parse(shown), { code: '0', data: ['a', '…'], '…': told });
    const nested = await add('{"taskId":"t-1"}');
    await list.change(nested, { lastResponse: `{"code":"0","data":${'['.repeat(6000)}${']'.repeat(6000)}}` }, always);
    assert.match(await restored('dataset-import-response', String(nested)), /^ {400}"…"$/m);
  });

  async function add(begun: string): Promise<number> {
    const [task] = await list.add([{ ...answered({ dataset: 'D', begun }), source: fileSource('a.txt', 1) }]);
    assert.ok(task);
    made.push(task.key);
    return task.key;
  }

  async function document(key: number): Promise<TextDocument> {
    const opened = await workspace.openTextDocument(
      Uri.from({ scheme: 'dataset-import-response', path: `/${key}.json`, query: String(key) }),
    );
    await window.showTextDocument(opened, { preview: false });
    return opened;
  }

  /** What VS Code shows in a tab that it has kept from before. */
  async function restored(scheme: string, query: string): Promise<string> {
    return (await workspace.openTextDocument(Uri.from({ scheme, path: '/kept.json', query }))).getText();
  }
});
