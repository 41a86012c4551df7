import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Peer } from '../service/rawServer';
import { response, taking } from '../service/responses';
import { OtherProcess } from '../tasks/otherProcess';
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
      let lock: OtherProcess | undefined;
      await using window = await ImportWindow.open(
        { script: (peer) => peer.readToEnd() },
        {
          patienceMs: 5000,
          findTarget: async ({ store, faulty }) => {
            lock = await OtherProcess.start('holdLock', store.path);
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
      await lock?.go();
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

  describe('file missing, unreadable, a folder, changed while read', () => {
    const spoils: Record<string, { spoil: (file: string) => void; reason: string }> = {
      missing: { spoil: (file) => rmSync(file), reason: 'missing' },
      'a folder': {
        spoil: (file) => {
          rmSync(file);
          mkdirSync(file);
        },
        reason: 'folder',
      },
      'unreadable, as its folder has become a file': {
        spoil: (file) => {
          rmSync(path.dirname(file), { recursive: true });
          writeFileSync(path.dirname(file), '');
        },
        reason: 'unreadable',
      },
      emptied: { spoil: (file) => truncateSync(file), reason: 'empty' },
      'no text any more': { spoil: (file) => writeFileSync(file, '\0'), reason: 'binary' },
    };
    for (const [how, { spoil, reason }] of Object.entries(spoils)) {
      it(`${how}, when its turn comes: not sent, and named; the next file is taken`, async () => {
        await using window = await ImportWindow.open({ script: taking });
        mkdirSync(path.join(window.files.folder, 'notes'));
        const spoiled = await window.check('notes/spoiled.txt');
        const good = await window.check('good.txt');
        spoil(spoiled.source.path);
        await window.import(spoiled, good);
        const [first, second] = window.stored;
        assert.deepEqual(
          [first, second].map((task) => task && toldPhase(task)),
          [`notSent: SourceError ${reason}`, 'accepted'],
        );
        assert.ok(first?.phase.kind === 'notSent' && first.phase.failure.name === 'SourceError');
        assert.equal(first.phase.failure.fileName, 'spoiled.txt');
        assert.equal(window.posts, 1);
      });
    }

    const changes: Record<string, (file: string) => void> = {
      grown: (file) => appendFileSync(file, 'more'),
      'cut off': (file) => truncateSync(file, LARGE.length / 2),
    };
    for (const [how, change] of Object.entries(changes)) {
      it(`${how} while it is sent: unconfirmed, by what had left, and named`, async () => {
        let file = '';
        await using window = await ImportWindow.open({
          script: atBodyByte(1024 * 1024, async (peer) => {
            change(file);
            await peer.readRequest();
          }),
        });
        const checked = await window.check('large.txt', LARGE);
        file = checked.source.path;
        await window.import(checked);
        const { attempts, phase } = theEnded(window);
        assert.deepEqual(
          [toldPhase(window.task), attempts.map(partLeft), window.posts],
          ['unconfirmed: SourceError changed', ['some'], 1],
        );
        assert.ok(phase.kind === 'unconfirmed' && phase.failure.name === 'SourceError');
        assert.equal(phase.failure.fileName, 'large.txt');
      });
    }
  });

  it('key missing: nothing is sent; once there is one, the file is', async () => {
    let hasKey = false;
    const findTarget = async ({ faulty }: ImportWindow) => (hasKey ? faulty.target : undefined);
    await using window = await ImportWindow.open({ script: taking }, { findTarget });
    await window.import();
    assert.deepEqual([toldPhase(theEnded(window)), window.faulty.server.peers.length], ['queued', 0]);
    hasKey = true;
    await window.queue.targetsChanged();
    await until(() => window.queue.progress === undefined);
    assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
  });

  it('key missing, as what keeps it fails: nothing is sent until a person tries again', async () => {
    let asked = 0;
    const findTarget = async ({ faulty }: ImportWindow) => {
      if (++asked === 1) throw new Error('the keyring is locked');
      return faulty.target;
    };
    await using window = await ImportWindow.open({ script: taking }, { findTarget });
    await window.import(await window.check('a.txt'), await window.check('b.txt'));
    assert.deepEqual([window.stored.map(toldPhase), window.posts], [['queued', 'queued'], 0]);
    window.queue.tryNow();
    await until(() => window.queue.progress === undefined);
    assert.deepEqual([postsOf(window, 'a.txt'), postsOf(window, 'b.txt')], [1, 1]);
  });
});
