import assert from 'node:assert/strict';
import { FollowLeases } from '../../../../src/tasks/leases/followLeases';
import { LEASE_MS, thisWindow } from '../../../../src/tasks/leases/windowLease';
import { HandClock } from '../handClock';
import { goneWindow, TemporaryStore } from '../temporaryStore';

const SECOND = 1000;

describe('The leases of windows that follow tasks', () => {
  let store: TemporaryStore;
  let clock: HandClock;

  beforeEach(async () => {
    store = await TemporaryStore.make();
    clock = new HandClock();
  });

  afterEach(() => store[Symbol.asyncDispose]());

  const leasesOf = (window = thisWindow()) => new FollowLeases(store.file(), clock.monotonicMs, window);
  const held = async (leases: FollowLeases, ...wanted: string[]) => [...(await leases.update(wanted, undefined)).held];

  it('are held by one window alone for each destination', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    assert.deepEqual(await held(one, 'Books'), ['Books']);
    assert.deepEqual(await held(other, 'Books', 'Maps'), ['Maps']);
    assert.deepEqual([...(await other.update(['Books', 'Maps'], undefined)).elsewhere], ['Books']);
    assert.deepEqual(await held(one, 'Books', 'Maps'), ['Books']);
  });

  it('go to another window once their holder can ask no more, or closes', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, 'Books', 'Maps');
    assert.deepEqual(await held(one, 'Maps'), ['Maps']);
    assert.deepEqual(await held(other, 'Books', 'Maps'), ['Books']);
    await one.release();
    assert.deepEqual((await held(other, 'Books', 'Maps')).sort(), ['Books', 'Maps']);
  });

  it('go to another window as soon as the process of their holder has ended', async () => {
    assert.deepEqual(await held(leasesOf(goneWindow()), 'Books'), ['Books']);
    assert.deepEqual(await held(leasesOf(), 'Books'), ['Books']);
  });

  it('stay with a holder that renews them, and leave one that has not for two leases', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, 'Books');
    for (let seconds = 0; seconds < 60; seconds++) {
      clock.advance(SECOND);
      await held(one, 'Books');
      assert.deepEqual(await held(other, 'Books'), []);
    }
    for (let seconds = 0; seconds < (2 * LEASE_MS) / SECOND; seconds++) {
      assert.deepEqual(await held(other, 'Books'), []);
      clock.advance(SECOND);
    }
    assert.deepEqual(await held(other, 'Books'), ['Books']);
    assert.deepEqual(await held(one, 'Books'), [], 'its old holder follows on');
  });

  it('stay where the machine slept, which no window has noticed', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, 'Books');
    await held(other, 'Books');
    clock.advance(8 * 3600 * SECOND);
    assert.deepEqual(await held(other, 'Books'), []);
    assert.deepEqual(await held(one, 'Books'), ['Books']);
  });

  it('are certain for no longer than others leave them', async () => {
    const one = leasesOf();
    const { heldUntilMs } = await one.update(['Books'], undefined);
    assert.equal(heldUntilMs, clock.monotonicMs() + LEASE_MS);
    clock.advance(4 * SECOND);
    assert.equal((await one.update(['Books'], undefined)).heldUntilMs, heldUntilMs, 'written more often than needed');
    clock.advance(SECOND);
    assert.equal((await one.update(['Books'], undefined)).heldUntilMs, clock.monotonicMs() + LEASE_MS);
  });

  it('tell every window whether a view is visible in any, and at what a person looks there', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    const seen = async () => {
      const { isWatched, looked } = await one.update(['Books'], undefined);
      return [isWatched, [...looked]];
    };
    assert.deepEqual(await seen(), [false, []]);
    await other.update([], []);
    assert.deepEqual(await seen(), [true, []]);
    await other.update([], [7, 9]);
    assert.deepEqual(await seen(), [true, [7, 9]]);
    await other.update([], undefined);
    assert.deepEqual(await seen(), [false, []]);
  });

  it('forget the view of a window that is gone', async () => {
    await leasesOf(goneWindow()).update([], [7]);
    const { isWatched, looked } = await leasesOf().update([], undefined);
    assert.deepEqual([isWatched, looked.size], [false, 0]);
  });

  it('write nothing for a window that has nothing to follow', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, 'Books');
    await held(other, 'Books');
    await held(other);
    const rows = await store.file().read((db) => db.prepare('SELECT id FROM followers').all());
    assert.equal(rows.length, 1);
  });
});
