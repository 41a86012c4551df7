import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { poll, systemClock, wait } from '../../../../src/tasks/timing/clock';
import { HandClock } from '../handClock';

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

describe('A wait', () => {
  it('ends immediately if it is aborted before or after it starts, and leaves no timer behind', async () => {
    await setImmediate();
    const before = timers();
    await wait(systemClock, 3_600_000, AbortSignal.abort());
    const stop = new AbortController();
    const waiting = wait(systemClock, 3_600_000, stop.signal);
    stop.abort();
    await waiting;
    assert.equal(timers(), before);
  });

  it('leaves no listener behind on the abort signal', async () => {
    const { signal } = new AbortController();
    await wait(systemClock, 0, signal);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('does not end early even if it exceeds the maximum delay of a Node timer', async () => {
    const stop = new AbortController();
    let over = false;
    const waiting = wait(systemClock, 2 ** 40, stop.signal).then(() => {
      over = true;
    });
    await wait(systemClock, 1, new AbortController().signal);
    await wait(systemClock, 1, new AbortController().signal);
    assert.equal(over, false);
    stop.abort();
    await waiting;
  });
});

describe('Polling', () => {
  it('makes one call at a time, with a pause after each', async () => {
    const clock = new HandClock();
    const turns: PromiseWithResolvers<void>[] = [];
    const stop = poll(clock, 20, () => {
      const turn = Promise.withResolvers<void>();
      turns.push(turn);
      return turn.promise;
    });
    for (const count of [1, 2]) {
      clock.advance(20);
      await setImmediate();
      assert.equal(turns.length, count);
      turns.at(-1)?.resolve();
      await setImmediate();
    }
    stop();
    clock.advance(20);
    await setImmediate();
    assert.deepEqual([turns.length, clock.alarms], [2, 0]);
  });
});
