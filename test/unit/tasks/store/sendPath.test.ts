import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { MIGRATIONS } from '../../../../src/tasks/store/schema';
import { accepted, contentOf, fileOf, filesOf, MANUALS, rejected, requestOf, unconfirmed } from './storeRequests';
import { a, b, beforeEachPair, beginOne, CLOSED_PID, rowNamed, serve, type TestWindow, windows } from './storeWindows';

describe('The task store', () => {
  beforeEachPair();

  it('marks an import as sending only for the window that holds the lease, and keeps the hash of its file', async () => {
    const { imports } = await a.queue(requestOf('r', [fileOf('one.txt')]));
    const id = imports[0] ?? 0;
    assert.deepEqual(await b.begin([{ import: id, attempt: b.attempt('1') }]), []);
    const upload = { import: id, attempt: a.attempt('1'), content: contentOf('aa') };
    assert.deepEqual(await a.begin([upload]), [upload.attempt]);
    await a.end(accepted(upload.attempt, 't1'));
    assert.equal((await rowNamed(b, 'one.txt')).import.sha256, 'aa');
  });

  it('marks an import as sending only once, but accepts a retry of the same call', async () => {
    const { import: id, attempt } = await beginOne(a, 'one.txt');
    assert.deepEqual(await a.begin([{ import: id, attempt: a.attempt('other') }]), []);
    assert.deepEqual(await a.begin([{ import: id, attempt }]), [attempt]);
    await a.end(accepted(attempt, 't1'));
    assert.deepEqual(await a.begin([{ import: id, attempt }]), []);
  });

  it('ignores an attempt that belongs to another import or another window', async () => {
    const { import: one, attempt } = await beginOne(a, '1');
    assert.deepEqual(await a.begin([{ import: (await beginOne(a, '2')).import, attempt }]), []);
    const { imports } = await a.queue(requestOf('r', [fileOf('3')]));
    assert.deepEqual(await a.begin([{ import: imports[0] ?? 0, attempt: b.attempt('3') }]), []);
    assert.equal((await rowNamed(a, '3')).state, 'queued');
    // Only the window that made the attempt can know that nothing was sent.
    assert.deepEqual(await b.putBack([{ attempt, tried: false }]), [null]);
    assert.equal((await rowNamed(a, '1')).import.id, one);
    assert.equal((await rowNamed(a, '1')).state, 'sending');
  });

  it('accepts a retried begin() call even while a window running a newer version is waiting to migrate the database', async () => {
    const { import: id, attempt } = await beginOne(a, '1');
    const updated = windows.open('New', { migrations: [...MIGRATIONS, 'SELECT 1'] });
    await assert.rejects(updated.counts(null), { reason: 'older' });
    assert.deepEqual(await a.begin([{ import: id, attempt }]), [attempt]);
  });

  it('renews a lease again if the previous renewal was rolled back', async () => {
    await a.queue(requestOf('r', [fileOf('1')]));
    windows.clock.advance(4000);
    const invalid = fileOf('2', { name: null as never });
    await assert.rejects(a.queue(requestOf('invalid', [invalid])), { reason: 'invalid' });
    const before = windows.commits();
    windows.clock.advance(1000);
    assert.equal((await serve(a)).renewedMs, windows.clock.monotonicMs());
    assert.equal(windows.commits(), before + 1);
  });

  it("keeps the hash of a text, but not of a file, if the upload didn't read all of its content", async () => {
    const content = { sizeBytes: 12, modifiedMs: null, sha256: null };
    for (const [path, textFile] of [
      [null, 'text1'],
      ['vscode-vfs://github/a.txt', 'text2'],
      ['/notes/a.txt', null],
    ] as const) {
      const { imports } = await a.queue(requestOf(`${path}`, [fileOf('a.txt', { path, textFile, sha256: 'aa' })]));
      const attempt = a.attempt(`${path}`);
      const sha256 = async () =>
        (await a.page({ filter: { upTo: imports[0] ?? 0 }, limit: 9 })).rows.at(-1)?.import.sha256;
      await a.begin([{ import: imports[0] ?? 0, attempt, content }]);
      assert.equal(await sha256(), textFile && 'aa');
      await a.end(unconfirmed(attempt, { content }));
      assert.equal(await sha256(), textFile && 'aa');
    }
  });

  it('stores only the first outcome of an attempt', async () => {
    const { attempt } = await beginOne(a, 'one.txt');
    const first = await a.end(accepted(attempt, 't1'));
    assert.deepEqual(await a.end(rejected(attempt)), first);
    assert.equal(await a.end(accepted('A unknown', 't1')), null);
  });

  it('returns individually imported files first, then untried imports, and then imports to retry', async () => {
    const { destination, imports } = await a.queue(requestOf('r', filesOf(1, 2, 3)));
    const attempt = a.attempt('1');
    await a.begin([{ import: imports[0] ?? 0, attempt }]);
    await a.putBack([{ attempt, tried: true }]);
    await a.queue(requestOf('single', [fileOf('single')]));
    const names = async (count: number, except: number[]) =>
      (await a.next({ destination, count, except })).map(({ name }) => name);
    assert.deepEqual(await names(9, []), ['single', '2', '3', '1']);
    assert.deepEqual(await names(2, [(await rowNamed(a, '2')).id]), ['single', '3']);
  });

  for (const [status, times] of [
    [403, 1],
    [429, 2],
  ] as const)
    it(`returns an individually imported file after all untried imports if it got a ${status} (${times})`, async () => {
      const { import: id } = await beginOne(a, 'single');
      const { destination } = await a.queue(requestOf('r', filesOf(1, 2)));
      const names = async () => (await a.next({ destination, count: 9, except: [] })).map(({ name }) => name);
      let attempt = 'A single';
      for (let time = 1; time <= times; time++) {
        await a.putBack([{ attempt, tried: true, answer: { name: 'Rejected', status } }]);
        assert.equal((await names()).at(-1) === 'single', time === times);
        attempt = a.attempt(`${time}`);
        await a.begin([{ import: id, attempt }]);
      }
    });

  it('does not queue an import again if its row was removed after its window was presumed closed', async () => {
    const c = windows.open('C', { pid: CLOSED_PID });
    const { attempt } = await beginOne(c, 'one');
    await serve(a);
    await a.remove({});
    assert.deepEqual((await c.putBack([{ attempt, tried: false }]))[0]?.outcome, 'notUploaded');
  });

  it('marks a file as rejected if the service keeps postponing it, not counting rate limits, while accepting other files', async () => {
    windows.clock.jump(7_200_000);
    const { attempt: early } = await beginOne(a, 'early');
    await a.end(accepted(early, 't0'));
    windows.clock.jump(-7_200_000);
    const { imports } = await a.queue(requestOf('r', filesOf('bad', 'later', 'good')));
    const [bad = 0, later = 0, good = 0] = imports.map(Number);
    let tries = 0;
    const tryOnce = async (id: number, status: number) => {
      const attempt = a.attempt(`${++tries}`);
      await a.begin([{ import: id, attempt }]);
      const [ended] = await a.putBack([{ attempt, tried: true, answer: { name: 'Rejected', status } }]);
      return ended?.outcome;
    };
    for (const status of [429, 408, 408, 408, 429, 401]) assert.equal(await tryOnce(bad, status), 'queued');
    await a.track({ destination: MANUALS, id: typedTaskId('added', 'string'), name: 'added' });
    for (const status of [408, 408, 408, 408, 408, 408]) assert.equal(await tryOnce(later, status), 'queued');
    await a.begin([{ import: good, attempt: a.attempt('good') }]);
    await a.end(accepted(a.attempt('good'), 't'));
    for (const status of [408, 429, 401]) assert.equal(await tryOnce(bad, status), 'queued');
    assert.equal(await tryOnce(bad, 408), 'rejected');
    assert.deepEqual((await rowNamed(a, 'bad')).import.cause, { name: 'Rejected', status: 408 });
  });

  it('can still mark an import as rejected after requeuing it', async () => {
    const { attempt } = await beginOne(a, 'one.txt');
    await a.putBack([{ attempt, tried: true }]);
    assert.equal((await a.end(rejected(attempt, '403')))?.outcome, 'rejected');
    assert.equal((await rowNamed(a, 'one.txt')).state, 'rejected');
  });

  it('keeps the count of consecutive unconfirmed imports when another window takes over', async () => {
    const { attempt } = await beginOne(a, '1');
    await a.end(unconfirmed(attempt, { brake: 3 }));
    await a.leave(null);
    await b.queue(requestOf('more', [fileOf('4')]));
    assert.equal((await serve(b)).destinations[0]?.brake, 3);
    await b.end(accepted((await beginOne(b, '5')).attempt, 't5'));
    assert.equal((await serve(b)).destinations[0]?.brake, 0);
  });

  it('marks an import as unconfirmed if its task ID already belongs to an import with different content, but not if the user added that task by its ID', async () => {
    const send = async (name: string, sha256: string, id: string) => {
      const { attempt } = await beginOne(a, name);
      return a.end(accepted(attempt, id, { content: contentOf(sha256) }));
    };
    assert.equal((await send('one.txt', 'aa', 't1'))?.outcome, 'accepted');
    const repeated = await send('two.txt', 'bb', 't1');
    assert.deepEqual([repeated?.outcome, repeated?.cause?.['file']], ['unconfirmed', 'notes/one.txt']);
    assert.equal((await send('copy.txt', 'aa', 't1'))?.outcome, 'accepted');
    assert.equal((await a.details((await rowNamed(a, 'two.txt')).id))?.responses.import?.includes('t1'), true);
    await a.forget(MANUALS);
    assert.equal((await send('after forgetting.txt', 'aa', 't1'))?.outcome, 'accepted');
    await a.track({ destination: MANUALS, id: typedTaskId('t2', 'string'), name: '' });
    assert.equal((await send('three.txt', 'cc', 't2'))?.outcome, 'accepted');
    windows.checkRows();
  });

  it("hands a closed window's queue to another window unchanged", async () => {
    await windows.open('A', { pid: CLOSED_PID }).queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const before = windows.sql('SELECT * FROM imports');
    const { held, unconfirmed } = await serve(b);
    assert.deepEqual([held, unconfirmed], [[1], 0]);
    assert.deepEqual(windows.sql('SELECT * FROM imports'), before);
    const left = windows.sql('SELECT id FROM windows');
    assert.equal(left.map(({ id }) => id).join(), 'B');
    assert.equal((await b.next({ destination: 1, count: 9, except: [] })).length, 2);
  });

  it('uses one commit to mark a group of imports as sending, and another to store their outcomes', async () => {
    const { imports } = await a.queue(requestOf('r', filesOf(1, 2, 3, 4)));
    const attempts = imports.map((id) => ({ import: id ?? 0, attempt: a.attempt(String(id)) }));
    const before = windows.commits();
    await a.begin(attempts);
    assert.equal(windows.commits(), before + 1);
    await Promise.all(attempts.map(({ attempt }) => a.end(accepted(attempt, attempt))));
    assert.equal(windows.commits(), before + 2);
  });

  it('writes nothing to the database if the lease was just renewed or the window has nothing to do', async () => {
    await a.queue(requestOf('r', [fileOf('1')]));
    await serve(a);
    const before = windows.commits();
    windows.clock.advance(4000);
    await serve(a);
    await serve(b);
    assert.equal(windows.commits(), before);
    windows.clock.advance(1000);
    await serve(a);
    assert.equal(windows.commits(), before + 1);
    windows.clock.advance(10_000);
    await serve(b);
    assert.equal(windows.commits(), before + 1);
  });

  it('marks imports as unconfirmed only if the window that was sending them has closed', async () => {
    await beginOne(windows.open('A', { pid: CLOSED_PID }), 'lost');
    await serve(b);
    await beginOne(b, 'mine');
    const c = windows.open('C', { pid: CLOSED_PID });
    const other = { ...MANUALS, dataset: 'Others' };
    const { imports } = await c.queue(requestOf('c', [fileOf('other')], { destination: other }));
    await c.begin([{ import: imports[0] ?? 0, attempt: 'C 1' }]);
    await serve(b);
    // This window can't serve the other window's destination.
    const holders = (await b.destinations(null)).map(({ window }) => window);
    assert.deepEqual(holders, ['B', null]);
    assert.deepEqual(
      (await b.page({ filter: {}, limit: 9 })).rows.map(({ name, state }) => [name, state]),
      [
        ['lost', 'unconfirmed'],
        ['other', 'unconfirmed'],
        ['mine', 'sending'],
      ],
    );
  });

  it('never marks an import as sending if its file has a newer import', async () => {
    const { attempt, import: id } = await beginOne(a, '1');
    await a.end(rejected(attempt));
    await a.queue(requestOf('again', [fileOf('1', { seen: id })]));
    // No store operation can produce this state.
    windows.sql(`UPDATE imports SET outcome = 'queued' WHERE id = ${id}`);
    assert.deepEqual(await a.begin([{ import: id, attempt: a.attempt('old') }]), []);
  });

  it('gives the lease to the window where the user starts an import, unless another window is uploading', async () => {
    const { attempt } = await beginOne(a, 'one.txt');
    await b.queue(requestOf('other', [fileOf('two.txt')]));
    assert.deepEqual((await serve(b)).held, []);
    await a.end(accepted(attempt, 't1'));
    await b.queue(requestOf('third', [fileOf('three.txt')]));
    assert.deepEqual((await serve(b)).held, [1]);
    assert.deepEqual((await serve(a)).held, []);
  });

  it('lets a window keep its lease until its uploads and status checks are finished', async () => {
    const { attempt } = await beginOne(a, 'one.txt');
    // The window finishes its upload even if the access key has been removed.
    assert.deepEqual((await serve(a, { able: [], checking: [] })).held, [1]);
    await a.end(accepted(attempt, 't1'));
    assert.deepEqual((await serve(a, { able: [MANUALS], checking: [MANUALS] })).held, [1]);
    assert.deepEqual((await serve(a, { able: [MANUALS], checking: [] })).held, []);
    assert.deepEqual(windows.sql('SELECT * FROM windows'), []);
  });

  it('presumes that an unresponsive window has closed only if its lease expired while the machine was awake', async () => {
    await beginOne(a, 'one.txt');
    await serve(b);
    windows.clock.jump(3_600_000);
    assert.equal((await serve(b)).unconfirmed, 0);
    // The machine may have slept, so a gap between two checks counts as at most five seconds.
    windows.clock.advance(3_600_000);
    assert.equal((await serve(b)).unconfirmed, 0);
    for (let seconds = 0; seconds < 24; seconds += 4) {
      windows.clock.advance(4000);
      assert.equal((await serve(b)).unconfirmed, 0);
    }
    windows.clock.advance(4000);
    assert.equal((await serve(b)).unconfirmed, 1);
  });
});

describe('An upload attempt whose window was wrongly presumed closed', () => {
  let closed: TestWindow;
  let attempt: string;
  let id: number;

  beforeEachPair();

  beforeEach(async () => {
    closed = windows.open('A', { pid: CLOSED_PID });
    ({ attempt, import: id } = await beginOne(closed, 'one.txt'));
    assert.equal((await serve(b)).unconfirmed, 1);
  });

  it('still gets its outcome from a late response', async () => {
    assert.equal((await closed.end(accepted(attempt, 't1')))?.outcome, 'accepted');
    const row = await rowNamed(b, 'one.txt');
    assert.equal(row.state, 'waiting');
    assert.equal((await b.details(row.id))?.events.map(({ event }) => event.kind).join(), 'lateResponse');
  });

  it('still gets its outcome from a late response even if the file was imported again', async () => {
    const { imports } = await b.queue(requestOf('again', [fileOf('one.txt', { seen: id })]));
    await closed.end(accepted(attempt, 't1'));
    const row = await rowNamed(b, 'one.txt');
    assert.equal(row.state, 'queued');
    assert.equal(row.import.id, imports[0]);
    assert.equal((await b.details(row.id))?.imports.map(({ outcome }) => outcome).join(), 'queued,accepted');
  });

  it('is requeued if that window reports that nothing was sent', async () => {
    const [ended] = await closed.putBack([{ attempt, tried: false }]);
    assert.equal(ended?.outcome, 'queued');
    assert.equal((await rowNamed(b, 'one.txt')).state, 'queued');
    // The result was lost, so the call is retried.
    assert.equal((await closed.putBack([{ attempt, tried: false }]))[0]?.outcome, 'queued');
  });

  it('is not requeued if its file has a newer import', async () => {
    await b.queue(requestOf('again', [fileOf('one.txt', { seen: id })]));
    const [ended] = await closed.putBack([{ attempt, tried: false }]);
    assert.deepEqual([ended?.outcome, ended?.cause?.name], ['notUploaded', 'Superseded']);
    assert.equal((await b.next({ destination: 1, count: 9, except: [] })).length, 1);
    windows.checkRows();
  });

  it('prevents another import of the same file after being requeued', async () => {
    await closed.putBack([{ attempt, tried: false }]);
    const { imports } = await b.queue(requestOf('again', [fileOf('one.txt', { seen: id })]));
    assert.deepEqual(imports, [null]);
    assert.equal((await b.next({ destination: 1, count: 9, except: [] })).length, 1);
  });

  it('keeps an outcome that the user has set', async () => {
    assert.equal(await b.markUploaded({}), 1);
    assert.equal((await rowNamed(b, 'one.txt')).state, 'uploaded');
    assert.equal((await closed.putBack([{ attempt, tried: false }]))[0]?.outcome, 'accepted');
    assert.equal((await rowNamed(b, 'one.txt')).state, 'uploaded');
  });
});
