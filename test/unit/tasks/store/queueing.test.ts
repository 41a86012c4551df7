import assert from 'node:assert/strict';
import { fileOf, filesOf, MANUALS, rejected, requestOf } from './storeRequests';
import { a, acceptedOne, b, beforeEachPair, beginOne, rowNamed, windows } from './storeWindows';

describe('The task store', () => {
  beforeEachPair();

  it("returns the same result if a request is retried, and doesn't queue anything twice", async () => {
    const text = fileOf('note', { path: null, textFile: 'text-1' });
    await b.queue(requestOf('other', [fileOf('3')]));
    const facts = { skipped: { importing: 2, empty: 1 }, importingReason: 'importing' };
    const request = requestOf('r', [fileOf('1'), fileOf('2'), text, fileOf('3')], facts);
    const first = await a.queue(request);
    assert.deepEqual(await a.queue(request), first);
    assert.equal(windows.sql('SELECT * FROM imports').length, 4);
    const [run] = windows.sql("SELECT skipped FROM runs WHERE id = 'r'");
    assert.equal(run?.['skipped'], '{"importing":3,"empty":1}');
  });

  it('skips a file that another window has queued since the user reviewed it', async () => {
    // In both windows, the user reviewed the file before it had a row.
    const first = await a.queue(requestOf('a', [fileOf('1'), fileOf('2')]));
    const second = await b.queue(requestOf('b', [fileOf('2'), fileOf('3')]));
    assert.deepEqual(first.imports, [1, 2]);
    assert.deepEqual(second.imports, [null, 3]);
    assert.equal(windows.sql('SELECT * FROM imports').length, 3);
    windows.checkRows();
  });

  it("skips a file if its row has an import that the user hasn't seen, even if that import has ended", async () => {
    const { import: id } = await acceptedOne(a, '1');
    assert.deepEqual((await b.queue(requestOf('b', [fileOf('1')]))).imports, [null]);
    assert.notEqual((await b.queue(requestOf('c', [fileOf('1', { seen: id })]))).imports[0], null);
    assert.equal((await rowNamed(b, '1')).state, 'queued');
  });

  it('skips a file that is still being imported, even if the user has seen that import', async () => {
    const { imports } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const [one = null, two = null] = imports;
    await a.begin([{ import: two ?? 0, attempt: a.attempt('2') }]);
    const again = requestOf('again', [fileOf('1', { seen: one }), fileOf('2', { seen: two })]);
    assert.deepEqual((await b.queue(again)).imports, [null, null]);
    windows.checkRows();
  });

  it('queues a file only once if a request lists it twice', async () => {
    const { imports } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2'), fileOf('1')]));
    assert.deepEqual(imports, [1, 2, 1]);
    windows.checkRows();
  });

  it('remembers when a file was last uploaded successfully, even if a later import fails', async () => {
    const first = await acceptedOne(a, '1');
    const uploadedMs = windows.clock.now();
    windows.clock.advance(1000);
    const second = await beginOne(a, '1', { seen: first.import, attempt: 'again' });
    const cause = { name: 'SourceError', reason: 'missing' };
    await a.end({ attempt: second.attempt, outcome: 'notUploaded', cause, sentBytes: 0, brake: 0 });
    const row = await rowNamed(a, '1');
    assert.deepEqual(
      [row.state, row.lastUploadedMs, row.reason],
      ['notUploaded', uploadedMs, 'notUploaded SourceError missing'],
    );
    windows.checkRows();
  });

  it('restores a removed row when its file is imported again', async () => {
    const { import: id } = await acceptedOne(a, '1');
    const before = await rowNamed(a, '1');
    const { removedMs } = await a.remove({});
    await a.queue(requestOf('again', [fileOf('1', { seen: id })]));
    assert.equal((await rowNamed(a, '1')).id, before.id);
    assert.equal(await a.undo(removedMs), 0);
  });

  it('adds files to the batch of the outermost imported folder that contains them', async () => {
    const inner = { label: 'b', folder: '/notes/b' };
    const outer = { label: 'notes', folder: '/notes' };
    const fileB = (seen: number | null) => fileOf('b/1', { seen });
    const first = await a.queue(requestOf('1', [fileB(null)], { batch: inner }));
    assert.equal((await a.queue(requestOf('2', [fileOf('b/2')], { batch: inner }))).batch, first.batch);
    await a.cancel({});
    const all = await a.queue(requestOf('3', [fileB(first.imports[0] ?? 0), fileOf('c')], { batch: outer }));
    assert.notEqual(all.batch, first.batch);
    assert.equal((await rowNamed(a, 'b/1')).batch, all.batch);
    // A new import of the inner folder is added to the outer folder's batch.
    assert.equal((await a.queue(requestOf('4', [fileOf('b/3')], { batch: inner }))).batch, all.batch);
    const dots = await a.queue(requestOf('dots', [fileOf('..c/1')], { batch: { label: '..c', folder: '/notes/..c' } }));
    assert.equal(dots.batch, all.batch);
    const chosen = { label: 'chosen', folder: null };
    const outside = (name: string) => fileOf(name, { path: `/other/${name}` });
    const one = await a.queue(requestOf('5', [fileOf('d'), outside('x')], { batch: chosen }));
    assert.equal((await rowNamed(a, 'd')).batch, all.batch);
    assert.equal((await rowNamed(a, 'x')).batch, one.batch);
    const other = await a.queue(requestOf('6', [outside('z')], { batch: chosen }));
    assert.notEqual(one.batch, other.batch);
    assert.equal((await a.queue(requestOf('7', [fileOf('e'), fileOf('f')], { batch: chosen }))).batch, all.batch);
  });

  it('adds files that already have a batch to that batch, and creates a batch only if there is a new file', async () => {
    const chosen = { label: 'chosen', folder: null };
    const one = await a.queue(requestOf('1', [fileOf('x'), fileOf('y')], { batch: chosen }));
    const other = await a.queue(requestOf('2', [fileOf('z'), fileOf('w')], { batch: chosen }));
    await a.cancel({});
    const [x, y, z] = ['x', 'y', 'z'].map((name, index) =>
      fileOf(name, { seen: [...one.imports, ...other.imports][index] ?? 0 }),
    );
    assert.ok(x && y && z);
    assert.equal((await a.queue(requestOf('3', [x], { batch: chosen }))).batch, one.batch);
    assert.equal((await a.queue(requestOf('4', [y, z], { batch: chosen }))).batch, one.batch);
    const added = await a.queue(requestOf('5', [y, fileOf('new')], { batch: chosen }));
    assert.equal((await rowNamed(a, 'new')).batch, added.batch);
  });

  it('keeps the batches of files from several folders that are chosen together', async () => {
    const batches = ['b', 'c'].map((label) => ({ label, folder: `/notes/${label}` }));
    const queued = [];
    for (const batch of batches)
      queued.push(await a.queue(requestOf(batch.label, [fileOf(`${batch.label}/1`)], { batch })));
    await a.cancel({});
    const again = queued.map(({ imports }, index) => fileOf(['b/1', 'c/1'][index] ?? '', { seen: imports[0] ?? null }));
    await a.queue(requestOf('again', again, { batch: { label: 'chosen', folder: null } }));
    for (const [index, name] of ['b/1', 'c/1'].entries())
      assert.equal((await rowNamed(a, name)).batch, queued[index]?.batch);
  });

  it('adds another run to a batch when one of its files is imported again', async () => {
    const chosen = { label: 'chosen', folder: null };
    const { batch, imports } = await a.queue(requestOf('1', [fileOf('x'), fileOf('y')], { batch: chosen }));
    await a.cancel({});
    const seen = fileOf('x', { seen: imports[0] ?? 0 });
    assert.equal((await a.queue(requestOf('2', [seen], { batch }))).batch, batch);
    assert.equal((await a.batchPage(batch ?? 0))?.runs.map(({ id }) => id).join(), '1,2');
    assert.equal((await a.details((await rowNamed(a, 'x')).id))?.imports.map(({ run }) => run).join(), '2,1');
  });

  it('skips a file that was renamed after the user selected its row', async () => {
    const { attempt, import: id } = await beginOne(a, 'old');
    await a.end(rejected(attempt));
    const { id: row } = await rowNamed(a, 'old');
    const to = { path: '/notes/new', name: 'new', relativePath: 'notes/new' };
    await b.move({ destination: MANUALS, files: [{ from: '/notes/old', ...to }] });
    assert.deepEqual((await a.queue(requestOf('again', [fileOf('old', { row, seen: id })]))).imports, [null]);
    assert.equal((await rowNamed(a, 'new')).id, row);
    windows.checkRows();
  });

  it('reuses the row and continues its history when the same piece of text is imported again', async () => {
    const text = fileOf('note', { path: null, textFile: 'text-1' });
    const { attempt, import: id } = await beginOne(a, 'note', text);
    await a.end(rejected(attempt));
    const before = await rowNamed(a, 'note');
    assert.equal(before.textFile, 'text-1');
    const request = requestOf('again', [{ ...text, row: before.id, seen: id }]);
    const again = await a.queue(request);
    assert.deepEqual(await a.queue(request), again);
    const after = await rowNamed(a, 'note');
    assert.deepEqual([after.id, after.state, after.import.id], [before.id, 'queued', again.imports[0]]);
    assert.equal((await a.details(after.id))?.imports.map(({ outcome }) => outcome).join(), 'queued,rejected');
    windows.checkRows();
  });

  it('can finish a small request while a large one is still in progress', async () => {
    const files = filesOf(...Array(2500).keys());
    const order: string[] = [];
    const large = a.queue(requestOf('large', files)).then((result) => order.push(`large ${result.imports.length}`));
    const small = a.queue(requestOf('small', [fileOf('single')])).then(() => order.push('small'));
    await Promise.all([large, small]);
    assert.deepEqual(order, ['small', 'large 2500']);
    windows.checkRows();
  });
});
