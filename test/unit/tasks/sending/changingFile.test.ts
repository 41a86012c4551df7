import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { FileBody } from '../../../../src/service/content/fileBody';
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

/** A window in which the named file is written to each time after it was opened. */
function windowWith(
  store: TemporaryStore,
  server: RawServer,
  clock: HandClock,
  name: string,
  isWritten: () => boolean,
) {
  const window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
  window.sources.open = async ({ path }) => {
    const body = await FileBody.open(path);
    if (path.endsWith(name) && isWritten()) appendFileSync(path, 'more\n');
    return body;
  };
  return window;
}

describe('A file that is being written', () => {
  it('waits a second without blocking others, and is then sent completely', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    let isWritten = true;
    using window = windowWith(store, server, clock, 'grow.txt', () => isWritten);
    await window.queue.add(await filesOf(store, 'grow.txt', 'b.txt', 'c.txt'), 'Books');
    await until(() => window.queue.progress?.ended === 2);
    const [grow] = window.list.held.toReversed();
    assert.deepEqual(
      grow?.attempts.map(({ end, sentBytes }) => [end.kind === 'notSent' && end.failure, sentBytes]),
      [[{ name: 'SourceError', reason: 'changing', fileName: 'grow.txt', detail: '' }, 0]],
    );
    assert.deepEqual([ends(window), window.queue.progress?.total], [['queued', 'accepted', 'accepted'], 3]);
    isWritten = false;
    appendFileSync(store.files.at('grow.txt').path, 'the end\n');
    await until(() => clock.alarms === 1);
    clock.advance(1000);
    await until(() => window.queue.progress === undefined);
    assert.deepEqual(ends(window), ['accepted', 'accepted', 'accepted']);
    assert.equal(server.peers.filter(({ received }) => received.includes('more\nthe end\n')).length, 1);
    assert.equal(window.ended[0]?.results.length, 3);
  });

  it('for longer than a minute is not uploaded', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    using window = windowWith(store, server, clock, 'grow.txt', () => true);
    await window.queue.add(await filesOf(store, 'grow.txt', 'b.txt'), 'Books');
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
    using window = windowWith(store, server, new HandClock(), 'grow.txt', () => true);
    await window.queue.add(await filesOf(store, 'grow.txt'), 'Books');
    await until(() => window.list.held[0]?.attempts.length === 1);
    await window.queue.cancel();
    assert.deepEqual(
      [window.queue.progress, window.list.held[0]?.phase],
      [undefined, { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } }],
    );
  });
});
