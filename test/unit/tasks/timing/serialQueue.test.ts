import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import { SerialQueue } from '../../../../src/tasks/timing/serialQueue';

describe('A serial queue', () => {
  it('runs operations one at a time, in order, and returns their results', async () => {
    const queue = new SerialQueue();
    const done: string[] = [];
    const run = (what: string) =>
      queue.run(async () => {
        done.push(`${what} begins`);
        await immediate();
        done.push(`${what} ends`);
        return what;
      });
    assert.deepEqual(await Promise.all([run('a'), run('b')]), ['a', 'b']);
    assert.deepEqual(done, ['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it("continues after an operation fails, and passes the error to that operation's caller", async () => {
    const queue = new SerialQueue();
    const failing = queue.run(() => Promise.reject(new Error('no')));
    const next = queue.run(async () => 'next');
    await assert.rejects(failing, /^Error: no$/);
    assert.equal(await next, 'next');
  });
});
