import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { Peer } from '../service/rawServer';
import { response, taking } from '../service/responses';
import { lockStore, type StoreLock } from '../tasks/storeLock';
import { until } from '../tasks/until';
import { LARGE, partLeft, postsOf, theEnded, toldPhase } from './endedImport';
import { ImportWindow } from './importWindow';
import { afterRequest, atBodyByte, says, staysSilent } from './script';

describe('An upload', () => {
  describe('that is canceled', () => {
    it('before it is connected is not uploaded', async () => {
      const { promise: connected, resolve } = Promise.withResolvers<void>();
      const script = async (peer: Peer) => {
        await peer.readBytes(1);
        resolve();
        await peer.readToEnd();
      };
      await using window = await ImportWindow.open({
        script,
        baseUrl: ({ port }) => new URL(`https://127.0.0.1:${port}`),
      });
      const run = await window.add();
      await connected;
      await window.queue.cancel();
      await window.toEnd(run);
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['notSent: CanceledError', 0]);
    });

    it('while it waits for a lock of its store is not uploaded', async () => {
      let lock: StoreLock | undefined;
      await using window = await ImportWindow.open(
        { script: (peer) => peer.readToEnd() },
        {
          patienceMs: 5000,
          findTarget: async ({ store, faulty }) => {
            lock = lockStore(store);
            return faulty.target;
          },
        },
      );
      const { list } = window;
      const { promise: asked, resolve } = Promise.withResolvers<void>();
      const begin = list.begin.bind(list);
      list.begin = (...args) => {
        resolve();
        return begin(...args);
      };
      const run = await window.add();
      await asked;
      const canceled = window.queue.cancel();
      lock?.release();
      await window.toEnd(run);
      await canceled;
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['notSent: CanceledError', 0]);
    });

    it('in the middle of the body is unconfirmed, with how much was sent', async () => {
      let canceled: Promise<void> | undefined;
      await using window = await ImportWindow.open({
        script: atBodyByte(1024 * 1024, async (peer) => {
          canceled = window.queue.cancel();
          await staysSilent(peer);
        }),
      });
      await window.import(await window.check('large.txt', LARGE));
      await canceled;
      const { attempts } = theEnded(window);
      assert.deepEqual(
        [toldPhase(window.task), attempts.map(partLeft), window.posts],
        ['unconfirmed: CanceledError', ['some'], 1],
      );
    });

    it('while it waits for the response is unconfirmed', async () => {
      let canceled: Promise<void> | undefined;
      await using window = await ImportWindow.open({
        script: afterRequest(async (peer) => {
          canceled = window.queue.cancel();
          await staysSilent(peer);
        }),
      });
      await window.import();
      await canceled;
      const { attempts } = theEnded(window);
      assert.deepEqual(
        [toldPhase(window.task), attempts.map(partLeft), window.posts],
        ['unconfirmed: CanceledError', ['all'], 1],
      );
    });

    it('during a pause that the service asked for is not sent again, nor is the rest of its batch sent', async () => {
      const busy = says(response('429 Too Many Requests', '', 'Retry-After: 30'));
      await using window = await ImportWindow.open({ script: afterRequest(busy) });
      const run = await window.add(await window.check('a.txt'), await window.check('b.txt'));
      await until(() => window.pauseMs > 0 && window.stored.every(({ phase }) => phase.kind === 'queued'));
      await window.queue.cancel();
      await window.toEnd(run);
      assert.deepEqual(window.stored.map(toldPhase), ['notSent: CanceledError', 'notSent: CanceledError']);
      assert.deepEqual([postsOf(window, 'a.txt'), postsOf(window, 'b.txt')], [1, 0]);
    });
  });

  it('of a file that is missing when its turn comes ends with its name, and the next file is sent', async () => {
    await using window = await ImportWindow.open({ script: taking });
    const missing = await window.check('missing.txt');
    const next = await window.check('next.txt');
    rmSync(missing.source.path);
    await window.import(missing, next);
    const [first, second] = window.stored;
    assert.deepEqual(
      [first, second].map((task) => task && toldPhase(task)),
      ['notSent: SourceError missing', 'accepted'],
    );
    assert.ok(first?.phase.kind === 'notSent' && first.phase.failure.name === 'SourceError');
    assert.equal(first.phase.failure.fileName, 'missing.txt');
    assert.equal(window.posts, 1);
  });
});
