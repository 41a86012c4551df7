import assert from 'node:assert/strict';
import { accepted, contentOf, fileOf, filesOf, rejected, reportTask, requestOf, taskIdOf } from './storeRequests';
import { a, acceptedOne, b, beforeEachPair, beginOne, CLOSED_PID, rowNamed, serve, windows } from './storeWindows';

describe('The task store', () => {
  beforeEachPair();

  it('announces each import run once in the window that started it, and each batch once in the window that tracks its tasks', async () => {
    const { imports, batch } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2')], { skipped: { binary: 3 } }));
    assert.deepEqual(await a.announce([1]), { runs: [], batches: [] });
    await a.begin(imports.map((id, index) => ({ import: id ?? 0, attempt: a.attempt(`${index}`) })));
    await a.end(rejected('A 1'));
    // The run's other file hasn't been sent yet.
    assert.deepEqual((await a.announce([])).runs, []);
    await a.end(accepted('A 0', 't0'));
    assert.deepEqual((await b.announce([])).runs, []);
    const [run] = (await a.announce([1])).runs;
    assert.deepEqual(
      [run?.id, run?.sums, run?.skipped, run?.batch?.label],
      ['r', { accepted: 1, rejected: 1 }, { binary: 3 }, 'notes'],
    );
    assert.deepEqual((await a.announce([1])).runs, []);
    await reportTask(a, imports[0] ?? 0, taskIdOf('t0'), { meaning: 'succeeded' });
    const both = await Promise.all([a.announce([1]), b.announce([1])]);
    const announced = both.flatMap(({ batches }) => batches.map(({ id, counts }) => [id, counts]));
    assert.deepEqual(announced, [[batch, { rejected: 1, succeeded: 1 }]]);
    // This reopens the batch, so it is announced again when it finishes.
    await b.queue(requestOf('again', [fileOf('2', { seen: imports[1] ?? 0 }), fileOf('3')]));
    await b.cancel({});
    assert.equal((await b.announce([1])).batches.length, 1);
  });

  it('does not announce an import run before all of its files are queued', async () => {
    await b.queue(requestOf('other', filesOf(...Array(2000).keys())));
    const queueing = a.queue(requestOf('r', filesOf(...Array(2001).keys())));
    assert.deepEqual((await a.announce([1])).runs, []);
    await queueing;
    await a.cancel({});
    const sums = (await a.announce([1])).runs.map((run) => run.sums);
    assert.deepEqual(sums, [{ notUploaded: 1 }]);
  });

  it('announces a single-file import once, when its task ends or the file is rejected, and again if its task ID is found later', async () => {
    const announced = async () => (await a.announce([1])).runs.map(({ id, sums }) => [id, sums]);
    const one = await beginOne(a, 'one');
    await a.end(rejected(one.attempt));
    assert.deepEqual(await announced(), [['run of one', { rejected: 1 }]]);
    const two = await acceptedOne(a, 'two', ['t']);
    assert.deepEqual(await announced(), []);
    windows.clock.advance(7_200_000);
    await reportTask(a, two.import, taskIdOf('t'), { meaning: 'succeeded' });
    assert.deepEqual(await announced(), [['run of two', { accepted: 1 }]]);
    assert.deepEqual(await announced(), []);
    const three = await acceptedOne(a, 'three', ['t3']);
    const again = await beginOne(a, 'three', { seen: three.import, attempt: 'three again' });
    await a.end(accepted(again.attempt, 't4', { content: contentOf('other') }));
    await reportTask(a, again.import, taskIdOf('t4'), { meaning: 'succeeded' });
    assert.deepEqual(await announced(), [['run of three again', { accepted: 1 }]]);
    assert.deepEqual(await announced(), []);
    const four = await acceptedOne(a, 'four', []);
    assert.deepEqual(await announced(), [['run of four', { accepted: 1 }]]);
    await a.attach({ rows: [{ import: four.import, ids: [taskIdOf('t5')] }], byMapping: true });
    assert.deepEqual(await announced(), []);
    await reportTask(a, four.import, taskIdOf('t5'), { meaning: 'failed' });
    assert.deepEqual(await announced(), [['run of four', { accepted: 1 }]]);
    // Several files without a batch are announced as soon as they are uploaded.
    const { imports } = await a.queue(requestOf('several', filesOf('a', 'b'), { batch: null }));
    await a.begin(imports.map((id, index) => ({ import: id ?? 0, attempt: a.attempt(`${index}`) })));
    await a.end(rejected('A 0'));
    await a.end(accepted('A 1', 't1'));
    assert.deepEqual(await announced(), [['several', { accepted: 1, rejected: 1 }]]);
  });

  it('counts canceled imports as not uploaded, even if their files were uploaded before', async () => {
    const seen = [await acceptedOne(a, '1'), await acceptedOne(a, '2')].map((one) => one.import);
    await a.queue(requestOf('again', [fileOf('1', { seen: seen[0] ?? 0 }), fileOf('2', { seen: seen[1] ?? 0 })]));
    await a.cancel({});
    const { runs } = await a.announce([1]);
    assert.deepEqual(runs.find(({ id }) => id === 'again')?.sums, { notUploaded: 2 });
  });

  it('announces a batch again if a changed mapping reopens one of its tasks', async () => {
    const { imports } = await a.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const one = imports[0] ?? 0;
    await a.begin([{ import: one, attempt: 'A 1' }]);
    await a.end(accepted('A 1', 't'));
    await a.cancel({});
    await reportTask(a, one, taskIdOf('t'), { meaning: 'failed', byMapping: true });
    assert.equal((await a.announce([1])).batches.length, 1);
    await a.checkAgain({ destination: 1, statuses: null, messages: false });
    await reportTask(a, one, taskIdOf('t'), { meaning: 'succeeded' });
    assert.equal((await a.announce([1])).batches.length, 1);
  });

  it('treats a batch and its destination as finished if only removed rows have unfinished tasks', async () => {
    const { imports } = await a.queue(requestOf('r', filesOf(1, 2)));
    await a.begin(imports.map((id, index) => ({ import: id ?? 0, attempt: a.attempt(`${index}`) })));
    for (const index of imports.keys()) await a.end(accepted(a.attempt(`${index}`), `t${index}`));
    await a.remove({ files: [(await rowNamed(a, '2')).id] });
    assert.deepEqual((await a.announce([1])).batches, []);
    await reportTask(a, imports[0] ?? 0, taskIdOf('t0'), { meaning: 'succeeded' });
    assert.equal((await a.announce([1])).batches.length, 1);
    assert.equal((await serve(a)).destinations[0]?.unfinished, false);
  });

  it('initially lets only the window that imported a batch announce it, but later lets any window do so', async () => {
    const endBatch = async (name: string) => {
      const { imports } = await a.queue(requestOf(name, [fileOf(`${name} 1`), fileOf(`${name} 2`)]));
      await a.begin(imports.map((id, index) => ({ import: id ?? 0, attempt: a.attempt(`${name} ${index}`) })));
      for (const index of imports.keys()) await a.end(rejected(a.attempt(`${name} ${index}`)));
      await a.serve({ able: [], checking: [] });
    };
    await endBatch('one');
    assert.deepEqual((await b.announce([])).batches, []);
    assert.equal((await a.announce([])).batches.length, 1);
    await endBatch('two');
    windows.clock.advance(16_000);
    assert.equal((await b.announce([])).batches.length, 1);
  });

  it("lets another window announce the outcome of a closed window's import run if the run ended less than an hour ago", async () => {
    const closed = windows.open('A', { pid: CLOSED_PID });
    await closed.queue(requestOf('1', [fileOf('1')]));
    await b.cancel({});
    assert.deepEqual((await b.announce([1])).runs, []);
    windows.clock.advance(16_000);
    assert.equal((await b.announce([1])).runs.length, 1);
    await closed.queue(requestOf('2', [fileOf('2')]));
    await b.cancel({});
    windows.clock.advance(3_600_000);
    assert.deepEqual((await b.announce([1])).runs, []);
    assert.equal(windows.sql('SELECT * FROM runs WHERE announced_ms IS NULL').length, 0);
  });
});
