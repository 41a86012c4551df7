import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Position, window } from 'vscode';
import { COMMANDS } from '../../../../src/editor/commands';
import { importAgain } from '../../../../src/editor/importing/importAgain';
import { importFiles } from '../../../../src/editor/importing/importFiles';
import { resumeAfterRejections } from '../../../../src/editor/mapping/resumeAfterRejections';
import type { Services } from '../../../../src/editor/services';
import { APPLICABLE } from '../../../../src/editor/tasksView/chooseRows';
import { reimport } from '../../../../src/editor/tasksView/rowCommands';
import { fileOf, rejected, requestOf } from '../../../unit/tasks/store/storeRequests';
import { closeEditors } from '../../settled';
import { until } from '../../until';
import { setUserSetting } from '../../userSettings';
import { MemoryFiles } from './memoryFiles';
import { beforeEachUploads, uploads } from './uploads';

const MOVED = 'https://moved.example note.txt,https://moved.example outside/a.txt';

describe('Import Again', () => {
  beforeEachUploads('again');

  it('queues rejected files in their existing rows without asking for confirmation', async () => {
    await send('rejected.txt');
    const before = await uploads.rows();
    await importAgain(uploads.services, before);
    assert.deepEqual(uploads.asked, []);
    const after = (await uploads.rows()).map(({ id, state }) => [id, state]);
    const queued = before.map(({ id }) => [id, 'queued']);
    assert.deepEqual(after, queued);
  });

  it('puts multiple files without a batch into a new one, so that a message reports when their tasks have ended', async () => {
    for (const name of ['rejected 1.txt', 'rejected 2.txt']) await send(name);
    await reimport(uploads.services, {}, APPLICABLE.retryFailed);
    const { store } = uploads.own;
    const labels = (await store.batches([1])).map(({ label }) => label);
    assert.deepEqual(labels, ['2 files']);
    const batches = (await uploads.rows()).map(({ batch }) => batch);
    assert.deepEqual(batches, [1, 1]);
  });

  describe('on a batch', () => {
    const BATCH = { group: 'batch 1', filter: {} };
    const again = async (...args: unknown[]) => {
      const services = uploads.services as unknown as Parameters<typeof COMMANDS.importAgain>[0];
      await COMMANDS.importAgain(services, { name: 'importAgain', args, selection: [] });
    };

    it('imports only the unconfirmed files, after asking for confirmation', async () => {
      await send('done.txt', 'lost.txt', 'rejected.txt');
      await again(BATCH);
      assert.match(uploads.asked.join(), /^Import 'lost\.txt' again\? \[Import Again\] Unconfirmed: 1/);
      assert.deepEqual(await uploads.queued(), ['lost.txt']);
    });

    it('also imports the other selected files, no matter which row was clicked', async () => {
      await send('done.txt', 'lost.txt', 'rejected.txt', 'rejected too.txt');
      const row = { file: (await uploads.own.row('rejected.txt')).id };
      for (const [clicked, all] of [
        [BATCH, [BATCH, row]],
        [row, [BATCH, row]],
      ] as const) {
        await again(clicked, all);
        assert.deepEqual(await uploads.queued(), ['lost.txt', 'rejected.txt']);
        await uploads.send();
      }
    });

    it('reports that there is nothing to import if no file is unconfirmed', async () => {
      await send('done.txt', 'rejected.txt');
      await assert.rejects(again(BATCH), /There are no tasks to which this command applies\./);
    });
  });

  it('asks before it follows a link that has replaced a file to secrets or out of the workspace', async () => {
    await send('rejected.txt');
    uploads.answers.push(false, false);
    for (const [target, asked] of [
      [uploads.write('.env', 'another text').fsPath, /may contain secrets/],
      [__filename, /Needs care: .* · stored in /],
    ] as const) {
      rmSync(uploads.uri('rejected.txt').fsPath);
      symlinkSync(target, uploads.uri('rejected.txt').fsPath);
      await importAgain(uploads.services, await uploads.rows());
      assert.equal((await uploads.rows()).map(({ state }) => state).join(), 'rejected');
      assert.match(uploads.asked.splice(0).join(), asked);
    }
  });

  it('asks for confirmation if the service has the file but its task is no longer tracked', async () => {
    await send('done.txt');
    await uploads.own.store.stopTracking({});
    uploads.answers.push(false);
    await importAgain(uploads.services, await uploads.rows());
    assert.match(uploads.asked.join(), /^Import 'done\.txt' again\? \[Import Again\] No longer tracked: 1/);
    assert.deepEqual(await uploads.queued(), []);
  });

  it('asks just once about all files that may already be in the dataset, and does nothing if the user cancels', async () => {
    await send('done.txt', 'lost.txt', 'running.txt', 'rejected.txt');
    const { store } = uploads.own;
    const done = (await uploads.rows()).find(({ name }) => name === 'done.txt');
    const [task] = done?.tasks ?? [];
    if (done && task) await uploads.own.report(done.import.id, task.id, { meaning: 'succeeded', status: 'DONE' });
    uploads.answers.push(false);
    await importAgain(uploads.services, await uploads.rows());
    assert.deepEqual(uploads.asked, [
      'Import 4 files again? [Import Again] Unconfirmed: 1\nStill being processed: 1\nUnchanged: 1\nImporting again may create duplicates. If possible, check the dataset first.',
    ]);
    assert.deepEqual([await uploads.queued(), (await store.counts(null)).states.queued], [[], undefined]);
  });

  it('asks about a file that the dataset already has, even if its last import was canceled', async () => {
    await uploads.importAndSend(uploads.write('a.txt'));
    await uploads.report('succeeded');
    await importAgain(uploads.services, await uploads.rows());
    await uploads.own.store.cancel({});
    uploads.answers.push(false);
    await reimport(uploads.services, {}, APPLICABLE.retryFailed);
    assert.match(uploads.asked.at(-1) ?? '', /Unchanged: 1/);
    assert.deepEqual(await uploads.queued(), []);
  });

  it('asks about files and texts whose content the dataset has received since from other files and texts', async () => {
    for (const name of ['rejected.txt', 'copy.txt']) {
      const texts = [{ name, bytes: Buffer.from('a text') }];
      await importFiles(uploads.services, { uris: [uploads.write(name, 'a file')], texts });
      await uploads.send();
    }
    await uploads.report('succeeded');
    uploads.answers.push(false);
    await reimport(uploads.services, {}, APPLICABLE.retryFailed);
    assert.match(uploads.asked.at(-1) ?? '', /Unchanged: 2/);
    assert.deepEqual(await uploads.queued(), []);
  });

  it("compares files and texts with what a dataset's new base URL received, and keeps relative paths", async () => {
    const { services, own } = uploads;
    const { datasets, keys } = services;
    const uri = uploads.write('a.txt');
    const names = new Map([[uri.toString(), { name: 'a.txt', relativePath: 'outside/a.txt' }]]);
    await importFiles(services, { uris: [uri], names, texts: [{ name: 'note.txt', bytes: Buffer.from('text') }] });
    await own.store.cancel({});
    await datasets.remove(datasets.find('Manuals') ?? assert.fail());
    await datasets.add({ name: 'Manuals', baseUrl: 'https://moved.example' });
    await keys.set(datasets.find('Manuals') ?? assert.fail(), 'new key');
    await reimport(services, {}, APPLICABLE.retryFailed);
    const queued = (await uploads.rows()).filter(({ state }) => state === 'queued');
    assert.equal(queued.map(({ origin, relativePath }) => `${origin} ${relativePath}`).join(), MOVED);
    await uploads.send();
    await uploads.report('succeeded');
    uploads.lists.push(() => undefined);
    await reimport(services, {}, APPLICABLE.retryFailed);
    assert.deepEqual([await uploads.queued(), uploads.asked.at(-1)], [[], 'Import to Manuals: 0 of 2 (0 bytes)']);
  });

  it('after a new access key, does not upload content that the dataset has, unless the user chose to, and uploads a text only once', async () => {
    const { own, services } = uploads;
    await importFiles(services, { uris: [uploads.write('a.txt', 'version 1'), uploads.write('again.txt', 'again')] });
    await uploads.send();
    await uploads.report('succeeded');
    await importAgain(services, [await own.row('again.txt')]);
    const text = { name: 'text.txt', bytes: Buffer.from('text') };
    await importFiles(services, { uris: [uploads.write('a.txt', 'version 2')] });
    for (const texts of [[text], [text]]) {
      for (const { path, import: last } of (await uploads.rows()).filter(({ state }) => state === 'queued')) {
        const sha256 = path && (await services.files.sha256(path));
        const content = sha256 ? { content: { sizeBytes: 9, modifiedMs: null, sha256 } } : {};
        await own.store.end(rejected(await own.begin(last.id), '42', content));
      }
      await importFiles(services, { texts });
    }
    for (const { import: last } of (await uploads.rows()).filter(({ state }) => state === 'queued'))
      await own.reject(last.id, '42');
    uploads.write('a.txt', 'version 1');
    await endPause();
    assert.deepEqual(await uploads.queued(), ['again.txt', 'text.txt']);
  });

  it('after a new access key, leaves out a text that is queued again and a file that was changed back', async () => {
    const { own, services } = uploads;
    const texts = [{ name: 'text.txt', bytes: Buffer.from('text') }];
    await uploads.importAndSend(uploads.write('a.txt', 'version 1'));
    await importFiles(services, { uris: [uploads.write('a.txt', 'version 2'), uploads.write('b.txt', 'b')], texts });
    for (const { import: last, state } of await uploads.rows()) if (state === 'queued') await own.reject(last.id, '42');
    await importFiles(services, { texts });
    uploads.write('a.txt', 'version 1');
    await endPause();
    assert.deepEqual(await uploads.queued(), ['b.txt', 'text.txt']);
  });

  it('reports no missing text if the user cancels', async () => {
    await importFiles(uploads.services, { texts: [{ name: 'text.txt', bytes: Buffer.from('text') }] });
    await uploads.send();
    await uploads.report('failed');
    await uploads.importAndSend(uploads.write('lost.txt', 'lost'));
    uploads.answers.push(false);
    await reimport(uploads.services, {}, APPLICABLE.importAgain);
    assert.deepEqual(await uploads.queued(), []);
  });

  it('first saves files with unsaved changes if the settings say so', async () => {
    await setUserSetting('datasetImport.unsavedFiles', 'save');
    await send('rejected.txt');
    const editor = await window.showTextDocument(uploads.uri('rejected.txt'));
    await editor.edit((edit) => edit.insert(new Position(0, 0), 'not '));
    await importAgain(uploads.services, await uploads.rows());
    assert.deepEqual([editor.document.isDirty, await uploads.queued()], [false, ['rejected.txt']]);
    await setUserSetting('datasetImport.unsavedFiles', undefined);
    await closeEditors();
  });

  it('skips files that were imported again after their rows were loaded', async () => {
    await send('rejected.txt');
    const rows = await uploads.rows();
    await importAgain(uploads.services, rows);
    const again = await uploads.rows();
    await importAgain(uploads.services, rows);
    assert.deepEqual(await uploads.rows(), again);
  });

  it('resends the stored copy of imported text, and fails if the copy no longer exists', async () => {
    const texts = [{ name: 'rejected.txt', bytes: Buffer.from('text') }];
    await importFiles(uploads.services, { texts });
    await uploads.send();
    await importAgain(uploads.services, await uploads.rows());
    uploads.answers.push(false);
    await importFiles(uploads.services, { texts });
    assert.match(uploads.asked.join(), /Unchanged: 4 bytes · queued/);
    assert.deepEqual(await uploads.queued(), ['rejected.txt']);
    await uploads.send();
    for (const name of readdirSync(uploads.textsFolder)) rmSync(join(uploads.textsFolder, name));
    const again = importAgain(uploads.services, await uploads.rows());
    await assert.rejects(again, /The text of 'rejected\.txt' is no longer stored\./);
  });

  it('rereads files from a virtual workspace, whether they were rejected or failed later', async () => {
    using memory = new MemoryFiles({ '/notes/a.txt': 'text 1', '/notes/rejected.txt': 'text 2' });
    await importFiles(uploads.services, { uris: ['a', 'rejected'].map((name) => memory.uri(`/notes/${name}.txt`)) });
    await uploads.send();
    await uploads.report('failed');
    for (const name of readdirSync(uploads.textsFolder)) rmSync(join(uploads.textsFolder, name));
    await importAgain(uploads.services, await uploads.rows());
    assert.deepEqual(await uploads.queued(), ['a.txt', 'rejected.txt']);
    assert.equal(readdirSync(uploads.textsFolder).length, 2);
  });

  it('imports the files on disk even if a file in a virtual workspace no longer exists', async () => {
    {
      using memory = new MemoryFiles({ '/notes/rejected virtual.txt': 'text' });
      await importFiles(uploads.services, { uris: [memory.uri('/notes/rejected virtual.txt')] });
    }
    await send('rejected.txt');
    using _memory = new MemoryFiles({});
    const again = reimport(uploads.services, {}, APPLICABLE.retryFailed);
    await assert.rejects(again, /'rejected virtual\.txt' was not found\./);
    assert.deepEqual(await uploads.queued(), ['rejected.txt']);
  });

  it('imports files to the other datasets if a dataset no longer exists, and then reports that dataset', async () => {
    const { services, own } = uploads;
    const gone = { dataset: 'Gone', origin: 'https://gone.example' };
    await own.store.queue({ ...requestOf('gone', [fileOf('g')]), destination: gone });
    await own.store.cancel({});
    await send('rejected.txt');
    const again = reimport(services, {}, APPLICABLE.retryFailed);
    await assert.rejects(again, /^UserError: Dataset 'Gone' no longer exists\.$/);
    assert.deepEqual(await uploads.queued(), ['rejected.txt']);
  });

  it("asks for confirmation before sending files to a dataset's new base URL", async () => {
    await send('rejected.txt');
    const rows = (await uploads.rows()).map((row) => ({ ...row, origin: 'https://before.example' }));
    uploads.answers.push(false);
    await importAgain(uploads.services, rows);
    assert.deepEqual(await uploads.queued(), []);
    assert.match(
      uploads.asked[0] ?? '',
      /Dataset 'Manuals' moved to import\.example\. Send the files there\? .*Files: 1/s,
    );
  });

  /** Ends a pause after rejections with code 42, and waits until files are imported again. */
  async function endPause(): Promise<void> {
    const { own, services } = uploads;
    const before = (await uploads.queued()).length;
    const events = new EventEmitter();
    const serving = Object.assign(Object.create(services.serving), { events });
    const resuming = resumeAfterRejections({ ...services, serving } as unknown as Services);
    const cause = { name: 'Rejected', code: '42' };
    events.emit('rejectionsOver', (await own.store.destinations(null))[0], { reason: 'rejections', cause }, 'key');
    await until('an import', async () => (await uploads.queued()).length > before);
    resuming.dispose();
  }

  async function send(...names: string[]): Promise<void> {
    await importFiles(uploads.services, { uris: names.map((name) => uploads.write(name, name)) });
    await uploads.send();
  }
});
