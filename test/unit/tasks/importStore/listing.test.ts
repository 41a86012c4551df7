import assert from 'node:assert/strict';
import { accepted, fileOf, requestOf, rowNamed, StoreWindows } from './storeWindows';

describe('Listing in the store', () => {
  it('walks all rows of a filter once, even if a row changes its rank between two pages', async () => {
    await using files = await StoreWindows.make();
    const window = files.open('A');
    const { imports } = await window.queue(
      requestOf(
        'r',
        ['1', '2', '3'].map((name) => fileOf(name)),
      ),
    );
    const first = await window.rowsAfter({ filter: {}, after: 0, limit: 2 });
    const [attempt, last] = [window.attempt('1'), first.at(-1)?.id ?? 0];
    await window.begin([{ import: imports[0] ?? 0, attempt }]);
    await window.end(accepted(attempt, 't'));
    const rest = await window.rowsAfter({ filter: {}, after: last, limit: 2 });
    assert.deepEqual(
      [...first, ...rest].map(({ name }) => name),
      ['1', '2', '3'],
    );
    assert.deepEqual(await window.rowsAfter({ filter: { states: ['succeeded'] }, after: 0, limit: 2 }), []);
  });

  it('counts how far the unfinished runs are, the same in all windows', async () => {
    await using files = await StoreWindows.make();
    const [a, b] = files.pair();
    assert.deepEqual(await a.progress(null), { ended: 0, total: 0 });
    const { imports } = await a.queue(
      requestOf(
        'r',
        ['1', '2', '3'].map((name) => fileOf(name)),
      ),
    );
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

  it('shows in the details how many files each run had, and the earlier name of a moved file', async () => {
    await using files = await StoreWindows.make();
    const window = files.open('A');
    const { imports } = await window.queue(requestOf('r', [fileOf('1'), fileOf('2')]));
    const [attempt, seen] = [window.attempt('1'), imports[0] ?? 0];
    await window.begin([{ import: seen, attempt }]);
    await window.end(accepted(attempt, 't'));
    const { id: row } = await rowNamed(window, '1');
    await window.queue(requestOf('again', [fileOf('moved', { row, seen })]));
    const details = await window.details(row);
    assert.deepEqual(
      details?.imports.map(({ run, runFiles }) => [run, runFiles]),
      [
        ['again', 1],
        ['r', 2],
      ],
    );
    assert.deepEqual(
      details.events.map(({ event }) => event),
      [{ kind: 'renamed', from: 'notes/1' }],
    );
  });
});
