import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type CodeLens, commands, FileSystemError, Uri, window, workspace } from 'vscode';
import { TaskDetails } from '../../../../src/editor/details/taskDetails';
import type { GeneratedDocuments } from '../../../../src/editor/platform/documents';
import { StoreError } from '../../../../src/tasks/database/storeError';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { activated, type Parts } from '../../activated';
import { always, answered, fileSource } from '../../answeredTasks';
import { closeEditors, untilEvent } from '../../settled';
import { setUserSetting } from '../../userSettings';

const SCHEME = 'dataset-import-task';
const GONE = 'This task is no longer in the list.\n';

describe('The details of a task', () => {
  let parts: Parts;
  const made: number[] = [];

  before(async () => {
    parts = await activated();
  });
  afterEach(async function tellWhatWasShown() {
    if (this.currentTest?.state === 'failed') {
      const shown = workspace.textDocuments.map(({ uri, isClosed }) => ({ uri: uri.toString(), isClosed }));
      const details = workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME);
      const tasks = await parts.list.history.tasks(made);
      const held = made.map((key) => parts.list.get(key));
      console.log(JSON.stringify({ made, shown, texts: details.map((each) => each.getText()), tasks, held }, null, 1));
    }
    await closeEditors();
    await parts.list.remove(made.splice(0));
  });

  it('open on its row with the state and the reason, and follow it while they are open', async () => {
    const key = await add();
    await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
    const shown = window.visibleTextEditors.find(({ document }) => document.uri.scheme === SCHEME);
    assert.equal(shown?.document.languageId, 'dataset-import-details');
    const text = await untilText(key, (all) => all.includes("Status check: running ('RUNNING')"));
    assert.ok(text.startsWith('notes.txt\nRunning\nNot checked: dataset removed\n\nTimeline\n  '), text);
    const report = { status: 'BAD', meaning: 'failed', progress: undefined, message: 'Torn page', from: {} } as const;
    await parts.list.change(key, { phase: { kind: 'accepted', report }, checkedMs: 1 }, always);
    const later = await untilText(key, (all) => all.includes("Status check: failed ('BAD')"));
    assert.ok(later.startsWith('notes.txt\nFailed · Torn page\n\nTimeline\n'), later);
    assert.ok(later.indexOf("'RUNNING'") < later.indexOf("'BAD'"), later);
  });

  it('show the last of many changes that come at once', async () => {
    const key = await add();
    await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
    const changes = Array.from({ length: 20 }, (_, index) => {
      const report = { status: `S${index}`, meaning: 'running', progress: undefined, message: undefined } as const;
      return parts.list.change(key, { phase: { kind: 'accepted', report: { ...report, from: {} } } }, always);
    });
    await Promise.all(changes);
    const text = await untilText(key, (all) => /^ {2}Status +S19$/m.test(all));
    assert.match(text, /: running \('S18'\)\n.*: running \('S19'\)\n/);
  });

  it('offer the next steps below the header, a click away', async () => {
    const key = await add();
    await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
    const report = { status: 'DONE', meaning: 'succeeded', progress: undefined, message: undefined, from: {} } as const;
    await parts.list.change(key, { phase: { kind: 'accepted', report } }, always);
    await untilText(key, (all) => all.includes('Succeeded'));
    const document = workspace.textDocuments.find(({ uri }) => uri.scheme === SCHEME && uri.query === `${key}`);
    assert.ok(document);
    const lenses = await commands.executeCommand<CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    assert.deepEqual(
      lenses.map(({ command, range }) => [command?.title, command?.arguments, document.lineAt(range.start).text]),
      [
        ['Open Source File', [{ taskKey: key }], ''],
        ['Import Again', [{ taskKey: key }], ''],
      ],
    );
  });

  it('say why the task database cannot be read, as a window that is reloaded may find it', async () => {
    let text: (uri: Uri) => Promise<string> = async () => '';
    const provide = (made: typeof text) => {
      text = made;
    };
    const documents = { scheme: 'details-of-none', provide } as unknown as GeneratedDocuments;
    const find = () => Promise.reject(new StoreError('/tasks.db', new Error('disk I/O error')));
    const list = { events: parts.list.events, find } as unknown as TaskList;
    const details = new TaskDetails({ ...parts, list }, documents);
    assert.equal(
      await text(Uri.from({ scheme: documents.scheme, path: '/notes.txt', query: '1' })),
      "The task database '/tasks.db' cannot be read or written. Check its permissions.\n",
    );
    details.dispose();
  });

  it('say so once the task is removed, and come back when it is put back', async () => {
    const key = await add();
    await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
    await untilText(key, (all) => all.startsWith('notes.txt\n'));
    const removed = await parts.list.removeForUndo(key);
    assert.ok(removed);
    await untilText(key, (all) => all === GONE);
    assert.equal(await parts.list.putBack(removed), true);
    await untilText(key, (all) => all.startsWith('notes.txt\n'));
  });

  it('need no more than their address, also for their language, and say so where the task is gone', async () => {
    const key = await add();
    const path = '/task-details/notes.txt (details)';
    const opened = await workspace.openTextDocument(Uri.from({ scheme: SCHEME, path, query: `${key}` }));
    assert.match(opened.getText(), /^notes\.txt\nRunning\n/);
    assert.equal(opened.languageId, 'dataset-import-details');
    const gone = await workspace.openTextDocument(Uri.from({ scheme: SCHEME, path, query: '7' }));
    assert.equal(gone.getText(), GONE);
  });

  it('are files that cannot be written, and whose time and size follow each change', async () => {
    const key = await add();
    const uri = Uri.from({ scheme: SCHEME, path: '/task-details/é (details)', query: `${key}` });
    assert.equal(workspace.fs.isWritableFileSystem(SCHEME), false);
    const before = await workspace.fs.stat(uri);
    const document = await workspace.openTextDocument(uri);
    assert.equal(before.size, Buffer.byteLength(document.getText()));
    await parts.list.change(key, { lastResponse: '{"code":"0","data":{"note":"é"}}' }, always);
    const text = await untilText(key, (all) => all.includes('"note": "é"'));
    const after = await workspace.fs.stat(uri);
    assert.equal(after.size, Buffer.byteLength(text));
    assert.ok(after.mtime > before.mtime);
    for (const writing of [
      workspace.fs.writeFile(uri, Buffer.from('x')),
      workspace.fs.delete(uri),
      workspace.fs.rename(uri, uri.with({ path: '/x' })),
      workspace.fs.createDirectory(uri.with({ path: '/x' })),
    ])
      await assert.rejects(async () => await writing, FileSystemError);
    await window.showTextDocument(document);
    await commands.executeCommand('workbench.action.files.save');
    assert.equal(document.isDirty, false);
    assert.equal(document.getText(), text);
  });

  it('are read as UTF-8, whatever the encoding of other files', async () => {
    await setUserSetting('files.encoding', 'utf16le');
    try {
      const key = await add();
      await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
      await untilText(key, (all) => all.includes('Timeline'));
    } finally {
      await setUserSetting('files.encoding', undefined);
    }
  });

  /** The text of the details of this task, as soon as it is as asked for. */
  async function untilText(key: number | string, fits: (text: string) => boolean): Promise<string> {
    // Documents of other tasks may still be open after their editors.
    const text = () =>
      workspace.textDocuments.find(({ uri }) => uri.scheme === SCHEME && uri.query === `${key}`)?.getText();
    await untilEvent(workspace.onDidChangeTextDocument, () => fits(text() ?? ''));
    return text() ?? '';
  }

  async function add(): Promise<number> {
    const found = '{"taskId":9007199254740993123,"status":"RUNNING"}';
    const running = answered({ dataset: 'Nowhere', begun: '{"taskId":9007199254740993123}', found });
    // A file of its own: a task whose file has another row by then is not put back.
    const source = { ...fileSource('notes.txt', 5), path: `/files/${randomUUID()}/notes.txt` };
    const [task] = await parts.list.add([{ ...running, source }]);
    assert.ok(task);
    made.push(task.key);
    return task.key;
  }
});
