import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type Destination, oncePerTurn } from '../../../src/tasks/destination';

describe('What is asked about a destination by thousands of rows', () => {
  it('is asked once for each destination, and anew in the next turn of the event loop', async () => {
    const asked: string[] = [];
    const ask = oncePerTurn(({ dataset, origin }: Destination) => asked.push(`${dataset} at ${origin}`));
    const one = { dataset: 'Books', origin: 'https://one.example' };
    const other = { dataset: 'Books', origin: 'https://other.example' };
    for (let row = 0; row < 1000; row++) assert.deepEqual([ask({ ...one }), ask(other)], [1, 2]);
    await setImmediate();
    assert.equal(ask(one), 3);
    const [first, second] = ['Books at https://one.example', 'Books at https://other.example'];
    assert.deepEqual(asked, [first, second, first]);
  });
});
