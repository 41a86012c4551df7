import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { StoreError } from '../../../src/tasks/database/storeError';
import { type Peer, RawServer } from '../service/rawServer';
import { response, TAKEN, taking } from '../service/responses';
import { lockStore, type StoreLock } from '../tasks/storeLock';
import { until } from '../tasks/until';
import { LARGE, postsOf, theEnded, toldPhase } from './endedImport';
import { ImportingProcess } from './importingProcess';
import { ImportWindow, theOnly } from './importWindow';
import { afterRequest, atBodyByte, inTurn, says, staysSilent } from './script';

const value = says(response('200 OK', TAKEN));

function damage(window: ImportWindow): void {
  writeFileSync(window.store.path, Buffer.alloc(64 * 1024, 0x55));
}

/** Sets this window's clock after everything that the other window did by the machine's clock. */
function tomorrow({ clock }: ImportWindow): void {
  clock.advance(Date.now() + 24 * 60 * 60_000 - clock.now());
}

function reasons({ storeTroubles }: ImportWindow): string[] {
  return storeTroubles.map((lastQueryError) => (lastQueryError as StoreError).reason);
}

describe('An upload and its store', () => {
  describe('locked before sending:', () => {
    it('the import waits for the lock, and is sent once', async () => {
      await using window = await ImportWindow.open({ script: taking });
      await window.list.loaded();
      using lock = lockStore(window.store);
      const adding = window.add();
      for (let attempts = 0; attempts < 3; attempts++) await assert.rejects(window.takeTurn(), { reason: 'locked' });
      assert.equal(window.posts, 0);
      lock.release();
      await window.toEnd(await adding);
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
    });

    it('if the lock comes with its turn, nothing is sent, the error is shown once, and it is sent once afterwards', async () => {
      let lock: StoreLock | undefined;
      await using window = await ImportWindow.open(
        { script: taking },
        {
          findTarget: async ({ faulty, store }) => {
            lock ??= lockStore(store);
            return faulty.target;
          },
        },
      );
      const run = await window.add();
      for (let tries = 1; tries <= 2; tries++) {
        await until(() => window.faulty.ends.length === tries && window.pauseMs > 0);
        if (tries === 1) window.clock.advance(window.pauseMs);
      }
      assert.deepEqual([window.posts, window.task.phase.kind, reasons(window)], [0, 'queued', ['locked']]);
      lock?.release();
      await window.toEnd(run);
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
    });
  });

  describe('locked when the response arrives:', () => {
    it('the task ID is shown, kept in memory and saved when possible', async () => {
      let lock: StoreLock | undefined;
      await using window = await ImportWindow.open({
        script: afterRequest(async (peer) => {
          lock = lockStore(window.store);
          await value(peer);
        }),
      });
      const run = await window.add();
      await until(() => run.hasEnded);
      assert.deepEqual([toldPhase(window.task), window.task.taskId, reasons(window)], ['accepted', '"T1"', ['locked']]);
      lock?.release();
      assert.equal(theOnly(window.stored).phase.kind, 'sending');
      await window.list.sync();
      assert.deepEqual([theEnded(window).taskId, window.posts], ['"T1"', 1]);
    });
  });

  describe('damaged', () => {
    it('during a batch: the rest of the batch is not sent, and the next import uses a new store', async () => {
      await using window = await ImportWindow.open({
        script: inTurn(
          afterRequest(async (peer) => {
            damage(window);
            await value(peer);
          }),
          taking,
        ),
      });
      const names = ['a.txt', 'b.txt', 'c.txt'];
      await window.import(...(await Promise.all(names.map((name) => window.check(name)))));
      await window.import(await window.check('d.txt'));
      assert.equal(toldPhase(theEnded(window)), 'accepted');
      assert.deepEqual(
        [...names, 'd.txt'].map((name) => postsOf(window, name)),
        [1, 0, 0, 1],
      );
      assert.equal(window.store.asides.length, 1);
    });
  });

  describe('after the extension host was killed', () => {
    // The other process may stall while it holds the lock.
    const patient = { patienceMs: 30_000 };

    /** A service that never responds, and a promise that resolves once it has read this much of a body. */
    function reached(bodyBytes: number) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const script = atBodyByte(bodyBytes, async (peer: Peer) => {
        resolve();
        await staysSilent(peer);
      });
      return { script, moment: promise };
    }

    it('before it was connected: the next window sends the file, once', async () => {
      const { promise: connected, resolve } = Promise.withResolvers<void>();
      await using silent = await RawServer.start(async (peer) => {
        if (await peer.readBytes(1)) resolve();
        await peer.readToEnd();
      });
      await using window = await ImportWindow.open({ script: taking }, patient);
      const { path } = await window.files.write('a.txt');
      await using dead = new ImportingProcess(window.store.path, new URL(`https://127.0.0.1:${silent.port}`), path);
      await connected;
      await dead.kill();
      assert.equal(theOnly(window.stored).phase.kind, 'queued');
      tomorrow(window);
      await window.takeTurn();
      await until(() => window.queue.progress === undefined);
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
    });

    const moments = [
      ['in the middle of the body', 1024 * 1024, LARGE],
      ['after the body', Number.POSITIVE_INFINITY, 'some text\n'],
    ] as const;
    for (const [when, bodyBytes, content] of moments) {
      it(`${when}: the import is left alone until the process is dead, then unconfirmed and not sent again`, async () => {
        const { script, moment } = reached(bodyBytes);
        await using window = await ImportWindow.open({ script }, patient);
        const { path } = await window.files.write('a.txt', content);
        await using dead = new ImportingProcess(window.store.path, window.faulty.server.url, path);
        await moment;
        await window.takeTurn();
        assert.deepEqual([window.task.phase.kind, window.queue.progress], ['sending', undefined]);
        await dead.kill();
        tomorrow(window);
        await window.takeTurn();
        assert.deepEqual(
          [toldPhase(theEnded(window)), window.queue.progress],
          ['unconfirmed: WindowClosed', undefined],
        );
        assert.deepEqual([window.task.attempts.length, window.posts], [1, 1]);
      });
    }

    it('before the response was stored: the import is unconfirmed and not sent again', async () => {
      let lock: StoreLock | undefined;
      await using window = await ImportWindow.open(
        {
          script: afterRequest(async (peer) => {
            lock = lockStore(window.store);
            await value(peer);
          }),
        },
        patient,
      );
      const { path } = await window.files.write('a.txt');
      await using dead = new ImportingProcess(window.store.path, window.faulty.server.url, path);
      await dead.answered;
      await dead.kill();
      lock?.release();
      tomorrow(window);
      await window.takeTurn();
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['unconfirmed: WindowClosed', 1]);
    });

    it('during a batch: finished imports stay, one is unconfirmed, the others are sent; each file arrives once', async () => {
      const { script, moment } = reached(1024);
      await using window = await ImportWindow.open({ script: inTurn(taking, script, taking) }, patient);
      const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
      const files = await Promise.all(names.map((name) => window.files.write(name, LARGE.subarray(0, 4096))));
      const paths = files.map(({ path }) => path);
      await using dead = new ImportingProcess(window.store.path, window.faulty.server.url, ...paths);
      await moment;
      await dead.kill();
      await window.takeTurn();
      await until(() => window.queue.progress === undefined);
      assert.deepEqual(window.stored.map(toldPhase), ['accepted', 'unconfirmed: WindowClosed', 'accepted', 'accepted']);
      assert.deepEqual(
        names.map((name) => postsOf(window, name)),
        [1, 1, 1, 1],
      );
    });
  });
});
