import assert from 'node:assert/strict';
import { Redraws } from '../../../../src/editor/platform/redraws';

describe('The redraws of a tree', () => {
  it('also come for rows that could not be prepared, and go on after them', async () => {
    const redraws = new Redraws<string>(1, () => Promise.reject(new Error('The task database cannot be read.')));
    const drawn: unknown[] = [];
    redraws.event((rows) => drawn.push(rows));
    for (const row of ['a', 'b']) {
      redraws.rows([row]);
      await redraws.drawn();
    }
    redraws.all();
    await redraws.drawn();
    redraws.dispose();
    assert.deepEqual(drawn, [['a'], ['b'], undefined]);
  });

  it('take what was asked for in a pause together, at its end', async () => {
    const redraws = new Redraws<string>(1, async (rows) => rows?.filter((row) => row !== 'same'));
    const drawn: unknown[] = [];
    redraws.event((rows) => drawn.push(rows));
    redraws.rows(['a', 'same']);
    redraws.rows(['b']);
    await redraws.drawn();
    for (const row of ['c', 'd', 'c']) redraws.rows([row]);
    await redraws.drawn();
    redraws.rows(['same']);
    await redraws.drawn();
    redraws.dispose();
    assert.deepEqual(drawn, [
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });
});
