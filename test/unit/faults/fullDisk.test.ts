import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import type { StoreError } from '../../../src/tasks/database/storeError';
import { checkText } from '../../../src/tasks/sending/checkedSource';
import { response, TAKEN, taking } from '../service/responses';
import { TemporaryStore } from '../tasks/temporaryStore';
import { until } from '../tasks/until';
import { theEnded, toldPhase } from './endedImport';
import { ImportWindow, theOnly } from './importWindow';
import { afterRequest, says } from './script';
import { smallDisks } from './smallDisk';

const disks = smallDisks();

describe(`file-task and a store without room, on ${disks.title}`, () => {
  const toldOf = (window: ImportWindow) =>
    window.storeTroubles.map((lastQueryError) => [
      (lastQueryError as StoreError).reason,
      (lastQueryError as StoreError).path,
    ]);

  const text = () =>
    checkText({ name: 'Untitled-1', path: 'Untitled-1', relativePath: 'Untitled-1' }, Buffer.from('some text\n'));
  const filesIn = ({ texts }: TemporaryStore) => (existsSync(texts) ? readdirSync(texts) : []);

  for (const [when, isThere] of Object.entries({ 'before a file is queued': true, 'before there is a store': false })) {
    it(`${when}: nothing is sent, and the error names the store; with room again the file is sent once`, async () => {
      using disk = disks.make();
      const store = await TemporaryStore.make(disk.folder);
      await using window = await ImportWindow.open({ script: taking }, { store });
      const checked = await window.check();
      if (isThere) await window.list.loaded();
      disk.fill(store.path);
      await assert.rejects(window.add(checked), (error: StoreError) => {
        assert.deepEqual([error.name, error.reason, error.path], ['StoreError', disks.reason, store.path]);
        assert.ok(error.message.includes(store.path), error.message);
        return true;
      });
      assert.deepEqual([window.list.held, window.queue.progress], [[], undefined]);
      assert.equal(window.faulty.server.peers.length, 0);
      disk.makeRoom(store.path);
      await window.import(checked);
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
    });
  }

  it('before a text without a file is queued: nothing is sent, no file of ours is left, and with room again it is', async () => {
    using disk = disks.make();
    const store = await TemporaryStore.make(disk.folder);
    await using window = await ImportWindow.open({ script: taking }, { store });
    await window.list.loaded();
    const checked = await text();
    disk.fill(store.path);
    await assert.rejects(window.add(checked), { name: 'StoreError', reason: disks.reason });
    assert.deepEqual([window.list.held, window.queue.progress, filesIn(store)], [[], undefined, []]);
    disk.makeRoom(store.path);
    await window.import(checked);
    assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
    await until(() => filesIn(store).length === 0);
  });

  it('when a text without a file is accepted: its file stays, as that is not stored', async () => {
    using disk = disks.make();
    const store = await TemporaryStore.make(disk.folder);
    await using window = await ImportWindow.open(
      {
        script: afterRequest(async (peer) => {
          disk.fill(store.path);
          await says(response('200 OK', TAKEN))(peer);
        }),
      },
      { store },
    );
    const run = await window.add(await text());
    await until(() => run.hasEnded);
    assert.deepEqual([toldPhase(window.task), filesIn(store)], ['accepted', [window.task.source?.textFile]]);
    disk.makeRoom(store.path);
  });

  it("when a file's turn comes: nothing leaves, it is told once, and it is sent once there is room again", async () => {
    using disk = disks.make();
    const store = await TemporaryStore.make(disk.folder);
    let isFilled = false;
    const findTarget = async ({ faulty }: ImportWindow) => {
      if (!isFilled) disk.fill(store.path);
      isFilled = true;
      return faulty.target;
    };
    await using window = await ImportWindow.open({ script: taking }, { store, findTarget });
    const run = await window.add();
    for (let tries = 1; tries <= 3; tries++) {
      await until(() => window.faulty.ends.length === tries && window.pauseMs > 0);
      if (tries < 3) window.clock.advance(window.pauseMs);
    }
    assert.deepEqual([window.task.phase.kind, toldOf(window)], ['queued', [[disks.reason, store.path]]]);
    assert.equal(window.posts, 0);
    disk.makeRoom(store.path);
    await window.toEnd(run);
    assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
  });

  it('when the id arrives: it is shown, kept in memory, and saved once there is room again', async () => {
    using disk = disks.make();
    const store = await TemporaryStore.make(disk.folder);
    await using window = await ImportWindow.open(
      {
        script: afterRequest(async (peer) => {
          disk.fill(store.path);
          await says(response('200 OK', TAKEN))(peer);
        }),
      },
      { store },
    );
    const run = await window.add();
    await until(() => run.hasEnded);
    assert.deepEqual([toldPhase(window.task), window.task.taskId], ['accepted', '"T1"']);
    assert.deepEqual(toldOf(window), [[disks.reason, store.path]]);
    disk.makeRoom(store.path);
    assert.equal(theOnly(window.stored).phase.kind, 'sending');
    await window.list.sync();
    assert.deepEqual([theEnded(window).taskId, window.posts], ['"T1"', 1]);
  });
});
