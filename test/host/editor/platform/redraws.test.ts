import assert from 'node:assert/strict';
import { Redraws } from '../../../../src/editor/platform/redraws';
import { until } from '../../until';

describe('A throttled event', () => {
  it('fires immediately for the first change, and once for all changes during a pause', async () => {
    const redraws = new Redraws<string>(1);
    const drawn: unknown[] = [];
    redraws.event((rows) => drawn.push(rows));
    redraws.rows(['a', 'b']);
    assert.deepEqual(drawn, [['a', 'b']]);
    for (const row of ['c', 'd', 'c']) redraws.rows([row]);
    redraws.rows([]);
    await until('the second event', () => drawn.length === 2);
    assert.deepEqual(drawn[1], ['c', 'd']);
    redraws.all();
    redraws.rows(['e']);
    await until('the third event', () => drawn.length === 3);
    assert.equal(drawn[2], undefined);
    redraws.dispose();
  });
});
