import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import { SerialQueue } from '../../../../src/tasks/timing/serialQueue';

describe('SerialQueue', () => {
  it('runs tasks one at a time in order, and returns each result', async () => {
    const turns = new SerialQueue();
    const done: string[] = [];
    const doing = (what: string) =>
      turns.run(async () => {
        done.push(`${what} begins`);
        await immediate();
        done.push(`${what} ends`);
        return what;
      });
    assert.deepEqual(await Promise.all([doing('a'), doing('b')]), ['a', 'b']);
    assert.deepEqual(done, ['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('continues after a failed task, whose caller gets the error', async () => {
    const turns = new SerialQueue();
    const failing = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(async () => 'next');
    await assert.rejects(failing, /^Error: no$/);
    assert.equal(await next, 'next');
  });
});
