import assert from 'node:assert/strict';
import { commands, env, Selection, Uri, window, workspace } from 'vscode';
import { importDropped, importFile } from '../../../../src/editor/importing/importFile';
import { formatError } from '../../../../src/editor/platform/formatError';
import { StoreError } from '../../../../src/tasks/database/storeError';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { ownParts } from '../../ownParts';
import { closeEditors, closingMessages, untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';
import { setUserSetting } from '../../userSettings';
import { WorkspaceFiles } from '../../workspaceFiles';

const longId = '9007199254740993123';

describe('The import commands', () => {
  let parts: Parts;
  let files: WorkspaceFiles;

  before(async () => {
    parts = await activated();
    files = new WorkspaceFiles('importing');
  });

  after(async () => {
    await commands.executeCommand('workbench.action.closeAllEditors');
    files.remove();
  });

  describe('with the sandbox as the only dataset', () => {
    before(() => parts.sandbox.start());
    after(() => parts.sandbox.stop());

    it('import the clicked file, whose task has the ID of the response', async () => {
      const [task] = await importFiles(files.write('notes.txt', 'one\ntwo\n'));
      assert.equal(task.source?.name, 'notes.txt');
      assert.equal(task.source?.sizeBytes, 8);
      const { lastResponse } = await parts.list.history.responses(task.key);
      assert.ok(task.taskId && lastResponse?.includes(task.taskId), lastResponse);

      await commands.executeCommand('datasetImport.refreshTask', { taskKey: task.key });
      assert.match(taskState(parts.list.get(task.key) ?? task), /^(running|succeeded)$/);
    });

    it('import all selected files if the clicked file is one of them', async () => {
      const [first, ...rest] = ['a.txt', 'b.csv', '读书会 😀.md'].map((name) => files.write(name, `${name}\n`));
      assert.ok(first);
      const tasks = await importFiles(first, ...rest);
      assert.deepEqual(tasks.map(({ source }) => source?.name).toSorted(), ['a.txt', 'b.csv', '读书会 😀.md']);
      assert.equal(new Set(tasks.map(({ taskId }) => taskId)).size, 3);
      assert.deepEqual(new Set(tasks.map(({ batch }) => batch?.label)), new Set(['3 files']));
      assert.equal(new Set(tasks.map(({ batch }) => batch?.id)).size, 1);
    });

    it("import the active editor's file from the palette", async () => {
      await window.showTextDocument(files.write('active.txt', 'active'));
      const [task] = await importing(1, commands.executeCommand('datasetImport.importFile'));
      assert.equal(task?.source?.name, 'active.txt');
    });

    it('import the file of the active tab if it is too large for VS Code to pass an editor', async () => {
      await closeEditors();
      const large = files.write('large.txt', Buffer.alloc(60_000_000, 'a line of text\n'));
      await commands.executeCommand('vscode.open', large);
      const [task] = await importing(1, commands.executeCommand('datasetImport.importFile'));
      assert.equal(window.activeTextEditor, undefined);
      assert.equal(task?.source?.sizeBytes, 60_000_000);
      await closeEditors();
    });

    it('import an untitled document and a selection as they are in the editor', async () => {
      const document = await workspace.openTextDocument({ content: 'never saved\nnor this\n' });
      const editor = await window.showTextDocument(document);
      const [whole] = await importing(1, commands.executeCommand('datasetImport.importFile'));
      assert.match(whole?.source?.name ?? '', /^Untitled-\d+\.txt$/);
      editor.selection = new Selection(1, 0, 1, 8);
      const [part] = await importing(1, commands.executeCommand('datasetImport.importSelection'));
      assert.match(part?.source?.name ?? '', /^Untitled-\d+, line 2\.txt$/);
      assert.deepEqual([whole?.source?.sizeBytes, part?.source?.sizeBytes], [21, 8]);
      await closeEditors();
    });

    it('import nothing, and explain why, if a selection, a folder or a drop has nothing to import', async () => {
      const tracked = parts.list.held.length;
      await window.showTextDocument(files.write('not selected.txt', 'x'));
      await closingMessages(commands.executeCommand('datasetImport.importSelection'));
      const empty = files.write('x.bin', 'x').with({ path: `${files.folder}/empty` });
      await workspace.fs.createDirectory(empty);
      await assert.rejects(importFile(parts, [empty]), /^UserError: There are no files to import in 'empty'\.$/);
      await workspace.fs.writeFile(Uri.joinPath(empty, 'a.bin'), Buffer.from('x'));
      await assert.rejects(
        importFile(parts, [empty]),
        /no files to import in 'empty'\. Skipped: a\.bin \(\.bin is not a listed file extension\)\.$/,
      );
      const texts = [{ name: 'a.png', bytes: Buffer.from('\0') }];
      await assert.rejects(
        importDropped(parts, { uris: [], texts, bad: [] }),
        /Nothing was imported\. 'a\.png' is not a text/,
      );
      const large = { uris: [], texts: [], bad: ["'b.txt' is too large."] };
      await assert.rejects(importDropped(parts, large), /^UserError: Nothing was imported\. 'b\.txt' is too large\.$/);
      assert.equal(parts.list.held.length, tracked);
    });

    it('offer to retry if the task database cannot be written', async () => {
      const sync = () => Promise.reject(new StoreError('/store/tasks.sqlite', { code: 'EROFS' }));
      const texts = [{ name: 'kept.txt', bytes: Buffer.from('kept') }];
      const list = { sync } as unknown as Parts['list'];
      const error = await importDropped({ ...parts, list }, { uris: [], texts, bad: [] }).catch(
        (reason: unknown) => reason,
      );
      const { message, actions } = formatError(error, () => {});
      assert.equal(
        message,
        "The task database '/store/tasks.sqlite' cannot be read or written. Check its permissions.",
      );
      assert.deepEqual(
        actions.map(({ label }) => label),
        ['Retry'],
      );
    });
  });

  it('ask before the same content is imported again, even if its row was removed, until it is forgotten', async () => {
    let count = 0;
    const service = await startTinyService({
      'file-task': () => `{"code":"0","message":null,"data":{"taskId":"kept-${++count}"}}`,
    });
    const own = await ownParts();
    own.setting.set([{ name: 'Kept', baseUrl: service.baseUrl.href }]);
    await own.keys.set({ name: 'Kept', baseUrl: service.baseUrl }, 'kept-key');
    const sent = () => service.requests.filter(({ operation }) => operation === 'file-task').length;
    try {
      const uri = files.write('kept.txt', 'kept');
      const isKept = ({ source, taskId }: TrackedTask) => source?.name === 'kept.txt' && taskId !== undefined;
      await importFile(own, [uri]);
      const [task] = await untilTasks(own.list, 1, isKept);
      await own.list.remove([task?.key ?? 0]);
      await assert.rejects(importFile(own, [uri]), /The content of 'kept\.txt' was uploaded to Kept before\./);
      assert.equal(sent(), 1);
      await own.contents.forget('Kept');
      await importFile(own, [uri]);
      await untilTasks(own.list, 1, isKept);
      assert.equal(sent(), 2);
    } finally {
      await own.dispose();
      await service.close();
    }
  });

  it('ask before a file is imported twice at the same time', async () => {
    const asked = Promise.withResolvers<void>();
    const service = await startTinyService({
      'file-task': async () => {
        await asked.promise;
        return '{"code":"0","message":null,"data":{"taskId":"twice-1"}}';
      },
    });
    const own = await ownParts();
    own.setting.set([{ name: 'Slow', baseUrl: service.baseUrl.href }]);
    await own.keys.set({ name: 'Slow', baseUrl: service.baseUrl }, 'slow-key');
    try {
      const uri = files.write('twice.txt', 'twice');
      const imports = [importFile(own, [uri]), importFile(own, [uri])];
      // In tests, VS Code shows no dialog but throws its text.
      const refused = imports.map((one) => one.then(() => Promise.reject(new Error('nothing was asked')), String));
      assert.match(await Promise.any(refused), /^[^,]*'twice\.txt' may have been uploaded[^,]*$/);
      asked.resolve();
      await Promise.allSettled(imports);
      await untilTasks(own.list, 1, ({ source, taskId }) => source?.name === 'twice.txt' && taskId !== undefined);
      assert.equal(service.requests.filter(({ operation }) => operation === 'file-task').length, 1);
    } finally {
      asked.resolve();
      await own.dispose();
      await service.close();
    }
  });

  describe('with a service whose IDs are long numbers', () => {
    let service: TinyService;
    const status = 'QUEUED';

    before(async () => {
      service = await startTinyService({
        'file-task': () => `{"code":"0","message":null,"data":{"taskId":${longId},"size":1.0}}`,
        'query-task': () => `{"code":"0","message":null,"data":{"taskId":${longId},"status":"${status}"}}`,
      });
      await setUserSetting('datasetImport.datasets', [{ name: 'Long', baseUrl: service.baseUrl.href }]);
      await parts.keys.set({ name: 'Long', baseUrl: service.baseUrl }, 'long-key');
    });

    after(async () => {
      await parts.keys.clear({ name: 'Long' });
      await setUserSetting('datasetImport.datasets', undefined);
      await service.close();
    });

    it('keep an ID to the last digit in the next request and on the clipboard', async () => {
      const [task] = await importFiles(files.write('long.txt', 'long'));
      const row = { taskKey: task.key };
      assert.equal(task.taskId, longId);
      await commands.executeCommand('datasetImport.refreshTask', row);
      assert.deepEqual(
        service.requests.map(({ operation, accessKey }) => [operation, accessKey]),
        [
          ['file-task', 'long-key'],
          ['query-task', 'long-key'],
        ],
      );
      assert.equal(service.requests[1]?.body, `{"taskId":${longId}}`);
      await commands.executeCommand('datasetImport.copyTaskId', row);
      assert.equal(await env.clipboard.readText(), longId);
    });
  });

  /** Imports through the Explorer's menu, and returns the tasks once the service has accepted each. */
  async function importFiles(...uris: [Uri, ...Uri[]]): Promise<[TrackedTask, ...TrackedTask[]]> {
    const tasks = await importing(uris.length, commands.executeCommand('datasetImport.importFile', uris[0], uris));
    return tasks as [TrackedTask, ...TrackedTask[]];
  }

  async function importing(count: number, command: Thenable<unknown>): Promise<readonly TrackedTask[]> {
    const known = new Set(parts.list.held.map(({ key }) => key));
    const isNew = (task: TrackedTask) => !known.has(task.key) && task.taskId !== undefined;
    const tasks = await untilTasks(parts.list, count, isNew);
    await closingMessages(command);
    assert.equal(parts.list.held.length, known.size + count);
    return tasks;
  }
});
