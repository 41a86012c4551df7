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

/** The other window's clock was the machine's own: the next start is after all that it did. */
function tomorrow({ clock }: ImportWindow): void {
  clock.advance(Date.now() + 24 * 60 * 60_000 - clock.now());
}

function reasons({ storeTroubles }: ImportWindow): string[] {
  return storeTroubles.map((lastQueryError) => (lastQueryError as StoreError).reason);
}

describe('file-task and the store, fault by fault', () => {
  describe('disk full or store locked before sending', () => {
    it('locked: the import waits until the lock is released, and is then sent once', async () => {
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

    it('locked when its turn comes: nothing leaves, it is told once, and it is sent once that is over', async () => {
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

  describe('store fails when the id arrives', () => {
    it('locked: the id is shown, kept in memory, and saved when possible', async () => {
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

  describe('store damaged', () => {
    it('while a batch is under way: nothing more of it is sent, and the next import goes on in a new one', async () => {
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

  describe('extension host killed mid-way', () => {
    // The other process may stall while it holds the lock.
    const patient = { patienceMs: 30_000 };

    /** A silent service, and a promise of the moment at which it has read so much. */
    function reached(bodyBytes: number) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const script = atBodyByte(bodyBytes, async (peer: Peer) => {
        resolve();
        await staysSilent(peer);
      });
      return { script, moment: promise };
    }

    it('before the connection stands: the next window sends it, once', async () => {
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
      it(`${when}: untouched while it lives; unconfirmed once it is dead, and not sent again`, async () => {
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

    it('before the answer is stored: unconfirmed, and not sent again', async () => {
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

    it('in the middle of a batch: what had ended stays, one is unconfirmed, the rest goes on; each arrives once', async () => {
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
