import assert from 'node:assert/strict';
import { destinationKey } from '../../../../src/tasks/destination';
import { Leases } from '../../../../src/tasks/leases/leases';
import { LEASE_MS, thisWindow } from '../../../../src/tasks/leases/windowLease';
import { HandClock } from '../handClock';
import { goneWindow, TemporaryStore } from '../temporaryStore';

const SECOND = 1000;
const BOOKS = destinationKey({ dataset: 'Books', origin: undefined });
const MAPS = destinationKey({ dataset: 'Maps', origin: undefined });

describe('The leases of windows', () => {
  let store: TemporaryStore;
  let clock: HandClock;

  beforeEach(async () => {
    store = await TemporaryStore.make();
    clock = new HandClock();
  });

  afterEach(() => store[Symbol.asyncDispose]());

  const wish = (wanted: readonly string[]) => ({ wanted, isReporting: false });
  const leasesOf = (window = thisWindow()) => new Leases(store.file(), clock, window);
  const held = async (leases: Leases, ...wanted: string[]) => [...(await leases.update(wish(wanted))).held.keys()];

  it('are held by one window alone for each destination', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    assert.deepEqual(await held(one, BOOKS), [BOOKS]);
    assert.deepEqual(await held(other, BOOKS, MAPS), [MAPS]);
    assert.deepEqual([...(await other.update(wish([BOOKS, MAPS]))).elsewhere.keys()], [BOOKS]);
    assert.deepEqual(await held(one, BOOKS, MAPS), [BOOKS]);
  });

  it('go to another window once their holder can ask no more, or closes', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, BOOKS, MAPS);
    assert.deepEqual(await held(one, MAPS), [MAPS]);
    assert.deepEqual(await held(other, BOOKS, MAPS), [BOOKS]);
    await one.release();
    assert.deepEqual((await held(other, BOOKS, MAPS)).sort(), [BOOKS, MAPS]);
  });

  it('go to another window as soon as the process of their holder has ended', async () => {
    assert.deepEqual(await held(leasesOf(goneWindow()), BOOKS), [BOOKS]);
    assert.deepEqual(await held(leasesOf(), BOOKS), [BOOKS]);
  });

  it('stay with a holder that renews them, and leave one that has not for two leases', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, BOOKS);
    for (let seconds = 0; seconds < 60; seconds++) {
      clock.advance(SECOND);
      await held(one, BOOKS);
      assert.deepEqual(await held(other, BOOKS), []);
    }
    for (let seconds = 0; seconds < (2 * LEASE_MS) / SECOND; seconds++) {
      assert.deepEqual(await held(other, BOOKS), []);
      clock.advance(SECOND);
    }
    assert.deepEqual(await held(other, BOOKS), [BOOKS]);
    assert.deepEqual(await held(one, BOOKS), [], 'its old holder follows on');
  });

  it('stay where the machine slept, which no window has noticed', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, BOOKS);
    await held(other, BOOKS);
    clock.advance(8 * 3600 * SECOND);
    assert.deepEqual(await held(other, BOOKS), []);
    assert.deepEqual(await held(one, BOOKS), [BOOKS]);
  });

  it('are certain for no longer than others leave them', async () => {
    const one = leasesOf();
    const { heldUntilMs } = await one.update(wish([BOOKS]));
    assert.equal(heldUntilMs, clock.monotonicMs() + LEASE_MS);
    clock.advance(4 * SECOND);
    assert.equal((await one.update(wish([BOOKS]))).heldUntilMs, heldUntilMs, 'written more often than needed');
    clock.advance(SECOND);
    assert.equal((await one.update(wish([BOOKS]))).heldUntilMs, clock.monotonicMs() + LEASE_MS);
  });

  it('write nothing for a window that has nothing to do', async () => {
    const [one, other] = [leasesOf(), leasesOf()];
    await held(one, BOOKS);
    await held(other, BOOKS);
    await held(other);
    const rows = await store.file().read((db) => db.prepare('SELECT id FROM windows').all());
    assert.equal(rows.length, 1);
  });
});
