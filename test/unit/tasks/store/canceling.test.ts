import assert from 'node:assert/strict';
import { accepted, fileOf, filesOf, rejected, requestOf, unconfirmed } from './storeRequests';
import { a, acceptedOne, b, beforeEachPair, beginOne, namesIn, rowNamed, serve, windows } from './storeWindows';

describe('The task store', () => {
  beforeEachPair();

  it('cancels queued imports, and asks windows to stop imports that are being sent', async () => {
    const { imports } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const [one, two] = imports.map(Number);
    assert.ok(one && two);
    await a.begin([{ import: two, attempt: a.attempt('2') }]);
    const canceled = await b.cancel({});
    assert.deepEqual(canceled, { canceled: 1, sending: ['A 2'] });
    assert.deepEqual(await a.begin([{ import: one, attempt: a.attempt('1') }]), []);
    assert.deepEqual((await serve(a)).canceled, ['A 2']);
    assert.deepEqual((await rowNamed(b, '1')).import.cause, { name: 'CanceledError' });
    // Nothing was sent, but a canceled import isn't requeued.
    const [ended] = await a.putBack([{ attempt: 'A 2', tried: false }]);
    assert.deepEqual([ended?.outcome, ended?.cause?.name], ['notUploaded', 'CanceledError']);
    assert.equal((await a.end(unconfirmed('A 2')))?.outcome, 'notUploaded');
    windows.checkRows();
  });

  it('keeps a file unconfirmed if a later import of the same file is canceled or cannot be sent', async () => {
    const first = await beginOne(a, '1');
    await a.end(unconfirmed(first.attempt));
    for (const run of ['again', 'once more']) {
      const [id] = (await a.queue(requestOf(run, [fileOf('1', { seen: first.import })]))).imports;
      assert.notEqual(id, null);
      await a.cancel({});
      const row = await rowNamed(a, '1');
      assert.deepEqual([row.state, row.import.id], ['unconfirmed', first.import]);
    }
    await a.queue(requestOf('a third time', [fileOf('1', { seen: first.import })]));
    const { import: third } = await rowNamed(a, '1');
    await a.begin([{ import: third.id, attempt: 'A 3' }]);
    await a.end({ attempt: 'A 3', outcome: 'notUploaded', cause: { name: 'SourceError' }, sentBytes: 0, brake: 0 });
    assert.equal((await rowNamed(a, '1')).state, 'unconfirmed');
    assert.deepEqual(await a.markUploaded({}), 1);
    windows.checkRows();
  });

  it('resumes tracking an unfinished or unrecognized task if a later import of the same file is canceled, but not if it cannot be sent', async () => {
    const first = await acceptedOne(a, '1');
    const again = { seen: first.import };
    await a.queue(requestOf('again', [fileOf('1', again)]));
    await a.cancel({});
    const { tasks } = await a.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    assert.deepEqual([(await rowNamed(a, '1')).state, tasks.map((task) => task.import)], ['waiting', [first.import]]);
    windows.checkRows();
    const { attempt } = await beginOne(a, '1', { ...again, attempt: '3' });
    await a.end({ attempt, outcome: 'notUploaded', cause: { name: 'SourceError' }, sentBytes: 0, brake: 0 });
    assert.equal((await rowNamed(a, '1')).state, 'notUploaded');
    for (const [name, end, state] of [
      ['without ID', accepted, 'noId'],
      ['rejected', rejected, 'notUploaded'],
    ] as const) {
      const earlier = await beginOne(a, name);
      await a.end(end(earlier.attempt));
      await a.queue(requestOf(`${name} again`, [fileOf(name, { seen: earlier.import })]));
      await a.cancel({});
      assert.equal((await rowNamed(a, name)).state, state);
    }
  });

  it('keeps the outcome of an upload that finishes despite being canceled', async () => {
    await acceptedOne(a, '1');
    const second = await beginOne(a, '2');
    assert.deepEqual(await b.cancel({}), { canceled: 0, sending: [second.attempt] });
    assert.equal((await a.end(accepted(second.attempt, 't2')))?.outcome, 'accepted');
    assert.deepEqual([(await rowNamed(b, '1')).state, (await rowNamed(b, '2')).state], ['waiting', 'waiting']);
    assert.equal((await rowNamed(b, '2')).import.cancel, false);
  });

  it('cancels only rows that match the filter', async () => {
    await beginOne(a, 'sending');
    await a.queue(requestOf('r', [fileOf('queued')]));
    assert.deepEqual(await a.cancel({ states: ['rejected'] }), { canceled: 0, sending: [] });
    assert.deepEqual(await a.cancel({ states: ['queued'] }), { canceled: 1, sending: [] });
  });

  it('does not cancel or remove files that were queued after the user canceled or removed others', async () => {
    await a.queue(requestOf('1', filesOf(...Array(1500).keys())));
    const canceling = a.cancel({});
    await a.queue(requestOf('2', [fileOf('second')]));
    assert.equal((await canceling).canceled, 1500);
    const removing = a.remove({});
    await a.queue(requestOf('3', [fileOf('third')]));
    assert.equal((await removing).removed, 1501);
    assert.deepEqual(await namesIn(a, { states: ['queued'] }), ['third']);
  });

  it('stops or cancels an import that another window starts or puts back while many rows are being canceled', async () => {
    const { imports } = await a.queue(requestOf('r', filesOf(...Array(3500).keys())));
    const canceling = b.cancel({});
    const [back, last] = [imports[1200], imports.at(-1)].map((id) => ({
      import: id ?? 0,
      attempt: a.attempt(`${id}`),
    }));
    assert.ok(back && last);
    assert.deepEqual(await a.begin([back, last]), [back.attempt, last.attempt]);
    // The next step has skipped this row by now, because it was being sent.
    assert.equal((await a.putBack([{ attempt: back.attempt, tried: false }]))[0]?.outcome, 'queued');
    assert.deepEqual(await canceling, { canceled: 3499, sending: [last.attempt] });
    assert.deepEqual((await serve(a)).canceled, [last.attempt]);
    assert.deepEqual(await namesIn(a, { states: ['queued'] }), []);
    windows.checkRows();
  });

  it('removes rows from the list unless their files are being sent, and can put the rows back', async () => {
    await acceptedOne(a, 'done');
    await beginOne(a, 'sending');
    await a.queue(requestOf('r', [fileOf('queued')]));
    const { removed, removedMs } = await b.remove({});
    assert.equal(removed, 2);
    assert.deepEqual(await namesIn(a), ['sending']);
    assert.deepEqual(await a.next({ destination: 1, count: 9, except: [] }), []);
    assert.equal(await b.undo(removedMs), 2);
    assert.equal((await rowNamed(a, 'queued')).state, 'notUploaded');
    assert.equal((await rowNamed(a, 'done')).state, 'waiting');
  });
});
