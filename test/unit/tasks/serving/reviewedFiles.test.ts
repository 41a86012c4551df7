import assert from 'node:assert/strict';
import { compareChecked } from '../../../../src/tasks/comparing/taskListMemory';
import type { CheckedSource } from '../../../../src/tasks/sending/checkedSource';
import type { Reviewed } from '../../../../src/tasks/serving/fileRows';
import { RawServer } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { type EditorParts, editorWindow, filesOf, takeTurn } from '../editorWindow';
import { HandClock } from '../handClock';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const BOOKS = { dataset: 'Books', origin: undefined };
const rejecting = answering(response('400 Bad Request', 'no'));

/** Two windows on one store and one service, with files on disk. */
async function twoWindows(script = taking, names = ['a.txt', 'b.txt', 'c.txt']) {
  const store = await TemporaryStore.make();
  const server = await RawServer.start(script);
  const clock = new HandClock();
  const here = editorWindow(store.list(), server.url, { clock });
  const other = editorWindow(store.list(), server.url, { clock });
  const files = await filesOf(store, ...names);

  /** Imports files in a window and waits until they have ended. */
  async function importIn(window: EditorParts, some: readonly CheckedSource[] = files, reviewed?: Reviewed) {
    clock.advance(1000);
    const run = await window.queue.add(some, 'Books', undefined, undefined, undefined, reviewed);
    await settle();
    return run;
  }
  async function settle() {
    await until(async () => {
      for (const window of [here, other]) await takeTurn(window);
      return here.queue.progress === undefined && other.queue.progress === undefined;
    });
  }
  const dispose = async () => {
    for (const window of [here, other]) window[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  };
  return { store, server, clock, here, other, files, importIn, settle, [Symbol.asyncDispose]: dispose };
}

/** What the user's review finds about files: taken before a question, and passed on after it. */
async function review({ list, sources }: EditorParts, files: readonly CheckedSource[]): Promise<Reviewed> {
  await list.sync();
  const services = { list, contents: list.store.contents, sources };
  const found = await compareChecked(services, files, BOOKS, new AbortController().signal);
  return new Map(files.map((file) => [file, found.files.get(file.source.path)]));
}

describe('Queueing reviewed files', () => {
  it('skips files that another window uploaded while the list was open', async () => {
    await using it = await twoWindows();
    const reviewed = await review(it.here, it.files);
    await it.importIn(it.other);
    const run = await it.importIn(it.here, it.files, reviewed);
    assert.deepEqual([it.server.posts, run.alreadyImporting, run.results], [3, 3, []]);
    assert.deepEqual(it.here.ended.includes(run), true);
  });

  it('skips only the files that another window imported, and uploads the others', async () => {
    await using it = await twoWindows();
    const reviewed = await review(it.here, it.files);
    await it.importIn(it.other, it.files.slice(0, 1));
    const run = await it.importIn(it.here, it.files, reviewed);
    assert.deepEqual([it.server.posts, run.alreadyImporting, run.results.length], [3, 1, 2]);
  });

  it('skips files that another window is still uploading', async () => {
    await using it = await twoWindows(async (peer) => peer.readToEnd());
    const reviewed = await review(it.here, it.files);
    await it.other.queue.add(it.files, 'Books');
    const run = await it.here.queue.add(it.files, 'Books', undefined, undefined, undefined, reviewed);
    assert.deepEqual([run.alreadyImporting, (await it.store.read()).length], [3, 3]);
    await it.other.queue.cancel();
  });

  it('skips a file that another window imported again, whatever its outcome', async () => {
    for (const script of [taking, rejecting]) {
      await using it = await twoWindows(script, ['a.txt']);
      await it.importIn(it.other);
      const reviewed = await review(it.here, it.files);
      await it.importIn(it.other);
      const run = await it.importIn(it.here, it.files, reviewed);
      assert.deepEqual([it.server.posts, run.alreadyImporting], [2, 1]);
    }
  });

  it('skips a file that another window uploaded and removed from the list', async () => {
    await using it = await twoWindows();
    const reviewed = await review(it.here, it.files);
    await it.importIn(it.other);
    await it.other.list.sync();
    await it.other.list.remove(it.other.list.held.map(({ key }) => key));
    const run = await it.importIn(it.here, it.files, reviewed);
    assert.deepEqual([it.server.posts, run.alreadyImporting, await it.store.read()], [3, 3, []]);
  });

  it('imports a file whose row was removed from the list since, if nothing else imported it', async () => {
    for (const script of [taking, rejecting]) {
      await using it = await twoWindows(script, ['a.txt']);
      await it.importIn(it.other);
      const reviewed = await review(it.here, it.files);
      await it.other.list.sync();
      await it.other.list.remove(it.other.list.held.map(({ key }) => key));
      const run = await it.importIn(it.here, it.files, reviewed);
      assert.deepEqual([it.server.posts, run.alreadyImporting, run.results.length], [2, 0, 1]);
    }
  });

  it('imports a file again that the review showed as uploaded', async () => {
    await using it = await twoWindows();
    await it.importIn(it.other);
    const run = await it.importIn(it.here, it.files, await review(it.here, it.files));
    assert.deepEqual([it.server.posts, run.alreadyImporting, run.results.length], [6, 0, 3]);
  });

  it('uploads each file once when two windows review and import the same files', async () => {
    await using it = await twoWindows();
    const both = await Promise.all([it.here, it.other].map((window) => review(window, it.files)));
    const runs = await Promise.all(
      [it.here, it.other].map(({ queue }, index) =>
        queue.add(it.files, 'Books', undefined, undefined, undefined, both[index]),
      ),
    );
    await it.settle();
    assert.deepEqual([it.server.posts, (await it.store.read()).length], [3, 3]);
    assert.equal(
      runs.reduce((sum, { alreadyImporting }) => sum + alreadyImporting, 0),
      3,
    );
  });
});

describe('Importing rows again', () => {
  it('skips rows that another window imported again while the question was open', async () => {
    for (const script of [taking, rejecting]) {
      await using it = await twoWindows(script, ['a.txt']);
      await it.importIn(it.here);
      const seen = [...it.here.list.held];
      it.clock.advance(1000);
      await it.other.list.sync();
      await it.other.queue.retry(it.other.list.held);
      await it.settle();
      assert.deepEqual(await it.here.queue.retry(seen), []);
      await it.settle();
      assert.deepEqual([it.server.posts, it.here.ended.at(-1)?.alreadyImporting], [2, 1]);
    }
  });

  it('queues rows that nothing has changed, whether they were uploaded or rejected', async () => {
    for (const script of [taking, rejecting]) {
      await using it = await twoWindows(script, ['a.txt']);
      await it.importIn(it.here);
      assert.equal((await it.here.queue.retry(it.here.list.held)).length, 1);
      await it.settle();
      assert.equal(it.server.posts, 2);
    }
  });
});
