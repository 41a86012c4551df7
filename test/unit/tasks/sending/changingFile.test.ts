import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { RawServer } from '../../service/rawServer';
import { taking } from '../../service/responses';
import { type EditorParts, editorWindow, filesOf } from '../editorWindow';
import { HandClock } from '../handClock';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const ends = ({ list }: EditorParts) =>
  list.held
    .map(({ phase }) =>
      'failure' in phase ? [phase.kind, 'reason' in phase.failure && phase.failure.reason].join(' ') : phase.kind,
    )
    .reverse();

/** A window that sends one file at a time. */
const windowOf = (store: TemporaryStore, server: RawServer, clock: HandClock) =>
  editorWindow(store.list(), server.url, { clock, allowed: () => 1 });

/** Leaves a file as an editor does in the middle of saving it: empty, and changed just now. */
function emptyAsWhenSaving(path: string): void {
  writeFileSync(path, '');
  const later = Date.now() / 1000 + 3600;
  utimesSync(path, later, later);
}

describe('A file that is being written', () => {
  it('waits a second without blocking others, and is then sent completely', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    using window = windowOf(store, server, clock);
    const chosen = await filesOf(store, 'grow.txt', 'b.txt', 'c.txt');
    const file = store.files.at('grow.txt').path;
    emptyAsWhenSaving(file);
    await window.queue.add(chosen, 'Books');
    await until(() => window.queue.progress?.ended === 2);
    assert.deepEqual([ends(window), window.queue.progress?.total], [['queued', 'accepted', 'accepted'], 3]);
    writeFileSync(file, 'saved\n');
    await until(() => clock.alarms === 1);
    clock.advance(1000);
    await until(() => window.queue.progress === undefined);
    assert.deepEqual(ends(window), ['accepted', 'accepted', 'accepted']);
    assert.equal(server.peers.filter(({ received }) => received.includes('saved\n')).length, 1);
    assert.equal(window.ended[0]?.results.length, 3);
  });

  it('for longer than a minute is not uploaded', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    using window = windowOf(store, server, clock);
    const chosen = await filesOf(store, 'grow.txt', 'b.txt');
    emptyAsWhenSaving(store.files.at('grow.txt').path);
    await window.queue.add(chosen, 'Books');
    await until(() => window.queue.progress?.ended === 1);
    for (let tries = 1; window.queue.progress !== undefined; tries++) {
      await until(() => clock.alarms === 1 || window.queue.progress === undefined);
      assert.ok(tries < 100);
      clock.advance(1000);
    }
    assert.deepEqual(ends(window), ['notSent changing', 'accepted']);
    assert.ok(clock.monotonicMs() >= 60_000);
    assert.equal(server.posts, 1);
  });

  it('can be canceled while it waits', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    using window = windowOf(store, server, clock);
    const chosen = await filesOf(store, 'grow.txt');
    emptyAsWhenSaving(store.files.at('grow.txt').path);
    await window.queue.add(chosen, 'Books');
    await until(() => clock.alarms === 1);
    await window.queue.cancel();
    assert.deepEqual(
      [window.queue.progress, window.list.held[0]?.phase],
      [undefined, { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } }],
    );
  });
});
