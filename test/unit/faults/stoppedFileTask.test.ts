import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { Peer } from '../service/rawServer';
import { response, taking } from '../service/responses';
import { lockStore, type StoreLock } from '../tasks/storeLock';
import { until } from '../tasks/until';
import { LARGE, partLeft, postsOf, theEnded, toldPhase } from './endedImport';
import { ImportWindow } from './importWindow';
import { afterRequest, atBodyByte, says, staysSilent } from './script';

describe('file-task that is stopped, fault by fault', () => {
  describe('cancel', () => {
    it('before the connection stands: not sent', async () => {
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

    it('while it waits for the store: not sent, however the store tells it', async () => {
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

    it('in the middle of the body: unconfirmed, by what had left', async () => {
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

    it('while it waits for the answer: unconfirmed', async () => {
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

    it('while the batch waits as the service has asked: not sent again, and the rest not at all', async () => {
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

  it('file missing when its turn comes: not sent, and named; the next file is sent', async () => {
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
