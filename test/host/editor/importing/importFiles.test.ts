import assert from 'node:assert/strict';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import type { Uri } from 'vscode';
import { importChangesOfDataset } from '../../../../src/editor/importing/importCommands';
import { importFiles } from '../../../../src/editor/importing/importFiles';
import type { Dataset } from '../../../../src/service/contract/dataset';
import type { QueueRequest } from '../../../../src/tasks/store/model';
import { accepted, unconfirmed } from '../../../unit/tasks/store/storeRequests';
import { MemoryFiles } from './memoryFiles';
import { beforeEachUploads, rowNamed, rowsOf, uploads } from './uploads';

describe('importFiles', () => {
  beforeEachUploads('uploading');

  it('asks for confirmation before importing a single file that the dataset already has', async () => {
    const uri = uploads.write('a.txt');
    await uploads.importAndSend(uri);
    uploads.answers.push(false);
    assert.equal(await importFiles(uploads.services, { uris: [uri] }), undefined);
    const [asked = ''] = uploads.asked;
    assert.match(asked, /^Import 'uploading\/a.txt' to Manuals\? \[Import\] Unchanged: 6 bytes · uploaded · last upl/);
    assert.match(asked, /\nImporting it again may create a duplicate\.$/);
    assert.deepEqual(await uploads.queued(), []);
    await importFiles(uploads.services, { uris: [uri] });
    assert.deepEqual(await uploads.queued(), ['a.txt']);
  });

  it("lists a folder's files in natural order, in groups such as new, changed and unchanged files", async () => {
    const names = ['same.txt', 'changed.txt', 'rejected.txt', 'lost.txt', 'moved.txt'];
    for (const name of names) uploads.write(`docs/${name}`, name);
    await uploads.importAndSend(uploads.uri('docs'));
    uploads.write('docs/changed.txt', 'another content');
    renameSync(uploads.uri('docs/moved.txt').fsPath, uploads.uri('docs/renamed.txt').fsPath);
    for (const name of ['new 10.txt', 'new 9.txt', '.env.txt']) uploads.write(`docs/${name}`);
    uploads.write('docs/copied.txt', 'same.txt');
    uploads.write('docs/program.exe');
    uploads.lists.push((list) => {
      const rows = rowsOf(list).map((row) => row.replace(/ · (last uploaded |just now).*\)$/, ')'));
      assert.deepEqual(rows, [
        '[x] New (2 · 12 bytes)',
        '[x] uploading/docs/new 9.txt (6 bytes)',
        '[x] uploading/docs/new 10.txt (6 bytes)',
        '[ ] Changed (1 · 15 bytes)',
        '[ ] uploading/docs/changed.txt (15 bytes · still being processed)',
        '[ ] Failed or unconfirmed (1 of 2 selected · 20 bytes)',
        '[ ] uploading/docs/lost.txt (8 bytes · unconfirmed)',
        '[x] uploading/docs/rejected.txt (12 bytes · rejected)',
        '[ ] Unchanged (3 · moved: 1 · 25 bytes)',
        '[ ] uploading/docs/copied.txt (8 bytes · uploaded as uploading/docs/same.txt)',
        '[ ] uploading/docs/renamed.txt (9 bytes · moved from uploading/docs/moved.txt)',
        '[ ] uploading/docs/same.txt (8 bytes · uploaded)',
        '[ ] Needs care (1 · 6 bytes)',
        '[ ] uploading/docs/.env.txt (6 bytes · may contain secrets)',
      ]);
      assert.equal(list.title(), 'Import to Manuals: 3 of 9 (24 bytes)');
      assert.equal(list.placeHolder, 'Select files to import · Not imported: 1');
      return undefined;
    });
    assert.equal(await importFiles(uploads.services, { uris: [uploads.uri('docs')] }), undefined);
    assert.deepEqual(await uploads.queued(), []);
  });

  it('queues only the selected files, counts the skipped files, and names the batch after the folder, even if it contains a link that points outside it', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.exe']) uploads.write(`docs/${name}`);
    symlinkSync(uploads.write('elsewhere/linked.txt', 'linked').fsPath, uploads.uri('docs/link.txt').fsPath);
    await uploads.importAndSend(uploads.write('docs/unchanged.txt', 'unchanged'));
    uploads.lists.push((list) => {
      list.select(rowNamed(list, 'uploading/docs/b.txt'), false);
      return 'accepted';
    });
    await importFiles(uploads.services, { uris: [uploads.uri('docs')] });
    assert.deepEqual(await uploads.queued(), ['a.txt', 'c.txt', 'link.txt']);
    const { batch } = await uploads.own.row('a.txt');
    const page = await uploads.own.store.batchPage(batch ?? 0);
    assert.deepEqual([page?.batch.label, page?.batch.folder], ['docs', uploads.uri('docs').fsPath]);
    assert.deepEqual(page?.runs[0]?.skipped, { 'Not selected': 1, '.exe is not a listed file extension': 1 });
  });

  it('makes a batch of each chosen folder, and later finds new files in all of them', async () => {
    for (const name of ['a/1.txt', 'b/1.txt', 'b/inner/2.txt', 'c.txt']) uploads.write(name, name);
    const uris = ['b/inner', 'c.txt', 'a', 'b'].map((name) => uploads.uri(name));
    await importFiles(uploads.services, { uris });
    const { store, datasets } = uploads.services;
    const batches = await store.groups({ by: 'batch', filter: {} });
    const rows = await store.batches(batches.map(({ value }) => value as number));
    const labels = new Map(rows.map(({ id, label }) => [id, label]));
    const found = (await uploads.rows()).map(({ batch, relativePath: at }) => `${labels.get(batch ?? 0)} ${at}`);
    const wanted = [
      'a uploading/a/1.txt',
      'b uploading/b/1.txt',
      'b uploading/b/inner/2.txt',
      'undefined uploading/c.txt',
    ];
    assert.deepEqual(found.toSorted(), wanted);
    await uploads.send();
    await uploads.report('succeeded');
    uploads.write('a/new.txt');
    const queued = await importChangesOfDataset(uploads.services, datasets.find('Manuals'));
    assert.equal(labels.get(queued?.batch ?? 0), 'a');
    for (const name of ['a/1.txt', 'b/new.txt']) uploads.write(name, 'newer');
    await importChangesOfDataset(uploads.services, datasets.find('Manuals'));
    assert.deepEqual((await uploads.queued()).toSorted(), ['1.txt', 'new.txt', 'new.txt']);
  });

  describe('if datasets were renamed in settings.json', () => {
    const baseUrl = 'https://import.example';
    let uri: Uri;

    function dataset(name: string): Dataset {
      return uploads.datasets.datasets.find(name) ?? assert.fail();
    }

    beforeEach(async () => {
      uri = uploads.write('a.txt');
      await importFiles(uploads.services, { uris: [uri] });
      await uploads.send();
      uploads.asked.splice(0);
    });

    it('asks at each import whether the dataset is new, until the first file is queued', async () => {
      uploads.datasets.setting.set([{ name: 'Handbooks', baseUrl }]);
      await uploads.datasets.keys.set(dataset('Handbooks'), 'a key');
      uploads.answers.push(false);
      for (const name of ['a.txt', 'a.txt', 'b.txt'])
        await importFiles(uploads.services, { uris: [uploads.write(name)], dataset: dataset('Handbooks') });
      const question =
        "Is 'Handbooks' a new dataset? [Use as New Dataset] Files were imported to import.example under another name: 'Manuals'.";
      const asked = uploads.asked.filter((one) => one.startsWith(question)).length;
      const rows = (await uploads.rows()).map(({ dataset, name, state }) => `${dataset} ${name} ${state}`);
      assert.deepEqual(
        [asked, rows.toSorted()],
        [2, ['Handbooks a.txt queued', 'Handbooks b.txt queued', 'Manuals a.txt waiting']],
      );
    });

    it('asks even if a dataset with another base URL has the old name now', async () => {
      uploads.datasets.setting.set([
        { name: 'Old manuals', baseUrl },
        { name: 'Manuals', baseUrl: 'https://new.example' },
      ]);
      uploads.answers.push(false);
      await importFiles(uploads.services, { uris: [uri], dataset: dataset('Old manuals') });
      assert.match(uploads.asked[0] ?? '', /^Is 'Old manuals' a new dataset\?/);
    });

    it('asks where to import a file if the entry of its dataset is invalid now', async () => {
      const { setting, datasets } = uploads.datasets;
      await datasets.setDefault(dataset('Other'));
      // Two entries have the same name.
      setting.set(['https://other.example', baseUrl].map((url) => ({ name: 'Other', baseUrl: url })));
      await importFiles(uploads.services, { uris: [uri] });
      assert.deepEqual(
        [uploads.asked.slice(0, 2), await uploads.queued()],
        [["Import 'uploading/a.txt'", 'Other'], []],
      );
    });
  });

  it('reports a mistake in the settings of the dataset that the file was last imported to', async () => {
    const uri = uploads.write('a.txt');
    const { datasets, setting } = uploads.datasets;
    await importFiles(uploads.services, { uris: [uri], dataset: datasets.find('Other') ?? assert.fail() });
    const [first, other] = setting.read() as object[];
    setting.set([first, { ...other, contract: { fileTask: { mediaType: 7 } } }]);
    const importing = importFiles(uploads.services, { uris: [uri] });
    await assert.rejects(importing, /'contract\.fileTask\.mediaType' is not valid/);
    // The first entry with a name is used.
    setting.set([first, other, other]);
    uploads.picked.push('Other');
    await uploads.send();
    await importFiles(uploads.services, { uris: [uri] });
    assert.deepEqual(await uploads.queued(), ['a.txt']);
  });

  it('lists at most 1,000 files per group or search, and adds one row for the rest', async () => {
    for (let index = 0; index < 1003; index++) uploads.write(`docs/${index}.txt`);
    uploads.lists.push((list) => {
      list.expand?.(rowNamed(list, 'New'));
      assert.equal(list.rows('').length, 1002);
      const found = list.rows('DOCS/100').map(({ label }) => label.trim());
      assert.deepEqual(
        found,
        ['100', '1000', '1001', '1002'].map((name) => `uploading/docs/${name}.txt`),
      );
      for (const row of list.rows('docs')) list.select(row, false);
      assert.equal(list.canAccept(), false);
      list.select(rowNamed(list, '… and 3 more'), true);
      return 'accepted';
    });
    await importFiles(uploads.services, { uris: [uploads.uri('docs')] });
    assert.deepEqual(await uploads.queued(), ['1000.txt', '1001.txt', '1002.txt']);
  });

  it('compares files with each dataset only once, even if the user switches between datasets', async () => {
    uploads.write('docs/a.txt');
    const compared: string[] = [];
    const { store } = uploads.services;
    const known: typeof store.known = (request) => {
      compared.push(request.destination.dataset);
      return store.known(request);
    };
    const counting = Object.assign(Object.create(store), { known });
    for (let index = 0; index < 3; index++) uploads.lists.push(() => 0);
    // The first time the user is asked for a dataset, they don't pick one.
    uploads.picked.push('', 'Other', 'Manuals');
    await importFiles({ ...uploads.services, store: counting }, { uris: [uploads.uri('docs')] });
    const counts = Map.groupBy(compared, (name) => name);
    assert.deepEqual([...counts.keys()], ['Manuals', 'Other']);
    assert.equal(counts.get('Manuals')?.length, counts.get('Other')?.length);
    const receivers = (await uploads.rows()).map(({ dataset }) => dataset);
    assert.deepEqual(receivers, ['Manuals']);
  });

  it('does not send files that the user deselected before opening the list of datasets', async () => {
    for (const name of ['a', 'b', 'c']) uploads.write(`docs/${name}.txt`);
    uploads.lists.push(
      (list) => {
        list.select(rowNamed(list, 'uploading/docs/a.txt'), false);
        return 0;
      },
      () => 0,
    );
    // The first time, the user doesn't pick a dataset.
    uploads.picked.push('', 'Other');
    await importFiles(uploads.services, { uris: [uploads.uri('docs')] });
    const titles = uploads.asked.filter((text) => text.startsWith('Import to '));
    const counts = titles.map((title) => title.replace(/ \(.*/, ''));
    assert.deepEqual(counts, ['Import to Manuals: 3 of 3', 'Import to Manuals: 2 of 3', 'Import to Other: 2 of 3']);
    assert.deepEqual(await uploads.queued(), ['b.txt', 'c.txt']);
  });

  it('shows the list again if the user does not enter an access key for the dataset that they chose instead', async () => {
    const { datasets, keys } = uploads.services;
    await keys.clear(datasets.find('Other') ?? assert.fail());
    uploads.write('docs/a.txt');
    uploads.lists.push(() => 0);
    uploads.picked.push('Other');
    uploads.typed.push(undefined);
    await importFiles(uploads.services, { uris: [uploads.uri('docs')] });
    const receivers = (await uploads.rows()).map(({ dataset }) => dataset);
    assert.deepEqual(receivers, ['Manuals']);
  });

  it('shows the list again if the user does not choose another dataset, even if every file is now selected', async () => {
    const uris = ['old.txt', 'new.txt'].map((name) => uploads.write(name, name));
    await importFiles(uploads.services, { uris: uris.slice(0, 1) });
    await uploads.send();
    uploads.lists.push(
      (list) => {
        list.select(rowNamed(list, 'Unchanged'), true);
        return 0;
      },
      (list) => {
        assert.match(list.title(), /2 of 2/);
        return undefined;
      },
    );
    await importFiles(uploads.services, { uris });
    assert.deepEqual(await uploads.queued(), []);
  });

  it('selects only new files when the user switches to another dataset, even if they selected other files for the first one', async () => {
    uploads.write('docs/a.txt');
    const other = uploads.services.datasets.find('Other') ?? assert.fail();
    await importFiles(uploads.services, { uris: [uploads.uri('docs')], dataset: other });
    await uploads.send();
    uploads.write('docs/b.txt', 'text 2');
    uploads.lists.push((list) => {
      list.select(rowNamed(list, 'New'), false);
      list.select(rowNamed(list, 'New'), true);
      return 0;
    });
    // The files were last imported to Other, so the import starts by asking for a dataset.
    uploads.picked.push('Manuals', 'Other');
    uploads.asked.length = 0;
    await importFiles(uploads.services, { uris: [uploads.uri('docs')] });
    assert.deepEqual(await uploads.queued(), ['b.txt']);
  });

  it('skips and counts files that another window queues while the list is open', async () => {
    for (const name of ['a.txt', 'b.txt']) uploads.write(`docs/${name}`);
    const { services } = uploads;
    let other: Promise<unknown> | undefined;
    uploads.lists.push(() => {
      other = importFiles(services, { uris: [uploads.uri('docs/a.txt')] });
      return 'accepted';
    });
    const queue = async (request: QueueRequest) => {
      if (request.files.length > 1) await other;
      return services.store.queue(request);
    };
    const serving = { queue } as unknown as typeof services.serving;
    const started = await importFiles({ ...services, serving }, { uris: [uploads.uri('docs')] });
    assert.deepEqual(started?.imports.map((one) => one === null).toSorted(), [false, true]);
    assert.deepEqual(await uploads.queued(), ['a.txt', 'b.txt']);
    const page = await services.store.batchPage(started?.batch ?? 0);
    assert.deepEqual(page?.runs[0]?.skipped, { 'Already being imported': 1 });
  });

  it('skips files that look binary unless the user selects them, and lists files that cannot be imported', async () => {
    uploads.write('docs/a.txt', 'text');
    uploads.write('docs/binary.txt', Buffer.from('a\0b'));
    uploads.write('docs/utf16.txt', Buffer.from('text without a mark', 'utf16le'));
    uploads.write('docs/nuls.log', Buffer.from('\0\0\0a log'));
    uploads.write('docs/empty.txt', '');
    uploads.lists.push((list) => {
      assert.ok(rowsOf(list).includes("[ ] uploading/docs/binary.txt (3 bytes · doesn't look like text)"));
      list.select(rowNamed(list, 'Needs care'), true);
      return 1;
    });
    await importFiles(uploads.services, { uris: [uploads.uri('docs')] });
    assert.deepEqual(uploads.asked.slice(1, 4), ['Not Imported', 'Cannot be imported: 1', "'empty.txt' is empty."]);
    assert.deepEqual(await uploads.queued(), ['a.txt', 'binary.txt', 'nuls.log', 'utf16.txt']);
  });

  it('reports why nothing can be imported', async () => {
    const empty = importFiles(uploads.services, { uris: [uploads.write('empty.txt', '')] });
    await assert.rejects(empty, /Nothing was imported\. 'empty\.txt' is empty\./);
    uploads.write('docs/program.exe');
    const folder = importFiles(uploads.services, { uris: [uploads.uri('docs')] });
    await assert.rejects(
      folder,
      /There are no files to import in 'docs'\. Skipped: \.exe is not a listed file extension \(1\)\./,
    );
    const uris = [uploads.write('a.txt')];
    await importFiles(uploads.services, { uris });
    await assert.rejects(importFiles(uploads.services, { uris }), /'a\.txt' is already being imported\./);
  });

  it('reports that there is nothing new to import, lists deleted files, and updates the rows of renamed files', async () => {
    for (const name of ['same', 'before', 'deleted']) uploads.write(`docs/${name}.txt`, name);
    await uploads.importAndSend(uploads.uri('docs'));
    renameSync(uploads.uri('docs/before.txt').fsPath, uploads.uri('docs/after.txt').fsPath);
    rmSync(uploads.uri('docs/deleted.txt').fsPath);
    const started = await importFiles(uploads.services, { uris: [uploads.uri('docs')], onlyChanges: true });
    assert.deepEqual([started, uploads.asked], [undefined, []]);
    const messages = uploads.shown.map(({ message }) => message);
    assert.deepEqual(messages, [
      'There is nothing new to import to Manuals. Deleted or renamed: uploading/docs/deleted.txt',
    ]);
    const names = (await uploads.rows()).map(({ name }) => name);
    assert.deepEqual(names, ['after.txt', 'deleted.txt', 'same.txt']);
    uploads.lists.push((list) => {
      assert.equal(list.placeHolder, 'Deleted or renamed: uploading/docs/deleted.txt · Select files to import');
      return undefined;
    });
    await uploads.shown[0]?.actions[0]?.run();
    assert.deepEqual(uploads.asked, ['Import to Manuals: 0 of 2 (0 bytes)']);
  });

  it('keeps one row for a reimported file in a virtual workspace', async () => {
    using memory = new MemoryFiles({ '/notes/a.txt': 'text' });
    const uris = [memory.uri('/notes/a.txt')];
    await importFiles(uploads.services, { uris });
    const [queued] = await uploads.rows();
    await uploads.own.store.end(accepted(await uploads.own.begin(queued?.import.id ?? 0), 'task'));
    await importFiles(uploads.services, { uris });
    const rows = await uploads.rows();
    assert.deepEqual([rows.length, rows[0]?.state, rows[0]?.id], [1, 'queued', queued?.id]);
  });

  it('asks which dataset to use if the file was last imported to a dataset other than the default', async () => {
    const { services } = uploads;
    const [uri, dataset] = [uploads.write('a.txt'), services.datasets.find('Other')];
    if (dataset) await importFiles(services, { uris: [uri], dataset });
    uploads.picked.push('Manuals');
    const started = await importFiles(services, { uris: [uri] });
    const datasets = (await uploads.rows()).map((row) => row.dataset);
    assert.deepEqual([uploads.asked[0], datasets], ["Import 'uploading/a.txt'", ['Other', 'Manuals']]);
    assert.equal(started?.imports.length, 1);
    uploads.asked.splice(0);
    await assert.rejects(importFiles(services, { uris: [uri] }), /is already being imported/);
    assert.deepEqual(uploads.asked, []);
    using memory = new MemoryFiles({ '/notes/b.txt': 'text' });
    const virtual = [memory.uri('/notes/b.txt')];
    if (dataset) await importFiles(services, { uris: virtual, dataset });
    assert.equal(await importFiles(services, { uris: virtual }), undefined);
    assert.equal(uploads.asked[0], "Import 'notes/b.txt'");
  });

  it('does not queue the same text twice, and asks before importing a text that may already be there', async () => {
    const { services } = uploads;
    const chosen = { texts: [{ name: 'lost.md', bytes: Buffer.from('text') }] };
    await importFiles(services, chosen);
    uploads.answers.push(false);
    await importFiles(services, chosen);
    assert.match(uploads.asked.at(-1) ?? '', /Unchanged: 4 bytes · queued\n.*may create a duplicate/);
    const [queued] = await uploads.rows();
    await uploads.own.store.end(unconfirmed(await uploads.own.begin(queued?.import.id ?? 0)));
    uploads.answers.push(false);
    await importFiles(services, chosen);
    assert.match(uploads.asked.at(-1) ?? '', /Failed or unconfirmed: 4 bytes · unconfirmed\n.*may create a duplicate/);
    assert.deepEqual(await uploads.queued(), []);
  });

  it('queues a few new files without showing a list, and returns their imports', async () => {
    const uris = ['a.txt', 'b.txt'].map((name) => uploads.write(name, name));
    const started = await importFiles(uploads.services, { uris });
    assert.deepEqual([uploads.asked, await uploads.queued()], [[], ['a.txt', 'b.txt']]);
    const imports = (await uploads.rows()).map((row) => row.import.id);
    assert.deepEqual(imports, started?.imports);
  });

  it('reports how many files need attention, even if there is nothing new to import', async () => {
    for (const name of ['same.txt', 'rejected.txt', 'lost.txt']) uploads.write(`docs/${name}`, name);
    await uploads.importAndSend(uploads.uri('docs'));
    // Change a file back to an older version.
    for (const version of ['one', 'another']) await uploads.importAndSend(uploads.write('docs/back.txt', version));
    await uploads.report('succeeded');
    uploads.write('docs/back.txt', 'one');
    uploads.write('docs/.env.txt');
    uploads.write('docs/empty.txt', '');
    using memory = new MemoryFiles({ '/notes/unreadable/a.txt': 'text' });
    memory.unreadable.add('/notes/unreadable');
    const uris = [uploads.uri('docs'), memory.uri('/notes')];
    await importFiles(uploads.services, { uris, onlyChanges: true });
    const messages = uploads.shown.map(({ message }) => message);
    assert.deepEqual(messages, [
      'Nothing was imported. Changed: 1. Failed or unconfirmed: 2. Needs care: 1. Cannot be imported: 2.',
    ]);
  });
});
