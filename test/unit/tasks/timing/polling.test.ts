import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Polling } from '../../../../src/tasks/timing/polling';
import { until } from '../until';

/** Turns that end when the test lets them. */
class Turns {
  readonly begun: AbortSignal[] = [];
  underWay = 0;
  mostAtOnce = 0;
  #end = Promise.withResolvers<void>();

  readonly turn = async (signal: AbortSignal): Promise<void> => {
    this.begun.push(signal);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.underWay);
    await this.#end.promise;
    this.underWay--;
  };

  /** Lets the turns in progress end. */
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
  it('takes a turn right away, then one after the other', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 1);
    polling.start();
    for (let count = 1; count <= 4; count++) {
      await until(() => turns.begun.length === count);
      turns.end();
    }
    polling.stop();
    assert.equal(turns.mostAtOnce, 1);
  });

  it('does nothing before it is started, and nothing more if it is started twice', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 1);
    await settle();
    assert.equal(turns.begun.length, 0);
    polling.start();
    polling.start();
    await settle();
    assert.equal(turns.begun.length, 1);
    polling.stop();
    assert.equal(turns.begun[0]?.aborted, true);
    turns.end();
  });

  it('aborts the turn when it is stopped, and takes no other turn', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 0);
    polling.start();
    await until(() => turns.begun.length === 1);
    assert.equal(turns.begun[0]?.aborted, false);
    polling.stop();
    assert.equal(turns.begun[0]?.aborted, true);
    turns.end();
    await until(() => turns.underWay === 0);
    await settle();
    assert.equal(turns.begun.length, 1);
  });

  it('leaves no timer when it is stopped during a pause', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    await settle();
    const before = timers();
    const turns = new Turns();
    const polling = new Polling(turns.turn, 3_600_000);
    polling.start();
    await until(() => turns.begun.length === 1);
    turns.end();
    await until(() => timers() === before + 1);
    polling.stop();
    await settle();
    assert.equal(timers(), before);
  });

  it('runs one loop if it is started, stopped and started quickly', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 1);
    for (let count = 0; count < 5; count++) {
      polling.start();
      polling.stop();
    }
    polling.start();
    for (let count = 1; count <= 3; count++) {
      await until(() => turns.begun.length === count);
      turns.end();
    }
    await until(() => turns.begun.length === 4);
    await settle();
    assert.deepEqual([turns.mostAtOnce, turns.underWay], [1, 1]);
    polling.stop();
    turns.end();
  });

  it('waits for the end of a stopped turn when it is started again', async () => {
    const turns = new Turns();
    const polling = new Polling(turns.turn, 1);
    polling.start();
    await until(() => turns.begun.length === 1);
    polling.stop();
    polling.start();
    await settle();
    assert.equal(turns.begun.length, 1);
    turns.end();
    await until(() => turns.begun.length === 2);
    assert.deepEqual([turns.mostAtOnce, turns.begun[1]?.aborted], [1, false]);
    polling.stop();
    turns.end();
  });
});
