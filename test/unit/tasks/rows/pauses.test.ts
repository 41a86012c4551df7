import assert from 'node:assert/strict';
import { destinationKey } from '../../../../src/tasks/destination';
import { NOON, TemporaryStore, taskOf } from '../temporaryStore';

const destination = { dataset: 'Manuals', origin: 'https://import.example.com' };
const key = destinationKey(destination);
const batch = { id: 'b', label: 'docs' };

describe('The pauses of a destination', () => {
  let store: TemporaryStore;
  let nowMs: number;

  beforeEach(async () => {
    store = await TemporaryStore.make();
    nowMs = NOON;
  });
  afterEach(() => store[Symbol.asyncDispose]());

  /** A window that serves the destination, and what the page of a batch there shows of pauses. */
  async function serving() {
    const parts = store.parts(store.file(), () => nowMs);
    await parts.tasks.add([taskOf({ ...destination, batch, createdMs: NOON, phase: { kind: 'queued' } })]);
    await parts.leases.update({ wanted: [key], isReporting: false });
    const pausesAt = (text: string | null) => parts.leases.showPause(key, text);
    const shown = async () => {
      const { pauses = [] } = (await parts.history.batchPage('b', nowMs)) ?? {};
      return pauses.map(({ beganMs, endedMs, reason }) => [beganMs - NOON, endedMs && endedMs - NOON, reason]);
    };
    return { pausesAt, shown, leases: parts.leases };
  }

  const pauseOf = (kind: string, untilWallMs: number) => JSON.stringify({ reason: { kind }, untilWallMs });

  it('are kept with their reasons, from when they began until they ended', async () => {
    const { pausesAt, shown } = await serving();
    await pausesAt(pauseOf('checks', 1));
    assert.deepEqual(await shown(), [[0, undefined, pauseOf('checks', 1)]]);
    nowMs += 5000;
    await pausesAt(null);
    nowMs += 1000;
    await pausesAt(pauseOf('store', 1));
    assert.deepEqual(await shown(), [
      [0, 5000, pauseOf('checks', 1)],
      [6000, undefined, pauseOf('store', 1)],
    ]);
  });

  it('are one for as long as the reason stays, however often it is tried again', async () => {
    const { pausesAt, shown } = await serving();
    await pausesAt(pauseOf('checks', 1));
    nowMs += 5000;
    await pausesAt(pauseOf('checks', 2));
    nowMs += 5000;
    await pausesAt(pauseOf('store', 3));
    assert.deepEqual(await shown(), [
      [0, 10_000, pauseOf('checks', 1)],
      [10_000, undefined, pauseOf('store', 3)],
    ]);
  });

  it('say nothing of one whose window was closed in the midst of it, or of those before the import', async () => {
    const { pausesAt, shown, leases } = await serving();
    nowMs = NOON - 60_000;
    await pausesAt(pauseOf('checks', 1));
    nowMs += 30_000;
    await pausesAt(null);
    nowMs = NOON + 1000;
    await pausesAt(pauseOf('store', 1));
    await leases.release();
    assert.deepEqual(await shown(), []);
  });

  it('are kept for 90 days', async () => {
    const { pausesAt, shown } = await serving();
    await pausesAt(pauseOf('checks', 1));
    await pausesAt(null);
    nowMs += 91 * 86_400_000;
    await pausesAt(pauseOf('store', 1));
    assert.equal((await shown()).length, 1);
  });
});
