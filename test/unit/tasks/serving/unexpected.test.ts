import assert from 'node:assert/strict';
import { Http } from '../../../../src/service/http/http';
import { ImportService } from '../../../../src/service/importService';
import type { QueueDeps } from '../../../../src/tasks/serving/importQueue';
import { RawServer } from '../../service/rawServer';
import { taking } from '../../service/responses';
import { SETTINGS } from '../../service/wire';
import { type EditorParts, editorWindow, filesOf } from '../editorWindow';
import { HandClock } from '../handClock';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const boom = () => {
  throw new TypeError('not a function');
};

/** Something that throws when the first of three imports comes to it. */
interface Trap {
  readonly facts?: (baseUrl: URL) => Partial<QueueDeps>;
  readonly set?: (window: EditorParts) => void;
  /** How the first import ends. */
  readonly end: string;
}

/** Does it the first time, and after that what was done before. */
function once<Args extends unknown[], Result>(
  first: (...args: NoInfer<Args>) => NoInfer<Result>,
  then: (...args: Args) => Result,
): (...args: Args) => Result {
  let isFirst = true;
  return (...args) => {
    const use = isFirst ? first : then;
    isFirst = false;
    return use(...args);
  };
}

const service = new ImportService(new Http(() => SETTINGS));
const fileTask = service.fileTask.bind(service);

/** A service whose first import ends in an exception. */
function failing(first: typeof fileTask): Partial<QueueDeps> {
  return { service: Object.assign(new ImportService(new Http(() => SETTINGS)), { fileTask: once(first, fileTask) }) };
}

const traps: Record<string, Trap> = {
  'the service, before anything has left': {
    facts: () => failing(async () => boom()),
    end: 'notSent UnexpectedError',
  },
  'the service, after all has left': {
    facts: () => failing(async (...args) => (await fileTask(...args)) && boom()),
    end: 'unconfirmed UnexpectedError',
  },
  'the log, after all has left': {
    facts: () => ({
      service: new ImportService(
        new Http(() => SETTINGS),
        once(boom, () => {}),
      ),
    }),
    end: 'unconfirmed UnexpectedError',
  },
  'the file': {
    set: ({ sources }) => {
      sources.open = once<Parameters<typeof sources.open>, ReturnType<typeof sources.open>>(
        async () => boom(),
        sources.open.bind(sources),
      );
    },
    end: 'notSent UnexpectedError',
  },
  'the list, told that it begins': {
    set: ({ list }) => {
      list.begin = once(async () => boom(), list.begin.bind(list));
    },
    end: 'notSent UnexpectedError',
  },
};

const ends = ({ list }: EditorParts) =>
  list.held.map(({ phase }) => ('failure' in phase ? `${phase.kind} ${phase.failure.name}` : phase.kind)).reverse();

async function toEnd({ queue }: EditorParts, clock: HandClock): Promise<void> {
  await until(() => {
    clock.advance(1000);
    return queue.progress === undefined;
  });
}

describe('An exception', () => {
  for (const [where, { facts, set, end }] of Object.entries(traps)) {
    it(`of ${where}, ends that one import, and the next ones go`, async () => {
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(taking);
      const clock = new HandClock();
      using window = editorWindow(store.list(), server.url, { clock, allowed: () => 1, ...facts?.(server.url) });
      await window.list.loaded();
      set?.(window);
      await window.queue.add(await filesOf(store, 'a.txt', 'b.txt', 'c.txt'), 'Books');
      await toEnd(window, clock);
      assert.deepEqual(ends(window), [end, 'accepted', 'accepted']);
      assert.deepEqual([window.ended.length, window.ended[0]?.results.length], [1, 3]);
    });
  }

  it('of the list as it is told of an end leaves neither the run nor the others without theirs', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start(taking);
    const clock = new HandClock();
    using window = editorWindow(store.list(), server.url, { clock, allowed: () => 1 });
    window.list.update = async () => boom();
    const run = await window.queue.add(await filesOf(store, 'a.txt', 'b.txt', 'c.txt'), 'Books');
    await toEnd(window, clock);
    assert.deepEqual(
      run.results.map(({ end }) => end.kind),
      ['accepted', 'accepted', 'accepted'],
    );
    assert.deepEqual([server.posts, window.troubles.length], [3, 3]);
  });

  it('of the list as all is cancelled leaves nothing in the queue', async () => {
    await using store = await TemporaryStore.make();
    await using server = await RawServer.start((peer) => peer.readToEnd());
    using window = editorWindow(store.list(), server.url, { allowed: () => 1 });
    const run = await window.queue.add(await filesOf(store, 'a.txt', 'b.txt', 'c.txt'), 'Books');
    await until(() => server.posts === 1);
    Object.assign(window.list, { change: boom, updateAll: async () => boom() });
    await window.queue.cancel();
    assert.deepEqual([run.results.length, window.queue.progress], [3, undefined]);
  });
});
