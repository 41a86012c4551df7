import assert from 'node:assert/strict';
import { FileBody } from '../../../../src/service/content/fileBody';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import type { QueueDeps } from '../../../../src/tasks/serving/importQueue';
import { RawServer } from '../../service/rawServer';
import { taking } from '../../service/responses';
import { target } from '../../service/wire';
import { type EditorParts, editorWindow, filesOf } from '../editorWindow';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const never = new Promise<never>(() => {});
const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt', 'f.txt', 'g.txt', 'h.txt'];
const failures = ({ list }: EditorParts) =>
  list.held.map(({ phase }) => ('failure' in phase ? phase.failure.name : phase.kind));

/** What hangs for good; `hang` is called before anything is queued, `hangs` says how many do. */
interface Hang {
  readonly facts?: (baseUrl: URL) => Partial<QueueDeps>;
  readonly hang?: (window: EditorParts, count: () => void) => void;
}

/** A fifo that nobody writes to would do too, but not on every system. */
function hangingBody(count: () => void, part: 'chunks' | 'close') {
  return (path: string) => async () => {
    const body = await FileBody.open(path);
    const chunks =
      part === 'chunks'
        ? async function* (): AsyncGenerator<Buffer> {
            count();
            yield await never;
          }
        : () => body.chunks();
    const close = async () => {
      await body.close();
      if (part !== 'close') return;
      count();
      await never;
    };
    return { name: body.name, sizeBytes: body.sizeBytes, chunks, beginning: body.beginning.bind(body), close };
  };
}

/** Lets a window's files open only once `open` is called; counts how many are asked for and closed. */
function slowFiles({ sources }: EditorParts) {
  const { promise: opens, resolve: open } = Promise.withResolvers<void>();
  const files = { asked: 0, closed: 0, open };
  sources.open = async ({ path }) => {
    files.asked += 1;
    await opens;
    const body = await FileBody.open(path);
    const close = body.close.bind(body);
    body.close = async () => {
      await close();
      files.closed += 1;
    };
    return body;
  };
  return files;
}

const withHash = (baseUrl: URL) =>
  target(baseUrl, {
    fileTask: { ...DEFAULT_CONTRACT.fileTask, fields: { sum: '${sha256}' } },
  });

const hangs: Record<string, Hang> = {
  'the file that is to be opened': {
    hang: ({ sources }, count) => {
      sources.open = () => {
        count();
        return never;
      };
    },
  },
  'the file that is hashed': {
    facts: (baseUrl) => ({ findTarget: async () => withHash(baseUrl) }),
    hang: ({ sources }, count) => {
      sources.open = ({ path }) => hangingBody(count, 'chunks')(path)();
    },
  },
  'the file that is read': {
    hang: ({ sources }, count) => {
      sources.open = ({ path }) => hangingBody(count, 'chunks')(path)();
    },
  },
  'the store that is to be told of it': {
    hang: ({ list }, count) => {
      list.begin = () => {
        count();
        return never;
      };
    },
  },
};

describe('Cancelling', () => {
  it('ends all imports at once where the access key does not come', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    let asked = 0;
    const findTarget = () => {
      asked += 1;
      return never;
    };
    using window = editorWindow(store.list(), server.url, { findTarget });
    await window.queue.add(await filesOf(store, ...names), 'Books');
    await until(() => asked > 0);
    await window.queue.cancel();
    assert.deepEqual([failures(window), window.queue.progress], [Array(8).fill('CanceledError'), undefined]);
    assert.deepEqual([window.ended.length, server.peers.length], [1, 0]);
  });

  for (const [what, { facts, hang }] of Object.entries(hangs)) {
    it(`ends all imports at once where ${what} hangs, and the next ones go`, async () => {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(taking);
      using window = editorWindow(store.list(), server.url, { ...facts?.(server.url) });
      const { open } = window.sources;
      const { begin } = window.list;
      let hanging = 0;
      hang?.(window, () => {
        hanging += 1;
      });
      await window.queue.add(await filesOf(store, ...names), 'Books');
      await until(() => hanging === 1);
      await window.queue.cancel();
      assert.deepEqual([failures(window), window.queue.progress], [Array(8).fill('CanceledError'), undefined]);
      assert.equal(server.posts, 0);
      Object.assign(window.sources, { open });
      Object.assign(window.list, { begin });
      await window.queue.retry(window.list.held);
      await until(() => window.queue.progress === undefined);
      assert.deepEqual([failures(window), server.posts], [Array(8).fill('accepted'), 8]);
    });
  }

  it('keeps what the service said where the file hangs as it is closed', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    let closing = 0;
    window.sources.open = ({ path }) =>
      hangingBody(() => {
        closing += 1;
      }, 'close')(path)();
    await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
    await until(() => closing === 1);
    await window.queue.cancel();
    assert.deepEqual([failures(window), window.queue.progress], [['accepted'], undefined]);
  });

  it('closes the file that is opened after it', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    const files = slowFiles(window);
    await window.queue.add(await filesOf(store, ...names), 'Books');
    await until(() => files.asked === 1);
    await window.queue.cancel();
    files.open();
    await until(() => files.closed === 1);
    assert.deepEqual([server.peers.length, failures(window)], [0, Array(8).fill('CanceledError')]);
  });

  it('leaves to another window what was not begun when it is disposed of, whatever hangs then', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    using window = editorWindow(store.list(), server.url);
    const files = slowFiles(window);
    await window.queue.add(await filesOf(store, ...names), 'Books');
    await until(() => files.asked === 1);
    window.queue.dispose();
    files.open();
    await until(() => files.closed === 1);
    assert.deepEqual(
      [server.peers.length, (await store.read()).map(({ phase }) => phase.kind)],
      [0, Array(8).fill('queued')],
    );
  });
});
