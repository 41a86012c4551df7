import assert from 'node:assert/strict';
import type { Filter } from '../../../../src/tasks/store/model';
import {
  accepted,
  contentOf,
  fileOf,
  filesOf,
  MANUALS,
  rejected,
  reportTask,
  requestOf,
  taskIdOf,
  unconfirmed,
} from './storeRequests';
import { a, acceptedOne, b, beforeEachPair, beginOne, namesIn, rowNamed, serve, windows } from './storeWindows';

describe('The task store', () => {
  beforeEachPair();

  it('deletes removed rows after an hour and finished rows after 90 days, but remembers their uploads', async () => {
    const idOf = async (name: string) => (await rowNamed(a, name)).id;
    const first = await acceptedOne(a, '1');
    await reportTask(a, first.import, taskIdOf('t-1'), { meaning: 'succeeded', status: 'DONE' });
    const again = await beginOne(a, '1', { seen: first.import, attempt: 'again' });
    await a.end(accepted(again.attempt, 't-1b', { content: contentOf('sha-1') }));
    await a.end(rejected((await beginOne(a, '2')).attempt));
    await acceptedOne(a, '3');
    const batch = { label: 'docs', folder: '/notes/docs' };
    const { imports } = await a.queue(requestOf('docs', [fileOf('docs/a')], { batch }));
    await a.begin([{ import: imports[0] ?? 0, attempt: 'A docs' }]);
    await a.end(accepted('A docs'));
    await a.end(unconfirmed((await beginOne(a, '4')).attempt));
    const text = { path: null, textFile: 'text', sha256: 'sha-text' };
    await a.end(unconfirmed((await beginOne(a, 'text', text)).attempt));
    await a.remove({ files: [await idOf('1'), await idOf('4'), await idOf('text'), await idOf('docs/a')] });
    await acceptedOne(a, 'last');
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 0);
    windows.clock.advance(3_600_000);
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 3);
    windows.clock.advance(90 * 24 * 3_600_000);
    // Only the rejected row has finished. The other rows still need status checks.
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 1);
    assert.deepEqual(await namesIn(a), ['3', 'last']);
    assert.deepEqual(await a.knownFolders(MANUALS), ['/notes/docs']);
    // A removed file that may have been uploaded is still known.
    const removed = await a.known({ destination: MANUALS, paths: ['/notes/4'] });
    assert.equal(removed.files[0]?.row?.state, 'unconfirmed');
    const contents = [{ sizeBytes: 12, sha256: 'sha-text' }];
    const known = { destination: MANUALS, paths: [], contents };
    assert.equal((await a.known(known)).contents[0]?.outcome, 'unconfirmed');
    const { files } = await a.known({ destination: MANUALS, paths: ['/notes/1', '/notes/2', '/notes/3'] });
    assert.deepEqual(
      files.map(({ path, row, uploaded }) => [path, row === null, uploaded?.sha256]),
      [
        ['/notes/1', true, 'sha-1'],
        ['/notes/3', false, 'sha-3'],
      ],
    );
    // One upload is still remembered for each combination of path and content.
    assert.equal(windows.sql("SELECT * FROM imports WHERE path = '/notes/1'").length, 1);
    for (const table of ['tasks', 'responses']) assert.equal(windows.sql(`SELECT * FROM ${table}`).length, 2);
    const to = { path: '/notes/new', name: 'new', relativePath: 'notes/new' };
    assert.deepEqual(await a.move({ destination: MANUALS, files: [{ from: '/notes/1', ...to }] }), []);
    const moved = await a.known({ destination: MANUALS, paths: ['/notes/1', '/notes/new'] });
    assert.equal(moved.files.map((file) => file.path).join(), '/notes/new');
    windows.checkRows();
  });

  it("keeps a run's rows until all of its imports have ended, so that its totals stay correct", async () => {
    const { imports } = await a.queue(requestOf('r', filesOf(1, 2, 3, 4)));
    await a.begin(imports.slice(1).map((id) => ({ import: id ?? 0, attempt: a.attempt(`${id}`) })));
    for (const id of imports.slice(1)) await a.end(rejected(a.attempt(`${id}`)));
    await a.end(rejected((await beginOne(a, '3', { seen: imports[2] ?? 0, attempt: 'again' })).attempt));
    await a.remove({ files: [(await rowNamed(a, '2')).id] });
    windows.clock.advance(3_600_000);
    assert.equal(await a.clear({ days: 90, rows: 1 }), 0);
    assert.deepEqual(await a.progress(null), { ended: 3, total: 4 });
    await a.cancel({});
    assert.deepEqual((await a.announce([1])).runs[0]?.sums, { rejected: 3, notUploaded: 1 });
    assert.equal(await a.clear({ days: 90, rows: 1 }), 3);
  });

  it("keeps the totals of a batch's runs until all rows of the batch are deleted", async () => {
    await a.queue(requestOf('before', filesOf(3), { batch: { label: 'notes', folder: '/notes' } }));
    const before = a.attempt('before');
    await a.begin([{ import: 1, attempt: before }]);
    await a.end(accepted(before, 't0', { content: contentOf('sha-0') }));
    const { imports, batch } = await a.queue(requestOf('r', filesOf(1, 2)));
    await a.begin(imports.map((id) => ({ import: id ?? 0, attempt: a.attempt(`${id}`) })));
    await a.end(accepted(a.attempt(`${imports[0]}`), 't', { content: contentOf('sha-1') }));
    await a.end(rejected(a.attempt(`${imports[1]}`)));
    // If the clock is set back during a run, the chart shows its files in the first time slice.
    windows.sql('UPDATE runs SET began_ms = began_ms + 2000 RETURNING id');
    assert.equal((await a.batchPage(batch ?? 0))?.course.uploaded.at(-1), 1);
    await a.queue(requestOf('nothing new', filesOf(1, 2)));
    const clear = async (filter: Filter) => {
      await a.remove(filter);
      const name = `later ${Object.keys(filter)}`;
      await a.queue(requestOf(name, [fileOf(name, { path: `/elsewhere/${name}` })]));
      windows.clock.advance(3 * 3_600_000);
      await a.clear({ days: 90, rows: 1000 });
    };
    await clear({ states: ['waiting'] });
    const page = await a.batchPage(batch ?? 0);
    const sums = page?.runs.map((run) => run.sums);
    assert.deepEqual([sums, page?.course.uploaded.at(-1)], [[{ accepted: 1 }, { accepted: 1, rejected: 1 }], 0]);
    await clear({});
    const runs = windows.sql("SELECT * FROM runs WHERE id IN ('before', 'r')");
    assert.deepEqual([runs, await a.knownFolders(MANUALS)], [[], ['/notes']]);
    await acceptedOne(a, 'forgotten');
    assert.equal((await a.batches([batch ?? 0]))[0]?.beganMs, windows.clock.now());
    await a.forget(MANUALS);
    await clear({ text: 'forgotten' });
    assert.deepEqual(windows.sql("SELECT path FROM imports WHERE path LIKE '/notes%'"), []);
  });

  it('deletes all imports of a text with its row', async () => {
    const text = { path: null, textFile: 'text' };
    await a.end(rejected((await beginOne(a, 'text', text)).attempt));
    const row = await rowNamed(a, 'text');
    const again = await beginOne(a, 'text', { ...text, seen: row.import.id, row: row.id, attempt: 'again' });
    await a.end(rejected(again.attempt));
    await a.remove({});
    await acceptedOne(a, 'last');
    windows.clock.advance(3_600_000);
    await a.clear({ days: 90, rows: 1000 });
    assert.equal(windows.sql('SELECT * FROM imports').length, 1);
  });

  it('deletes the oldest finished rows if there are too many rows, even if others ended at the same time', async () => {
    for (const name of ['1', '2', '3', '4']) {
      await a.end(rejected((await beginOne(a, name)).attempt));
      if (name === '2') windows.clock.advance(10);
    }
    assert.equal(await a.clear({ days: Number.POSITIVE_INFINITY, rows: 3 }), 1);
    assert.deepEqual(await namesIn(a), ['2', '3', '4']);
  });

  it("updates a moved file's row and upload history, unless the file is being imported or its new path already has a row", async () => {
    for (const name of ['old', 'other']) await acceptedOne(a, name);
    await a.queue(requestOf('r', [fileOf('queued')]));
    const to = (name: string) => ({ path: `/notes/${name}`, name, relativePath: `notes/${name}` });
    const files = [
      { from: '/notes/old', ...to('new') },
      { from: '/notes/other', ...to('new') },
      { from: '/notes/queued', ...to('later') },
    ];
    assert.deepEqual(await a.move({ destination: MANUALS, files }), ['/notes/new']);
    const moved = await rowNamed(a, 'new');
    assert.deepEqual([moved.path, moved.relativePath], ['/notes/new', 'notes/new']);
    const { files: known } = await a.known({ destination: MANUALS, paths: ['/notes/old', '/notes/new'] });
    const uploads = known.map(({ path, uploaded }) => [path, uploaded?.sha256]);
    assert.deepEqual(uploads, [['/notes/new', 'sha-old']]);
    const events = (await a.details(moved.id))?.events.map(({ event }) => event) ?? [];
    assert.deepEqual(events.at(-1), { kind: 'renamed', from: 'notes/old' });
    await rowNamed(a, 'other');
    await rowNamed(a, 'queued');
  });

  it('remembers the upload of a text after its row is deleted, even if the same text failed later', async () => {
    const contents = [{ sizeBytes: 12, sha256: 'sha-text' }];
    for (const [name, meaning] of [
      ['first', 'succeeded'],
      ['later', 'failed'],
    ] as const) {
      const { attempt, import: id } = await beginOne(a, name, { path: null, textFile: name });
      await a.end(accepted(attempt, name, { content: contentOf('sha-text') }));
      await reportTask(a, id, taskIdOf(name), { meaning });
    }
    await a.remove({ files: [(await rowNamed(a, 'first')).id] });
    await acceptedOne(a, 'last');
    windows.clock.advance(3_600_000);
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 1);
    assert.equal((await a.known({ destination: MANUALS, paths: [], contents })).contents.length, 1);
  });

  it('does not count content as uploaded if its task failed, even after the row is deleted', async () => {
    const failed = await acceptedOne(a, 'failed');
    await reportTask(a, failed.import, taskIdOf('t-failed'), { meaning: 'failed', status: 'BAD' });
    const request = {
      destination: MANUALS,
      paths: ['/notes/failed'],
      contents: [{ sizeBytes: 12, sha256: 'sha-failed' }],
    };
    const before = await a.known(request);
    assert.deepEqual([before.files[0]?.row?.state, before.files[0]?.uploaded, before.contents], ['failed', null, []]);
    await a.end(rejected((await beginOne(a, 'failed', { seen: failed.import, attempt: 'again' })).attempt));
    assert.equal((await rowNamed(a, 'failed')).lastUploadedMs, null);
    windows.clock.advance(1);
    await acceptedOne(a, 'last');
    assert.equal(await a.clear({ days: 90, rows: 0 }), 1);
    const after = await a.known(request);
    assert.deepEqual([after.files, after.contents], [[], []]);
  });

  it('still counts content as uploaded if one of its tasks failed and another was never checked', async () => {
    await reportTask(a, (await acceptedOne(a, '1', ['t1', 't2'])).import, taskIdOf('t1'), { meaning: 'failed' });
    const contents = [{ sizeBytes: 12, sha256: 'sha-1' }];
    assert.equal((await a.known({ destination: MANUALS, paths: [], contents })).contents.length, 1);
  });

  it('finds the dataset used for the most recent import of any of the given files', async () => {
    assert.equal(await a.lastDataset(['/notes/one']), null);
    for (const dataset of ['Manuals', 'Other', 'Elsewhere']) {
      const name = dataset === 'Elsewhere' ? 'two' : 'one';
      await a.queue(requestOf(dataset, [fileOf(name)], { destination: { ...MANUALS, dataset } }));
    }
    assert.equal(await a.lastDataset(['/notes/one', '/notes/three']), 'Other');
    assert.equal(await a.lastDataset(['/notes/one', '/notes/two']), 'Elsewhere');
  });

  it('updates the stored modification time of the last upload that did not fail', async () => {
    const noteTime = async (modifiedMs: number) => {
      await a.noteTimes({ destination: MANUALS, times: [{ path: '/notes/one', modifiedMs }] });
      return (await a.known({ destination: MANUALS, paths: ['/notes/one'] })).files[0];
    };
    const first = await acceptedOne(a, 'one');
    const noted = await noteTime(66);
    assert.deepEqual([noted?.uploaded?.modifiedMs, noted?.row?.modifiedMs], [66, 66]);
    const second = await beginOne(a, 'one', { seen: first.import, attempt: 'second' });
    await a.end(accepted(second.attempt, 't2', { content: contentOf('other') }));
    await reportTask(a, second.import, taskIdOf('t2'), { meaning: 'failed' });
    const { uploaded } = (await noteTime(77)) ?? {};
    assert.deepEqual([uploaded?.sha256, uploaded?.modifiedMs], ['sha-one', 77]);
  });

  it("forgets a destination's uploads, including earlier unconfirmed ones, but keeps its rows", async () => {
    const lost = await beginOne(a, '1');
    await a.end(unconfirmed(lost.attempt, { content: contentOf('sha-lost') }));
    const again = await beginOne(a, '1', { seen: lost.import, attempt: 'again' });
    await a.end(accepted(again.attempt, 't-1', { content: contentOf('sha-1') }));
    const request = {
      destination: MANUALS,
      paths: ['/notes/1'],
      sizes: [12, 13],
      contents: ['sha-lost', 'sha-1'].map((sha256) => ({ sizeBytes: 12, sha256 })),
    };
    const before = await a.known(request);
    assert.deepEqual([before.sizes, before.contents.map(({ sha256 }) => sha256)], [[12], ['sha-lost', 'sha-1']]);
    assert.equal(await a.forget({ ...MANUALS, dataset: 'Other' }), 0);
    assert.equal(await a.forget({ ...MANUALS, origin: 'https://moved.example' }), 0);
    assert.equal(await a.forget(MANUALS), 2);
    const after = await a.known(request);
    assert.deepEqual([after.sizes, after.contents, after.files[0]?.uploaded], [[], [], null]);
    const row = await rowNamed(a, '1');
    assert.deepEqual([row.state, row.import.sizeBytes], ['waiting', 12]);
    // If this import is canceled, the row goes back to the unconfirmed import.
    const unsure = await beginOne(a, '2');
    await a.end(unconfirmed(unsure.attempt, { content: contentOf('sha-2') }));
    await a.queue(requestOf('r', [fileOf('2', { seen: unsure.import })]));
    assert.equal(await a.forget(MANUALS), 0);
    await a.cancel({});
    assert.equal((await rowNamed(a, '2')).import.sha256, 'sha-2');
  });

  it('lists the paths of uploaded files in all folders or in one folder', async () => {
    for (const name of ['1', 'b/2', 'b-c/3']) await acceptedOne(a, name);
    const paths = (folder: string | null, after = '') =>
      a.knownPaths({ destination: MANUALS, folder, after, limit: 9 });
    assert.deepEqual(await paths(null), ['/notes/1', '/notes/b-c/3', '/notes/b/2']);
    assert.deepEqual(await paths('/notes/b'), ['/notes/b/2']);
    assert.deepEqual(await paths('/notes', '/notes/1'), ['/notes/b-c/3', '/notes/b/2']);
  });

  it('renames a dataset unless files are being uploaded to it or other rows already use the new name', async () => {
    const rename = (from: string, to: string) => b.rename({ from, to });
    await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    assert.equal(await rename('Manuals', 'Handbooks'), 'busy');
    await a.leave(null);
    assert.equal(await rename('Manuals', 'Old manuals'), 'renamed');
    assert.equal(await rename('Old manuals', 'Manuals'), 'renamed');
    await serve(a, { able: [MANUALS], checking: [] });
    await b.cancel({ files: [2] });
    const attempt = a.attempt('1');
    await a.begin([{ import: 1, attempt }]);
    await a.end(accepted(attempt, 't'));
    const { version } = await a.changesSince({ version: -1, shown: [] });
    assert.equal(await rename('Manuals', 'Handbooks'), 'renamed');
    assert.notEqual((await a.changesSince({ version, shown: [] })).version, version);
    await b.remove({});
    const renamed = { ...MANUALS, dataset: 'Handbooks' };
    assert.deepEqual((await serve(a, { able: [renamed], checking: [renamed] })).held, [1]);
    // Even rows that were removed from the list have the dataset's new name.
    await a.queue(requestOf('other', [fileOf('1')]));
    await b.cancel({});
    assert.equal(await rename('Manuals', 'Handbooks'), 'taken');
    assert.equal(await rename('Handbooks', 'Guides'), 'renamed');
    assert.equal(await rename('Manuals', 'Handbooks'), 'renamed');
    // Even after the dataset is renamed, new files in the folder are added to the existing batch.
    const guides = { destination: { ...MANUALS, dataset: 'Guides' } };
    assert.equal((await a.queue(requestOf('again', [fileOf('3'), fileOf('4')], guides))).batch, 1);
  });
});
