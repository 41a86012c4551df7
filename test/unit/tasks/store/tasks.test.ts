import assert from 'node:assert/strict';
import type { TaskId } from '../../../../src/service/json/taskId';
import { type Found, MANUALS, reportOf, reportTask, taskIdOf, unconfirmed } from './storeRequests';
import { a, acceptedOne, b, beforeEachPair, beginOne, rowNamed, windows } from './storeWindows';

const idsOf = (tasks: readonly { readonly id: TaskId }[]) => tasks.map(({ id }) => id);

describe('The task store', () => {
  beforeEachPair();

  it("combines the states of a file's tasks into one state", async () => {
    const { import: id } = await acceptedOne(a, '1', ['x', 'y']);
    const stateAfter = async (task: string, facts: Found) => {
      assert.equal(await reportTask(a, id, taskIdOf(task), facts), true);
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
    await a.checkAgain({ destination: 1, statuses: null, messages: false });
    assert.deepEqual(await stateAfter('y', { meaning: 'succeeded', byMapping: true }), ['succeeded', false]);
    const { events } = (await a.details((await rowNamed(a, '1')).id)) ?? { events: [] };
    assert.equal(events.length, 5);
  });

  it('lists all unfinished tasks the first time, and after that only those that have changed', async () => {
    const one = await acceptedOne(a, '1');
    const two = await acceptedOne(a, '2');
    const first = await a.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    assert.deepEqual(idsOf(first.tasks), [taskIdOf('t-1'), taskIdOf('t-2')]);
    await reportTask(a, one.import, taskIdOf('t-1'), { meaning: 'succeeded' });
    await reportTask(a, two.import, taskIdOf('t-2'));
    const next = await a.unfinishedTasks({ destination: 1, since: first.version, after: 0 });
    assert.equal(next.files.includes((await rowNamed(a, '1')).id), true);
    assert.deepEqual(idsOf(next.tasks), [taskIdOf('t-2')]);
  });

  it('attaches a task ID to an import only if the import is unconfirmed, has no task ID yet, or has one that the service has never recognized', async () => {
    const lost = await beginOne(a, '1', { path: null, textFile: 'text' });
    await a.end(unconfirmed(lost.attempt));
    const without = await acceptedOne(a, '2', []);
    assert.equal((await rowNamed(a, '2')).state, 'noId');
    const has = await acceptedOne(a, '3', ['t-3']);
    const rows = [lost, without, has].map(({ import: id }, index) => ({ import: id, ids: [taskIdOf(`m${index}`)] }));
    assert.deepEqual(await a.attach({ rows, byMapping: true }), ['attached', 'attached', 'notWaiting']);
    assert.deepEqual(await a.textFiles(null), []);
    assert.deepEqual([(await rowNamed(a, '1')).state, (await rowNamed(a, '2')).state], ['waiting', 'waiting']);
    const mistaken = await acceptedOne(a, '5', ['lot']);
    const pick = (id: string) =>
      a.attach({ rows: [{ import: mistaken.import, ids: [taskIdOf(id)] }], byMapping: true });
    assert.deepEqual(await pick('right'), ['notWaiting']);
    await reportTask(a, mistaken.import, taskIdOf('lot'), { cause: { name: 'Rejected', forgotten: true } });
    assert.deepEqual([await pick('lot'), await pick('right')].flat(), ['notWaiting', 'attached']);
    assert.deepEqual(idsOf((await rowNamed(a, '5')).tasks), [taskIdOf('right')]);
    const last = await acceptedOne(a, '4', []);
    const taken = [{ import: last.import, ids: [taskIdOf('t-3')] }];
    assert.deepEqual(await a.attach({ rows: taken, byMapping: true }), ['repeatedId']);
    assert.deepEqual(await a.attach({ rows: taken, byMapping: false }), ['attached']);
    // Only the user may replace an ID that the user typed.
    await reportTask(a, last.import, taskIdOf('t-3'), { cause: { name: 'Rejected', forgotten: true } });
    const other = [{ import: last.import, ids: [taskIdOf('other')] }];
    assert.deepEqual(await a.attach({ rows: other, byMapping: true }), ['notWaiting']);
    assert.deepEqual(await a.attach({ rows: other, byMapping: false }), ['attached']);
    windows.checkRows();
  });

  it('never attaches an ID that another file had, even if the upload of that file was forgotten', async () => {
    await acceptedOne(a, '1', ['t']);
    const { import: repeated } = await acceptedOne(a, '2', ['t']);
    const { import: without } = await acceptedOne(a, '3', []);
    const attach = (id: string, one = repeated) =>
      a.attach({ rows: [{ import: one, ids: [taskIdOf(id)] }], byMapping: true });
    assert.deepEqual(await attach('t', without), ['repeatedId']);
    await a.forget(MANUALS);
    for (const one of [repeated, without])
      assert.deepEqual([await attach('t', one), await attach(`own ${one}`, one)].flat(), ['notWaiting', 'attached']);
  });

  it('discards a late status check result if the task has since changed or ended', async () => {
    const { import: id } = await acceptedOne(a, '1');
    const [late, done] = [
      await reportOf(a, id, taskIdOf('t-1'), {}),
      { meaning: 'succeeded', status: 'DONE' } as const,
    ];
    await reportTask(b, id, taskIdOf('t-1'), { status: 'INDEXING' });
    assert.equal(await a.report(late), false);
    await reportTask(b, id, taskIdOf('t-1'), done);
    assert.equal(await reportTask(a, id, taskIdOf('t-1')), false);
    assert.deepEqual((await rowNamed(a, '1')).tasks[0]?.status, 'DONE');
    windows.checkRows();
  });

  it('discards the result of a status check that began before the mapping changed', async () => {
    const { import: id } = await acceptedOne(a, '1');
    const late = await reportOf(a, id, taskIdOf('t-1'), { meaning: 'succeeded', byMapping: true });
    assert.equal(await b.checkAgain({ destination: 1, statuses: null, messages: false }), 1);
    assert.equal(await a.report(late), false);
    assert.equal(await reportTask(a, id, taskIdOf('t-1'), { meaning: 'failed', byMapping: true }), true);
    assert.equal((await rowNamed(a, '1')).state, 'failed');
  });

  it("keeps the last known status if a status check fails, and doesn't store the same failure twice", async () => {
    const { import: id } = await acceptedOne(a, '1');
    const report = (found: Found) => reportTask(a, id, taskIdOf('t-1'), found);
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

  it('does not count a manual status check as progress', async () => {
    for (const name of ['1', '2', '3']) {
      const { import: id } = await acceptedOne(a, name);
      await reportTask(a, id, taskIdOf(`t-${name}`), name === '3' ? { meaning: 'succeeded' } : {});
    }
    const before = await rowNamed(a, '1');
    const { version } = await a.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    windows.clock.advance(1000);
    assert.equal(await b.checkNow({ files: [before.id, (await rowNamed(a, '3')).id] }), 1);
    const { tasks } = await a.unfinishedTasks({ destination: 1, since: version, after: 0 });
    const checks = tasks.map(({ id, checkedMs }) => [id, checkedMs]);
    assert.deepEqual(checks, [[taskIdOf('t-1'), 0]]);
    // The user wants to see when the task was checked, so the result is stored even if nothing has changed.
    await reportTask(a, before.import.id, taskIdOf('t-1'), { response: 'the newest' });
    const after = await rowNamed(a, '1');
    assert.deepEqual([after.changedMs, after.tasks[0]?.checkedMs], [before.changedMs, before.changedMs + 1000]);
    assert.equal((await a.details(after.id))?.responses.query, 'the newest');
  });

  it('rechecks a finished task after a mapping change only if its result came from the mapping', async () => {
    for (const [name, byMapping] of [
      ['mapped', true],
      ['usual', false],
      ['stopped', true],
    ] as const) {
      const { import: id } = await acceptedOne(a, name);
      await reportTask(a, id, taskIdOf(`t-${name}`), { byMapping, ...(name !== 'stopped' && { meaning: 'failed' }) });
    }
    await a.stopTracking({});
    assert.equal(await a.checkAgain({ destination: 1, statuses: null, messages: false }), 1);
    const { tasks } = await a.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    assert.deepEqual(idsOf(tasks), [taskIdOf('t-mapped')]);
    assert.equal((await rowNamed(a, 'mapped')).state, 'waiting');
    windows.checkRows();
  });

  it('rechecks only the tasks whose results depend on the changed part of the mapping', async () => {
    for (const [status, meaning] of [
      ['FIN', 'succeeded'],
      ['BROKEN', 'failed'],
      ['LOST', 'failed'],
    ] as const) {
      const { import: id } = await acceptedOne(a, status);
      await reportTask(a, id, taskIdOf(`t-${status}`), { status, meaning, byMapping: true });
    }
    const recheck = (statuses: readonly string[], messages: boolean) =>
      a.checkAgain({ destination: 1, statuses, messages });
    assert.equal(await recheck([], false), 0);
    assert.equal(await recheck(['LOST', 'OTHER'], false), 1);
    assert.equal(await recheck([], true), 2);
    const states = await Promise.all(['FIN', 'BROKEN', 'LOST'].map(async (name) => (await rowNamed(a, name)).state));
    assert.deepEqual(states, ['succeeded', 'waiting', 'waiting']);
  });

  it("keeps a task's result if a recheck finds that the service has forgotten the task", async () => {
    const { import: id } = await acceptedOne(a, '1');
    await reportTask(a, id, taskIdOf('t-1'), { status: 'FIN', meaning: 'succeeded', byMapping: true });
    await a.checkAgain({ destination: 1, statuses: null, messages: false });
    await reportTask(a, id, taskIdOf('t-1'), { cause: { name: 'Rejected', status: 401, rejected: true } });
    assert.equal((await rowNamed(a, '1')).state, 'waiting');
    for (const found of [{ cause: { name: 'Rejected', forgotten: true } }, { meaning: 'none' }] as const) {
      await reportTask(a, id, taskIdOf('t-1'), found);
      const { state, reason, unfinished } = await rowNamed(a, '1');
      assert.deepEqual({ state, reason, unfinished }, { state: 'succeeded', reason: null, unfinished: false });
      windows.checkRows();
      await a.checkAgain({ destination: 1, statuses: null, messages: false });
    }
  });

  it('lists the unrecognized statuses of tasks that later reported a different status in the same field', async () => {
    const [one, two] = [await acceptedOne(a, '1'), await acceptedOne(a, '2')];
    await reportTask(a, one.import, taskIdOf('t-1'), { status: 'IN_WORK', meaning: 'unknown' });
    await reportTask(a, two.import, taskIdOf('t-2'), { status: 'ODD', meaning: 'unknown' });
    const passed = (source: string | null) => b.passedStatuses({ destination: 1, source });
    assert.deepEqual(await passed(null), []);
    await reportTask(a, one.import, taskIdOf('t-1'), { status: 'FIN', meaning: 'succeeded' });
    assert.deepEqual(await passed(null), ['IN_WORK']);
    const other = { meaning: 'unknown', source: '/phase' } as const;
    await reportTask(a, two.import, taskIdOf('t-2'), { status: 'OF_ANOTHER_FIELD', ...other });
    assert.deepEqual([await passed(null), await passed('/phase')], [['IN_WORK'], []]);
    await reportTask(a, two.import, taskIdOf('t-2'), { status: 'NEXT', ...other });
    assert.deepEqual([await passed(null), await passed('/phase')], [['IN_WORK'], ['OF_ANOTHER_FIELD']]);
  });

  it('lists every import response without a task ID, even if its row was removed, but only one query response for each distinct status', async () => {
    const [one, two] = [await acceptedOne(a, '1', []), await acceptedOne(a, '2', [])];
    for (const name of ['3', '4', '5']) {
      const { import: id } = await acceptedOne(a, name);
      const status = name === '5' ? 'ODD' : 'RUNNING';
      await reportTask(a, id, taskIdOf(`t-${name}`), { status, response: `response ${name}` });
    }
    await a.remove({ files: [(await rowNamed(a, '2')).id] });
    const waiting = await a.responses({ destination: 1, kind: 'import', after: 0 });
    const imports = waiting.map((found) => found.import);
    assert.deepEqual(imports, [one.import, two.import]);
    assert.equal((await a.responses({ destination: 1, kind: 'import', after: one.import })).length, 1);
    const results = await a.responses({ destination: 1, kind: 'query', after: 0 });
    assert.deepEqual(results.map(({ text }) => text).sort(), ['response 4', 'response 5']);
  });

  it('adds only one row for a task created elsewhere, even if the user tracks it twice', async () => {
    const file = await a.track({ destination: MANUALS, id: taskIdOf('t'), name: 't' });
    assert.equal(await a.track({ destination: MANUALS, id: taskIdOf('t'), name: 't' }), file);
    assert.equal((await rowNamed(a, 't')).state, 'waiting');
    assert.equal(await a.stopTracking({}), 1);
    assert.deepEqual([(await rowNamed(a, 't')).state, (await rowNamed(a, 't')).unfinished], ['untracked', false]);
    assert.equal(await reportTask(a, (await rowNamed(a, 't')).import.id, taskIdOf('t')), false);
    windows.checkRows();
  });
});
