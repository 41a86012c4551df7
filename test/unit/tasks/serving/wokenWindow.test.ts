import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { LEASE_MS } from '../../../../src/tasks/leases/windowLease';
import { RawServer } from '../../service/rawServer';
import { taking } from '../../service/responses';
import { type EditorParts, editorWindow, filesOf, takeTurn } from '../editorWindow';
import { HandClock } from '../handClock';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const AT_ONCE = 4;

/** Lets every window count as gone for the others, as one does that was stopped past its lease. */
function forgetWindows({ path }: TemporaryStore): void {
  const db = new DatabaseSync(path);
  db.exec('DELETE FROM windows');
  db.close();
}

const haveEnded = ({ list }: EditorParts, count: number) =>
  list.held.length === count && list.held.every(({ phase }) => phase.kind !== 'queued' && phase.kind !== 'sending');

describe('A window that was stopped past its lease, and wakes', () => {
  it('imports again at once, though what it was sending has no response yet', async () => {
    await using store = await TemporaryStore.make();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await using slow = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      // All that is sent beside the first one is answered late.
      if (count > 1 && count <= 1 + AT_ONCE) await released;
      await taking(peer, count);
    });
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    using one = editorWindow(store.list(), slow.url, { clock, allowed: () => AT_ONCE });
    using two = editorWindow(store.list(), server.url);
    const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`);
    await one.queue.add(await filesOf(store, ...names), 'Books');
    await until(() => slow.posts === 1 + AT_ONCE);
    forgetWindows(store);
    clock.advance(LEASE_MS);
    await until(async () => {
      await takeTurn(two);
      return haveEnded(two, names.length);
    });
    await takeTurn(one);
    const more = Array.from({ length: AT_ONCE }, (_, index) => `more ${index}.txt`);
    const run = await one.queue.add(await filesOf(store, ...more), 'Books');
    await until(async () => {
      await takeTurn(one);
      return run.hasEnded;
    });
    release();
    await until(async () => {
      await takeTurn(one);
      return one.list.held.every(({ phase }) => phase.kind === 'accepted');
    });
    // Nothing was sent twice.
    assert.equal(slow.posts + server.posts, names.length + more.length);
  });
});
