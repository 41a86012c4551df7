import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import {
  accepted,
  contentOf,
  type Found,
  fileOf,
  MANUALS,
  rejected,
  reportOf,
  reportTask,
  requestOf,
  unconfirmed,
} from './storeRequests';
import { beginOne, CLOSED_PID, rowNamed, StoreWindows, serveAll, type TestWindow } from './storeWindows';

const ID = (text: string) => typedTaskId(text, 'string');

async function acceptedOne(window: TestWindow, name: string, ids: readonly string[] = [`t-${name}`]) {
  const begun = await beginOne(window, name);
  await window.end(accepted(begun.attempt, undefined, { taskIds: ids.map(ID), content: contentOf(`sha-${name}`) }));
  return begun;
}

describe('Canceling, removing and following in the store', () => {
  it('refuses to begin what was canceled, and asks to stop what has begun', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    const { imports } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const [one, two] = imports.map(Number);
    assert.ok(one && two);
    await a.begin([{ import: two, attempt: a.attempt('2') }]);
    const canceled = await b.cancel({});
    assert.deepEqual(canceled, { canceled: 1, sending: ['A 2'] });
    assert.deepEqual(await a.begin([{ import: one, attempt: a.attempt('1') }]), []);
    assert.deepEqual((await serveAll(a)).attempts, [{ attempt: 'A 2', canceled: true }]);
    assert.deepEqual((await rowNamed(b, '1')).import.cause, { name: 'CanceledError' });
    // Nothing of it was sent, so it doesn't go back into the queue either.
    const [ended] = await a.putBack([{ attempt: 'A 2', tried: false }]);
    assert.deepEqual([ended?.outcome, ended?.cause?.name], ['notUploaded', 'CanceledError']);
    windows.checkRows();
  });

  it('keeps how an upload ended whether it was canceled before or after', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    const first = await beginOne(a, '1');
    const second = await beginOne(a, '2');
    await a.end(accepted(first.attempt, 't1'));
    assert.deepEqual(await b.cancel({}), { canceled: 0, sending: [second.attempt] });
    assert.equal((await a.end(accepted(second.attempt, 't2')))?.outcome, 'accepted');
    assert.deepEqual([(await rowNamed(b, '1')).state, (await rowNamed(b, '2')).state], ['waiting', 'waiting']);
    assert.equal((await rowNamed(b, '2')).import.cancel, false);
  });

  it('ends a canceled import that was marked and not sent, once its window puts it back', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    const { attempt } = await beginOne(a, '1');
    assert.deepEqual(await b.cancel({}), { canceled: 0, sending: [attempt] });
    await a.putBack([{ attempt, tried: false }]);
    assert.equal((await rowNamed(a, '1')).state, 'notUploaded');
    assert.equal((await a.end(unconfirmed(attempt)))?.outcome, 'notUploaded');
  });

  it('cancels only rows in the states of the filter', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    await beginOne(a, 'sending');
    await a.queue(requestOf('r', [fileOf('queued')]));
    assert.deepEqual(await a.cancel({ states: ['rejected'] }), { canceled: 0, sending: [] });
    assert.deepEqual(await a.cancel({ states: ['queued'] }), { canceled: 1, sending: [] });
  });

  it('cancels only what was queued before', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    await a.queue(
      requestOf(
        '1',
        Array.from({ length: 1500 }, (_, index) => fileOf(`${index}`)),
      ),
    );
    const canceling = a.cancel({});
    const later = a.queue(requestOf('2', [fileOf('later')]));
    assert.equal((await canceling).canceled, 1500);
    await later;
    assert.equal((await rowNamed(a, 'later', { states: ['queued'] })).state, 'queued');
  });

  it('removes rows softly, cancels those that are queued, keeps those that are being sent, and can undo it', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    await acceptedOne(a, 'done');
    await beginOne(a, 'sending');
    await a.queue(requestOf('r', [fileOf('queued')]));
    const { removed, removedMs } = await b.remove({});
    assert.equal(removed, 2);
    assert.deepEqual(
      (await a.page({ filter: {}, limit: 9 })).rows.map(({ name }) => name),
      ['sending'],
    );
    assert.deepEqual(await a.next({ destination: 1, count: 9, except: [] }), []);
    assert.equal(await b.undo(removedMs), 2);
    assert.equal((await rowNamed(a, 'queued')).state, 'notUploaded');
    assert.equal((await rowNamed(a, 'done')).state, 'waiting');
  });

  it('sweeps removed rows after an hour, and old finished ones, but not the memory of what was uploaded', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const first = await acceptedOne(a, '1');
    await reportTask(a, first.import, ID('t-1'), { meaning: 'succeeded', status: 'DONE' });
    const again = await beginOne(a, '1', { seen: first.import, attempt: 'again' });
    await a.end(accepted(again.attempt, 't-1b', { content: contentOf('sha-1') }));
    await a.end(rejected((await beginOne(a, '2')).attempt));
    await acceptedOne(a, '3');
    await a.remove({ files: [(await rowNamed(a, '1')).id] });
    await acceptedOne(a, 'last');
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 0);
    windows.clock.advance(3_600_000);
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 1);
    windows.clock.advance(90 * 24 * 3_600_000);
    // The rejected one is old; the others are still to be checked.
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 1);
    assert.deepEqual(
      (await a.page({ filter: {}, limit: 9 })).rows.map(({ name }) => name),
      ['3', 'last'],
    );
    const { files } = await a.known({ destination: MANUALS, paths: ['/notes/1', '/notes/2', '/notes/3'] });
    assert.deepEqual(
      files.map(({ path, row, uploaded }) => [path, row === null, uploaded?.sha256]),
      [
        ['/notes/1', true, 'sha-1'],
        ['/notes/3', false, 'sha-3'],
      ],
    );
    // Once for each path and content, however often it was uploaded.
    assert.equal(windows.sql("SELECT * FROM imports WHERE path = '/notes/1'").length, 1);
    for (const table of ['tasks', 'responses']) assert.equal(windows.sql(`SELECT * FROM ${table}`).length, 2);
    windows.checkRows();
  });

  it('keeps a removed row that was put back before the sweep, and cannot put one back after it', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    await a.end(rejected((await beginOne(a, '1')).attempt));
    await a.end(rejected((await beginOne(a, '2')).attempt));
    const one = await b.remove({ files: [(await rowNamed(b, '1')).id] });
    windows.clock.advance(3_600_000);
    const two = await b.remove({ files: [(await rowNamed(b, '2')).id] });
    assert.equal(await b.undo(one.removedMs), 1);
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 0);
    // The sweep keeps the newest change, whatever it is.
    await acceptedOne(a, 'last');
    windows.clock.advance(3_600_000);
    assert.equal(await a.clear({ days: 90, rows: 1000 }), 1);
    assert.equal(await b.undo(two.removedMs), 0);
    assert.equal((await rowNamed(b, '1')).state, 'rejected');
  });

  it('keeps the newest finished rows up to a number', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    for (const name of ['1', '2', '3', '4']) {
      await a.end(rejected((await beginOne(a, name)).attempt));
      windows.clock.advance(10);
    }
    assert.equal(await a.clear({ days: Number.POSITIVE_INFINITY, rows: 3 }), 1);
    assert.deepEqual(
      (await a.page({ filter: {}, limit: 9 })).rows.map(({ name }) => name),
      ['2', '3', '4'],
    );
  });

  it('moves the row of a file with what was uploaded, unless it is being imported or its new path has a row', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    for (const name of ['old', 'other']) await acceptedOne(a, name);
    await a.queue(requestOf('r', [fileOf('queued')]));
    const to = (name: string) => ({ path: `/notes/${name}`, name, relativePath: `notes/${name}` });
    const files = [
      { from: '/notes/old', ...to('new') },
      { from: '/notes/other', ...to('new') },
      { from: '/notes/queued', ...to('later') },
    ];
    assert.equal(await a.move({ destination: MANUALS, files }), 1);
    const moved = await rowNamed(a, 'new');
    assert.deepEqual([moved.path, moved.relativePath], ['/notes/new', 'notes/new']);
    const { files: known } = await a.known({ destination: MANUALS, paths: ['/notes/old', '/notes/new'] });
    assert.deepEqual(
      known.map(({ path, uploaded }) => [path, uploaded?.sha256]),
      [['/notes/new', 'sha-old']],
    );
    const events = (await a.details(moved.id))?.events.map(({ event }) => event) ?? [];
    assert.deepEqual(events.at(-1), { kind: 'renamed', from: 'notes/old' });
    await rowNamed(a, 'other');
    await rowNamed(a, 'queued');
  });

  it('knows no content of a file that the service failed to process, also after its row was cleared', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const failed = await acceptedOne(a, 'failed');
    await reportTask(a, failed.import, ID('t-failed'), { meaning: 'failed', status: 'BAD' });
    const request = {
      destination: MANUALS,
      paths: ['/notes/failed'],
      contents: [{ sizeBytes: 12, sha256: 'sha-failed' }],
    };
    const before = await a.known(request);
    assert.deepEqual([before.files[0]?.row?.state, before.files[0]?.uploaded, before.contents], ['failed', null, []]);
    windows.clock.advance(1);
    await acceptedOne(a, 'last');
    assert.equal(await a.clear({ days: 90, rows: 0 }), 1);
    const after = await a.known(request);
    assert.deepEqual([after.files, after.contents], [[], []]);
  });

  it('knows to which dataset the newest import of some files went', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    assert.equal(await a.lastDataset(['/notes/one']), null);
    for (const dataset of ['Manuals', 'Other', 'Elsewhere']) {
      const name = dataset === 'Elsewhere' ? 'two' : 'one';
      await a.queue(requestOf(dataset, [fileOf(name)], { destination: { ...MANUALS, dataset } }));
    }
    assert.equal(await a.lastDataset(['/notes/one', '/notes/three']), 'Other');
    assert.equal(await a.lastDataset(['/notes/one', '/notes/two']), 'Elsewhere');
  });

  it('notes a new time of the content that was uploaded last', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    await acceptedOne(a, 'one');
    await a.noteTimes({ destination: MANUALS, times: [{ path: '/notes/one', modifiedMs: 77 }] });
    const { files } = await a.known({ destination: MANUALS, paths: ['/notes/one'] });
    assert.deepEqual([files[0]?.uploaded?.modifiedMs, files[0]?.row?.modifiedMs], [77, 77]);
  });

  it('forgets what a destination received, and keeps its rows', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    await acceptedOne(a, '1');
    const request = {
      destination: MANUALS,
      paths: ['/notes/1'],
      sizes: [12, 13],
      contents: [{ sizeBytes: 12, sha256: 'sha-1' }],
    };
    const before = await a.known(request);
    assert.deepEqual([before.sizes, before.contents.map(({ path }) => path)], [[12], ['/notes/1']]);
    assert.equal(await a.forget({ dataset: 'Other', origin: 'https://import.example' }), 0);
    assert.equal(await a.forget(MANUALS), 1);
    const after = await a.known(request);
    assert.deepEqual([after.sizes, after.contents, after.files[0]?.uploaded], [[], [], null]);
    assert.equal((await rowNamed(a, '1')).state, 'waiting');
  });

  it('lists the paths from which a destination received something, of all or of one folder', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    for (const name of ['1', 'b/2', 'b-c/3']) await acceptedOne(a, name);
    const paths = (folder: string | null, after = '') =>
      a.knownPaths({ destination: MANUALS, folder, after, limit: 9 });
    assert.deepEqual(await paths(null), ['/notes/1', '/notes/b-c/3', '/notes/b/2']);
    assert.deepEqual(await paths('/notes/b'), ['/notes/b/2']);
    assert.deepEqual(await paths('/notes', '/notes/1'), ['/notes/b-c/3', '/notes/b/2']);
  });

  it('renames a dataset with its queue, and refuses the name of another one that has rows, in either order', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    assert.equal(await b.rename({ from: 'Manuals', to: 'Handbooks' }), 'busy');
    await b.cancel({ files: [2] });
    const { attempt } = { attempt: a.attempt('1') };
    await a.begin([{ import: 1, attempt }]);
    await a.end(accepted(attempt, 't'));
    assert.equal(await b.rename({ from: 'Manuals', to: 'Handbooks' }), 'renamed');
    await b.remove({});
    const renamed = { ...MANUALS, dataset: 'Handbooks' };
    assert.deepEqual((await a.serve({ able: [renamed], checking: [renamed] })).held, [1]);
    // The removed rows still have the name.
    await a.queue(requestOf('other', [fileOf('1')]));
    await b.cancel({});
    assert.equal(await b.rename({ from: 'Manuals', to: 'Handbooks' }), 'taken');
    assert.equal(await b.rename({ from: 'Handbooks', to: 'Guides' }), 'renamed');
    assert.equal(await b.rename({ from: 'Manuals', to: 'Handbooks' }), 'renamed');
    // The folder's batch goes on after the rename.
    const guides = { destination: { ...MANUALS, dataset: 'Guides' } };
    const again = await a.queue(requestOf('again', [fileOf('3'), fileOf('4')], guides));
    assert.equal(again.batch, 1);
  });

  it('combines several tasks of one file', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const { import: id } = await acceptedOne(a, '1', ['x', 'y']);
    const stateAfter = async (task: string, facts: Found) => {
      assert.equal(await reportTask(a, id, ID(task), facts), true);
      windows.checkRows();
      const row = await rowNamed(a, '1');
      return [row.state, row.unfinished];
    };
    assert.deepEqual(await stateAfter('x', {}), ['running', true]);
    assert.deepEqual(await stateAfter('x', { meaning: 'succeeded' }), ['running', true]);
    assert.deepEqual(await stateAfter('y', { meaning: 'unknown', status: 'ODD' }), ['unknown', true]);
    const failed = { meaning: 'failed', message: "Line 7 of '1' is bad", byMapping: true, response: '{}' } as const;
    assert.deepEqual(await stateAfter('y', failed), ['failed', false]);
    assert.equal((await rowNamed(a, '1')).reason, 'failed Line # of * is bad');
    await a.checkAgain(1);
    assert.deepEqual(await stateAfter('y', { meaning: 'succeeded', byMapping: true }), ['succeeded', false]);
    const { events } = (await a.details((await rowNamed(a, '1')).id)) ?? { events: [] };
    assert.equal(events.length, 5);
  });

  it('lists the tasks to be checked, and only changed ones the next time', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const one = await acceptedOne(a, '1');
    const two = await acceptedOne(a, '2');
    const first = await a.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    assert.deepEqual(
      first.tasks.map(({ id }) => id),
      [ID('t-1'), ID('t-2')],
    );
    await reportTask(a, one.import, ID('t-1'), { meaning: 'succeeded' });
    await reportTask(a, two.import, ID('t-2'));
    const next = await a.unfinishedTasks({ destination: 1, since: first.version, after: 0 });
    assert.equal(next.files.includes((await rowNamed(a, '1')).id), true);
    assert.deepEqual(
      next.tasks.map(({ id }) => id),
      [ID('t-2')],
    );
  });

  it('gives an id to an unconfirmed import and to one without an id, and to no other', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const lost = await beginOne(a, '1');
    await a.end(unconfirmed(lost.attempt));
    const without = await acceptedOne(a, '2', []);
    assert.equal((await rowNamed(a, '2')).state, 'noId');
    const has = await acceptedOne(a, '3', ['t-3']);
    const rows = [lost, without, has].map(({ import: id }, index) => ({ import: id, ids: [ID(`m${index}`)] }));
    assert.deepEqual(await a.attach({ rows, byMapping: true }), ['attached', 'attached', 'notWaiting']);
    assert.deepEqual([(await rowNamed(a, '1')).state, (await rowNamed(a, '2')).state], ['waiting', 'waiting']);
    const last = await acceptedOne(a, '4', []);
    const taken = [{ import: last.import, ids: [ID('t-3')] }];
    assert.deepEqual(await a.attach({ rows: taken, byMapping: true }), ['repeatedId']);
    assert.deepEqual(await a.attach({ rows: taken, byMapping: false }), ['attached']);
    windows.checkRows();
  });

  it('drops the late result of a check whose task has changed since, or has ended', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    const { import: id } = await acceptedOne(a, '1');
    const [late, done] = [await reportOf(a, id, ID('t-1'), {}), { meaning: 'succeeded', status: 'DONE' } as const];
    await reportTask(b, id, ID('t-1'), { status: 'INDEXING' });
    assert.equal(await a.report(late), false);
    await reportTask(b, id, ID('t-1'), done);
    assert.equal(await reportTask(a, id, ID('t-1')), false);
    assert.deepEqual((await rowNamed(a, '1')).tasks[0]?.status, 'DONE');
    windows.checkRows();
  });

  it('drops the result of a check that was read by a former mapping', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    const { import: id } = await acceptedOne(a, '1');
    const late = await reportOf(a, id, ID('t-1'), { meaning: 'succeeded', byMapping: true });
    assert.equal(await b.checkAgain(1), 1);
    assert.equal(await a.report(late), false);
    assert.equal(await reportTask(a, id, ID('t-1'), { meaning: 'failed', byMapping: true }), true);
    assert.equal((await rowNamed(a, '1')).state, 'failed');
  });

  it('keeps what was reported if a check fails, and writes only differences', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const { import: id } = await acceptedOne(a, '1');
    const report = (found: Found) => reportTask(a, id, ID('t-1'), found);
    await report({ status: 'INDEXING', progress: 0.5 });
    const cause = { name: 'Rejected', code: '42' };
    await report({ cause });
    const commits = windows.commits();
    assert.equal(await report({ cause }), true);
    assert.equal(windows.commits(), commits);
    const [task] = (await rowNamed(a, '1')).tasks;
    assert.deepEqual([task?.status, task?.progress, task?.cause], ['INDEXING', 0.5, cause]);
    await report({ status: 'INDEXING', progress: 0.5 });
    assert.equal((await rowNamed(a, '1')).tasks[0]?.cause, null);
  });

  it('has unfinished tasks checked now by the window that follows them, which is no progress', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    for (const name of ['1', '2', '3']) {
      const { import: id } = await acceptedOne(a, name);
      await reportTask(a, id, ID(`t-${name}`), name === '3' ? { meaning: 'succeeded' } : {});
    }
    const before = await rowNamed(a, '1');
    const { version } = await a.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    windows.clock.advance(1000);
    assert.equal(await b.checkNow({ files: [before.id, (await rowNamed(a, '3')).id] }), 1);
    const { tasks } = await a.unfinishedTasks({ destination: 1, since: version, after: 0 });
    assert.deepEqual(
      tasks.map(({ id, checkedMs }) => [id, checkedMs]),
      [[ID('t-1'), null]],
    );
    // The result is stored even if nothing differs, because the user wants to see when it was checked.
    await reportTask(a, before.import.id, ID('t-1'), { response: 'the newest' });
    const after = await rowNamed(a, '1');
    assert.deepEqual([after.changedMs, after.tasks[0]?.checkedMs], [before.changedMs, before.changedMs + 1000]);
    assert.equal((await a.details(after.id))?.responses.query, 'the newest');
  });

  it('has unfinished tasks and those whose result a mapping decided checked again, and no others', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    for (const [name, byMapping] of [
      ['mapped', true],
      ['usual', false],
      ['stopped', true],
    ] as const) {
      const { import: id } = await acceptedOne(a, name);
      await reportTask(a, id, ID(`t-${name}`), { byMapping, ...(name !== 'stopped' && { meaning: 'failed' }) });
    }
    await a.stopTracking({});
    assert.equal(await a.checkAgain(1), 1);
    const { tasks } = await a.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [ID('t-mapped')],
    );
    assert.equal((await rowNamed(a, 'mapped')).state, 'waiting');
    windows.checkRows();
  });

  it('lists the responses of rows that wait for an id, and one for each result', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const [one, two] = [await acceptedOne(a, '1', []), await acceptedOne(a, '2', [])];
    for (const name of ['3', '4', '5']) {
      const { import: id } = await acceptedOne(a, name);
      const status = name === '5' ? 'ODD' : 'RUNNING';
      await reportTask(a, id, ID(`t-${name}`), { status, response: `response ${name}` });
    }
    const waiting = await a.responses({ destination: 1, kind: 'import', after: 0 });
    assert.deepEqual(
      waiting.map((found) => found.import),
      [one.import, two.import],
    );
    assert.equal((await a.responses({ destination: 1, kind: 'import', after: one.import })).length, 1);
    const results = await a.responses({ destination: 1, kind: 'query', after: 0 });
    assert.deepEqual(results.map(({ text }) => text).sort(), ['response 4', 'response 5']);
  });

  it('tracks a task that was created elsewhere, once', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const file = await a.track({ destination: MANUALS, id: ID('t'), name: 't' });
    assert.equal(await a.track({ destination: MANUALS, id: ID('t'), name: 't' }), file);
    assert.equal((await rowNamed(a, 't')).state, 'waiting');
    assert.equal(await a.stopTracking({}), 1);
    assert.deepEqual([(await rowNamed(a, 't')).state, (await rowNamed(a, 't')).unfinished], ['untracked', false]);
    assert.equal(await reportTask(a, (await rowNamed(a, 't')).import.id, ID('t')), false);
    windows.checkRows();
  });

  it('announces a run in the window that started it, and a batch where it is served, each once', async () => {
    await using windows = await StoreWindows.make();
    const [a, b] = windows.pair();
    const { imports, batch } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2')], { skipped: { binary: 3 } }));
    assert.deepEqual(await a.announce([1]), { runs: [], batches: [] });
    await a.begin(imports.map((id, index) => ({ import: id ?? 0, attempt: a.attempt(`${index}`) })));
    await a.end(rejected('A 1'));
    // The other file of the run is still to be sent.
    assert.deepEqual((await a.announce([])).runs, []);
    await a.end(accepted('A 0', 't0'));
    assert.deepEqual((await b.announce([])).runs, []);
    const [run] = (await a.announce([1])).runs;
    assert.deepEqual(
      [run?.id, run?.sums, run?.skipped, run?.batch?.label],
      ['r', { accepted: 1, rejected: 1 }, { binary: 3 }, 'notes'],
    );
    assert.deepEqual((await a.announce([1])).runs, []);
    await reportTask(a, imports[0] ?? 0, ID('t0'), { meaning: 'succeeded' });
    const both = await Promise.all([a.announce([1]), b.announce([1])]);
    assert.deepEqual(
      both.flatMap(({ batches }) => batches.map(({ id, counts }) => [id, counts])),
      [[batch, { rejected: 1, succeeded: 1 }]],
    );
    // It becomes unfinished again, and is announced again.
    await b.queue(requestOf('again', [fileOf('2', { seen: imports[1] ?? 0 }), fileOf('3')]));
    await b.cancel({});
    assert.equal((await b.announce([1])).batches.length, 1);
  });

  it('announces a single file once, when its task has ended, or at once if it was not accepted', async () => {
    await using windows = await StoreWindows.make();
    const window = windows.open('A');
    const announced = async () => (await window.announce([1])).runs.map(({ id, sums }) => [id, sums]);
    const one = await beginOne(window, 'one');
    await window.end(rejected(one.attempt));
    assert.deepEqual(await announced(), [['run of one', { rejected: 1 }]]);
    const two = await beginOne(window, 'two');
    await window.end(accepted(two.attempt, 't'));
    assert.deepEqual(await announced(), []);
    windows.clock.advance(7_200_000);
    await reportTask(window, two.import, ID('t'), { meaning: 'succeeded' });
    assert.deepEqual(await announced(), [['run of two', { accepted: 1 }]]);
    assert.deepEqual(await announced(), []);
  });

  it('announces a batch again if a mapping makes a task of it unfinished', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const { imports } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const one = imports[0] ?? 0;
    await a.begin([{ import: one, attempt: 'A 1' }]);
    await a.end(accepted('A 1', 't'));
    await a.cancel({});
    await reportTask(a, one, ID('t'), { meaning: 'failed', byMapping: true });
    assert.equal((await a.announce([1])).batches.length, 1);
    await a.checkAgain(1);
    await reportTask(a, one, ID('t'), { meaning: 'succeeded' });
    assert.equal((await a.announce([1])).batches.length, 1);
  });

  it('announces the run of a closed window where it is served, and claims in silence what ended an hour ago', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A', { pid: CLOSED_PID });
    const b = windows.open('B');
    await a.queue(requestOf('1', [fileOf('1')]));
    await b.cancel({});
    assert.deepEqual((await b.announce([1])).runs, []);
    windows.clock.advance(16_000);
    assert.equal((await b.announce([1])).runs.length, 1);
    await a.queue(requestOf('2', [fileOf('2')]));
    await b.cancel({});
    windows.clock.advance(3_600_000);
    assert.deepEqual((await b.announce([1])).runs, []);
    assert.equal(windows.sql('SELECT * FROM runs WHERE announced_ms IS NULL').length, 0);
  });

  it('reads pages, groups and the page of a batch', async () => {
    await using windows = await StoreWindows.make();
    const a = windows.open('A');
    const { imports, batch } = await a.queue(
      requestOf(
        'r',
        ['b_1', 'b%2', 'c3'].map((name) => fileOf(name)),
      ),
    );
    await a.begin([{ import: imports[2] ?? 0, attempt: 'A 3' }]);
    await a.end(rejected('A 3'));
    await acceptedOne(a, 'single');
    const names = async (filter: Parameters<TestWindow['page']>[0]['filter']) =>
      (await a.page({ filter, limit: 9 })).rows.map(({ name }) => name);
    assert.deepEqual(await names({}), ['c3', 'b_1', 'b%2', 'single']);
    assert.deepEqual(await names({ text: 'b%' }), ['b%2']);
    assert.deepEqual(await names({ text: '_' }), ['b_1']);
    assert.deepEqual(await names({ batch: null }), ['single']);
    assert.deepEqual(await names({ states: ['rejected', 'waiting'] }), ['c3', 'single']);
    assert.deepEqual(await names({ run: 'r', states: ['queued'] }), ['b_1', 'b%2']);
    const part = await a.page({ filter: {}, offset: 1, limit: 2 });
    assert.deepEqual([part.rows.map(({ name }) => name), part.hasMore], [['b_1', 'b%2'], true]);
    assert.deepEqual(await a.counts(null), {
      states: { rejected: 1, queued: 2, waiting: 1 },
      problems: [{ value: 1, counts: { rejected: 1 } }],
    });
    assert.deepEqual(await a.groups({ by: 'batch', filter: {} }), [
      { value: null, counts: { waiting: 1 } },
      { value: batch, counts: { rejected: 1, queued: 2 } },
    ]);
    const elsewhere = { destination: { ...MANUALS, dataset: 'Others' } };
    const other = await a.queue(requestOf('others', [fileOf('other')], elsewhere));
    assert.deepEqual(await a.groups({ by: 'destination', filter: {} }), [
      { value: 1, counts: { rejected: 1, queued: 2, waiting: 1 } },
      { value: other.destination, counts: { queued: 1 } },
    ]);
    assert.deepEqual(await a.groups({ by: 'reason', filter: { batch: batch ?? 0, states: ['rejected'] } }), [
      { value: 'rejected Rejected # No.', counts: { rejected: 1 } },
    ]);
    const found = await a.batchPage(batch ?? 0);
    assert.deepEqual(
      found?.reasons.map(({ reason, count }) => [reason, count]),
      [['rejected Rejected # No.', 1]],
    );
    assert.deepEqual(
      found?.runs.map(({ sums }) => sums),
      [{ queued: 2, rejected: 1 }],
    );
    assert.equal(found?.course.uploaded.at(-1), 0);
  });
});
