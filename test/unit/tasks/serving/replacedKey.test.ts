import assert from 'node:assert/strict';
import { RawServer, type Script } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { target } from '../../service/wire';
import { type EditorParts, editorWindow, filesOf, takeTurn } from '../editorWindow';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const OLD_KEY = 'the-old-key-000';
const NEW_KEY = 'the-new-key-000';
const NAMES = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
/** How many files the service accepts with the old key. */
const BEFORE = 4;
/** How many are sent at once: after the first one, three of them are rejected. */
const AT_ONCE = 6;

/**
 * A service whose access key is replaced after a few files: it rejects the old one, one time at once and then only when it is
 * told to. `accepted` are the names of the files, in order.
 */
async function replacingKey() {
  const accepted: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let rejected = 0;
  const script: Script = async (peer, count) => {
    await peer.readRequest();
    if (peer.request.head.includes(OLD_KEY) && accepted.length >= BEFORE) {
      if (++rejected > 1) await released;
      await answering(response('401 Unauthorized', ''))(peer, count);
      return;
    }
    accepted.push(/filename="([^"]*)"/.exec(peer.request.body.toString())?.[1] ?? assert.fail());
    await taking(peer, count);
  };
  return { server: await RawServer.start(script), accepted, release };
}

describe('A batch whose access key is rejected after some files', () => {
  for (const [where, elsewhere] of [
    ['the window that sends it', false],
    ['another window', true],
  ] as const) {
    it(`gets in completely, and nothing of it twice, once the key is replaced in ${where}`, async () => {
      await using store = await TemporaryStore.make();
      const { server, accepted, release } = await replacingKey();
      await using _server = server;
      let accessKey = OLD_KEY;
      const findTarget = async () => ({ ...target(server.url), accessKey });
      const facts = { findTarget, allowed: () => AT_ONCE };
      using one = editorWindow(store.list(), server.url, facts);
      using two = editorWindow(store.list(), server.url, facts);
      const turns = async (...windows: EditorParts[]) => {
        for (const window of windows) await takeTurn(window);
      };
      const run = await one.queue.add(await filesOf(store, ...NAMES), 'Books');
      const destination = { dataset: 'Books', origin: undefined };
      await until(() => one.queue.pauseOf(destination)?.reason.kind === 'badKey' && run.progress.ended === BEFORE);
      await until(async () => {
        await turns(two, one);
        return two.queue.pauseOf(destination)?.reason.kind === 'badKey';
      });
      await until(() => server.posts > AT_ONCE);
      assert.equal(accepted.length, BEFORE);
      accessKey = NEW_KEY;
      // Each window notes that the key was replaced; the one in which a person did so is the first.
      for (const window of elsewhere ? [two, one] : [one, two]) await window.queue.targetsChanged();
      // What comes of the old key only now says nothing of the new one.
      release();
      await until(async () => {
        await turns(two, one);
        return run.hasEnded;
      });
      assert.deepEqual(accepted.toSorted(), NAMES.toSorted());
      assert.deepEqual(
        [...new Set(run.results.map(({ end }) => end.kind)), one.ended.length, two.ended.length],
        ['accepted', 1, 0],
      );
      await until(async () => {
        await turns(two);
        return two.list.held.every(({ phase }) => phase.kind === 'accepted');
      });
      assert.deepEqual([two.list.held.length, two.queue.pauseOf(destination)], [NAMES.length, undefined]);
    });
  }
});
