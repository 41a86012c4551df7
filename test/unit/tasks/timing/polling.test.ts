import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Polling } from '../../../../src/tasks/timing/polling';
import { until } from '../until';

/** Records turns, which end when the test calls `end`. */
class Turns {
  readonly started: AbortSignal[] = [];
  running = 0;
  mostAtOnce = 0;
  #end = Promise.withResolvers<void>();

  readonly turn = async (signal: AbortSignal): Promise<void> => {
    this.started.push(signal);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.running);
    await this.#end.promise;
    this.running--;
  };

  /** Ends the turns in progress. */
  end(): void {
    this.#end.resolve();
    this.#end = Promise.withResolvers();
  }
}

/** Lets pending callbacks run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await setImmediate();
}

describe('Polling', () => {
  it('does not run a turn until it is started, and runs only one if it is started twice', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 1);
    await settle();
    assert.equal(turns.started.length, 0);
    polling.start();
    polling.start();
    await settle();
    assert.equal(turns.started.length, 1);
    polling.stop();
    turns.end();
  });

  it('aborts the current turn when it is stopped, and does not start another', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 0);
    polling.start();
    await until(() => turns.started.length === 1);
    assert.equal(turns.started[0]?.aborted, false);
    polling.stop();
    assert.equal(turns.started[0]?.aborted, true);
    turns.end();
    await until(() => turns.running === 0);
    await settle();
    assert.equal(turns.started.length, 1);
  });

  it('runs one turn at a time even if it is started and stopped several times in quick succession', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 1);
    for (let count = 0; count < 5; count++) {
      polling.start();
      polling.stop();
    }
    polling.start();
    for (let count = 1; count <= 3; count++) {
      await until(() => turns.started.length === count);
      turns.end();
    }
    await until(() => turns.started.length === 4);
    await settle();
    assert.deepEqual([turns.mostAtOnce, turns.running], [1, 1]);
    polling.stop();
    turns.end();
  });

  it('waits for the aborted turn to end if it is started again', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 1);
    polling.start();
    await until(() => turns.started.length === 1);
    polling.stop();
    polling.start();
    await settle();
    assert.equal(turns.started.length, 1);
    turns.end();
    await until(() => turns.started.length === 2);
    assert.deepEqual([turns.mostAtOnce, turns.started[1]?.aborted], [1, false]);
    polling.stop();
    turns.end();
  });
});
