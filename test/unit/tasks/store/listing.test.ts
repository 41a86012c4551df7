import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { reasonOf } from '../../../../src/tasks/store/rows';
import { accepted, fileOf, filesOf, MANUALS, rejected, reportTask, requestOf, taskIdOf } from './storeRequests';
import { a, acceptedOne, b, beforeEachPair, beginOne, namesIn, rowNamed, windows } from './storeWindows';

describe('The task store', () => {
  beforeEachPair();

  it('returns each matching row exactly once, even if its position changes between pages', async () => {
    const { imports } = await a.queue(requestOf('r', filesOf(1, 2, 3)));
    const first = await a.rowsAfter({ filter: {}, after: 0, limit: 2 });
    const [attempt, last] = [a.attempt('1'), first.at(-1)?.id ?? 0];
    await a.begin([{ import: imports[0] ?? 0, attempt }]);
    await a.end(accepted(attempt, 't'));
    const rest = await a.rowsAfter({ filter: {}, after: last, limit: 2 });
    assert.equal([...first, ...rest].map(({ name }) => name).join(), '1,2,3');
    assert.deepEqual(await a.rowsAfter({ filter: { states: ['succeeded'] }, after: 0, limit: 2 }), []);
  });

  it('adds up the progress of unfinished runs across all windows', async () => {
    assert.deepEqual(await a.progress(null), { ended: 0, total: 0 });
    const { imports } = await a.queue(requestOf('r', filesOf(1, 2, 3)));
    const [one, two] = [a.attempt('1'), a.attempt('2')];
    await a.begin([
      { import: imports[0] ?? 0, attempt: one },
      { import: imports[1] ?? 0, attempt: two },
    ]);
    await a.end(accepted(one, 't'));
    await b.queue(requestOf('other', [fileOf('4')]));
    for (const window of [a, b]) assert.deepEqual(await window.progress(null), { ended: 1, total: 4 });
    await a.cancel({});
    await a.end(accepted(two, 'u'));
    assert.deepEqual(await b.progress(null), { ended: 0, total: 0 });
  });

  it('finds rows by name, folder, dataset, task ID, status, message, failure code or HTTP status', async () => {
    const upload = await beginOne(a, 'rejected.md', { relativePath: 'guides/rejected.md' });
    await a.end(rejected(upload.attempt, '4711'));
    const sent = await beginOne(a, 'failed.md');
    await a.end(accepted(sent.attempt, 'T-1006'));
    const found = { meaning: 'failed', status: 'BAD_TEXT', message: '100% of line 3 is not UTF-8.' } as const;
    await reportTask(a, sent.import, typedTaskId('T-1006', 'string'), found);
    for (const text of ['rejected', 'guides/', '4711', 'No.'])
      assert.deepEqual(await namesIn(a, { text }), ['rejected.md']);
    for (const text of ['t-1006', 'BAD_', '100%', 'utf-8']) assert.deepEqual(await namesIn(a, { text }), ['failed.md']);
    assert.deepEqual(await namesIn(a, { text: 'Manuals' }), ['failed.md', 'rejected.md']);
    const large = { name: 'Rejected', by: 'status', status: 413, excerpt: '' };
    await a.end(rejected((await beginOne(a, 'large.md')).attempt, '', { cause: large }));
    const { import: checked } = await acceptedOne(a, 'checked.md');
    const cause = { name: 'Rejected', by: 'envelope', status: 200, code: '77', message: 'No such task' };
    await reportTask(a, checked, taskIdOf('t-checked.md'), { cause });
    assert.deepEqual(await namesIn(a, { text: 'http 413' }), ['large.md']);
    for (const text of ['such task', '77']) assert.deepEqual(await namesIn(a, { text }), ['checked.md']);
    for (const text of ['200', 'ConnectionLost', 'null', 'envelope', '10_%'])
      assert.deepEqual(await namesIn(a, { text }), []);
  });

  it('finds a moved file by its earlier name, but not by the failure code of an earlier import', async () => {
    await a.end(rejected((await beginOne(a, 'topic-100.md')).attempt, '4711'));
    const to = { path: '/notes/renamed.md', name: 'renamed.md', relativePath: 'notes/renamed.md' };
    await a.move({ destination: MANUALS, files: [{ from: '/notes/topic-100.md', ...to }] });
    const { import: newest } = await rowNamed(a, 'renamed.md');
    await a.queue(requestOf('again', [fileOf('renamed.md', { seen: newest.id })]));
    assert.deepEqual(await namesIn(a, { text: 'topic-100' }), ['renamed.md']);
    assert.deepEqual(await namesIn(a, { text: '4711' }), []);
  });

  it('finds unfinished tasks that have not changed since a given time', async () => {
    await a.end(accepted((await beginOne(a, 'old')).attempt, 'old'));
    await a.end(rejected((await beginOne(a, 'rejected')).attempt));
    windows.clock.jump(1000);
    const quietSinceMs = windows.clock.now();
    await a.end(accepted((await beginOne(a, 'new')).attempt, 'new'));
    assert.deepEqual(await namesIn(a, { quietSinceMs }), ['old']);
  });

  it('sorts the rows within each state by when they were added or last imported', async () => {
    for (const name of ['1', '2', '3']) await a.queue(requestOf(name, [fileOf(name)]));
    await a.end(rejected((await beginOne(a, 'rejected')).attempt));
    await a.cancel({ files: [(await rowNamed(a, '1')).id] });
    const { import: seen } = await rowNamed(a, '1');
    await a.queue(requestOf('again', [fileOf('1', { seen: seen.id })]));
    assert.deepEqual(await namesIn(a), ['rejected', '1', '2', '3']);
    assert.deepEqual(await namesIn(a, {}, true), ['rejected', '1', '3', '2']);
  });

  it('lists batches with the time of their latest run', async () => {
    const { batch } = await a.queue(requestOf('1', [fileOf('1'), fileOf('2')]));
    const [before] = await a.batches([batch]);
    windows.clock.jump(1000);
    await a.queue(requestOf('2', [fileOf('3'), fileOf('4')]));
    const [after] = await a.batches([batch]);
    assert.ok(before && after);
    assert.equal(after.beganMs - before.beganMs, 1000);
  });

  it('counts problems by destination, leaving out files that the user canceled', async () => {
    await a.queue(requestOf('r', filesOf('a', 'b')));
    await a.cancel({});
    const { import: id } = await acceptedOne(a, 'c');
    await reportTask(a, id, taskIdOf('t-c'), { meaning: 'failed' });
    await a.queue(requestOf('later', filesOf('d')));
    assert.deepEqual(await a.counts(null), {
      states: { notUploaded: 2, failed: 1, queued: 1 },
      problems: [{ value: 1, counts: { failed: 1 } }],
    });
  });

  it('returns group counts, batch summaries and pages of rows', async () => {
    await acceptedOne(a, 'single');
    const { imports, batch } = await a.queue(requestOf('r', filesOf('a', 'b', 'c')));
    await a.begin([{ import: imports[2] ?? 0, attempt: 'A 3' }]);
    await a.end(rejected('A 3'));
    assert.deepEqual(await namesIn(a), ['c', 'a', 'b', 'single']);
    assert.deepEqual(await namesIn(a, { batch: null }), ['single']);
    assert.deepEqual(await namesIn(a, { states: ['rejected', 'waiting'] }), ['c', 'single']);
    assert.deepEqual(await namesIn(a, { run: 'r', states: ['queued'] }), ['a', 'b']);
    const part = await a.page({ filter: {}, limit: 2 });
    assert.deepEqual([part.rows.map(({ name }) => name), part.hasMore], [['c', 'a'], true]);
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
      { value: 'rejected Rejected 42 No.', counts: { rejected: 1 } },
    ]);
    const found = await a.batchPage(batch ?? 0);
    const reasons = found?.reasons.map(({ reason, count }) => [reason, count]);
    assert.deepEqual(reasons, [['rejected Rejected 42 No.', 1]]);
    const sums = found?.runs.map((run) => run.sums);
    assert.deepEqual(sums, [{ queued: 2, rejected: 1 }]);
    assert.equal(found?.course.uploaded.at(-1), 0);
  });

  it('groups rejections by code and HTTP status, but not by numbers in their messages', async () => {
    const causes = [
      { status: 404 },
      { status: 413 },
      { status: 200, code: '40013', message: 'Line 7 is bad' },
      { status: 200, code: '40013', message: 'Line 12 is bad' },
      { status: 200, code: '40029', message: 'Line 7 is bad' },
    ];
    for (const [index, cause] of causes.entries())
      await a.end(rejected((await beginOne(a, `${index}`)).attempt, '', { cause: { name: 'Rejected', ...cause } }));
    const groups = await a.groups({ by: 'reason', filter: {} });
    assert.deepEqual(
      groups.map(({ value, counts }) => [value, counts.rejected]),
      [
        ['rejected Rejected 40013 200 Line # is bad', 2],
        ['rejected Rejected 40029 200 Line # is bad', 1],
        ['rejected Rejected 404', 1],
        ['rejected Rejected 413', 1],
      ],
    );
  });

  it('groups unrecognized statuses by number only if the whole status is a number', () => {
    const reasons = ['3', '12', 'STEP 3', 'STEP 12'].map((status) => reasonOf('unknown', status, null));
    assert.deepEqual(reasons, ['unknown 3', 'unknown 12', 'unknown STEP #', 'unknown STEP #']);
  });

  it('reports each changed row to a window exactly once', async () => {
    await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const [one, two] = [(await rowNamed(b, '1')).id, (await rowNamed(b, '2')).id];
    const changesAfter = async (version: number) => {
      const changes = await b.changesSince({ version, shown: [one, two] });
      return { ...changes, rows: changes.rows.map(({ id, state, removed }) => ({ id, state, removed })) };
    };
    const seen = await changesAfter(0);
    assert.equal(seen.rows.map(({ id }) => id).join(), `${one},${two}`);
    assert.deepEqual((await changesAfter(seen.version)).rows, []);
    await a.cancel({ files: [two] });
    const next = await changesAfter(seen.version);
    assert.deepEqual(next.rows, [{ id: two, state: 'notUploaded', removed: false }]);
    await a.remove({ files: [two] });
    const removed = await changesAfter(next.version);
    assert.deepEqual(removed.rows, [{ id: two, state: 'notUploaded', removed: true }]);
    // The removed row has the highest version. That version must not be reused, even after the row is deleted.
    windows.clock.advance(3 * 3_600_000);
    await a.clear({ days: 90, rows: 1000 });
    await a.cancel({ files: [one] });
    const last = await changesAfter(removed.version);
    assert.deepEqual(last.rows, [{ id: one, state: 'notUploaded', removed: false }]);
    await a.clear({ days: 90, rows: 1000 });
    assert.deepEqual((await changesAfter(0)).deleted, [two]);
  });
});
