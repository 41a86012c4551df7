import assert from 'node:assert/strict';
import type { Destination } from '../../../../src/tasks/destination';
import { RawServer, type Script } from '../../service/rawServer';
import { answering, response, taking } from '../../service/responses';
import { target } from '../../service/wire';
import { editorWindow, filesOf } from '../editorWindow';
import { HandClock } from '../handClock';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const BOOKS: Destination = { dataset: 'Books', origin: undefined };
const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`);
const no = (code: string) => response('200 OK', `{"code":"${code}","message":"access key is not valid","data":null}`);

/** The name of the file in a request. */
const nameIn = (body: Buffer) => /filename="([^"]*)"/.exec(body.toString())?.[1] ?? assert.fail();

/** Responds to each file by its name and by how often that file came. */
function byFile(respond: (name: string, time: number, head: string) => Buffer | undefined): Script {
  const times = new Map<string, number>();
  return async (peer, count) => {
    await peer.readRequest();
    const name = nameIn(peer.request.body);
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const bytes = respond(name, time, peer.request.head);
    await (bytes === undefined ? taking : answering(bytes))(peer, count);
  };
}

async function importing(script: Script, accessKey = () => 'a-key-of-some-length') {
  const store = await TemporaryStore.make();
  const server = await RawServer.start(script);
  const clock = new HandClock();
  const findTarget = async () => ({ ...target(server.url), accessKey: accessKey() });
  const window = editorWindow(store.list(), server.url, { clock, findTarget });
  return {
    ...{ server, clock, window },
    add: async (count: number) => window.queue.add(await filesOf(store, ...names(count)), 'Books'),
    /** Skips each pause until nothing is left, or the user has to act. */
    toEnd: async () => {
      for (;;) {
        await until(() => {
          const isSending = window.list.held.some(({ phase }) => phase.kind === 'sending');
          return window.queue.progress === undefined || (window.pausedUntilMs !== undefined && !isSending);
        });
        const untilMs = window.pausedUntilMs;
        if (untilMs === undefined || untilMs === Number.POSITIVE_INFINITY) return;
        clock.advance(untilMs - clock.monotonicMs());
      }
    },
    ends: () => Object.fromEntries(window.list.held.map(({ source, phase }) => [source?.name, phase.kind])),
    [Symbol.asyncDispose]: async () => {
      window[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

describe('An access key that expired in a dataset that has accepted files', () => {
  it('reports the rejected code once the key is replaced, and the rest is sent', async () => {
    let accessKey = 'the-old-key-000';
    const script = byFile((name, _time, head) =>
      head.includes('the-old-key-000') && Number.parseInt(name, 10) >= 10 ? no('40101') : undefined,
    );
    await using one = await importing(script, () => accessKey);
    const over: unknown[][] = [];
    one.window.queue.events.on('rejectionsOver', (...facts) => over.push(facts));
    const run = await one.add(40);
    await one.toEnd();
    accessKey = 'the-new-key-000';
    await one.window.queue.targetsChanged();
    await until(() => run.hasEnded);
    const refusal = { by: 'envelope', status: 200, code: '40101', message: 'access key is not valid' };
    assert.deepEqual(over, [[{ dataset: 'Books', origin: undefined }, refusal, 'key']]);
    const rejected = run.results.filter(({ end }) => end.kind === 'rejected');
    await one.window.queue.retry(await one.window.list.findAll(rejected.map(({ key }) => key)));
    await one.toEnd();
    assert.deepEqual(new Set(Object.values(one.ends())), new Set(['accepted']));
  });
});

const status = (line: string) => response(line, '<h1>Request blocked</h1>');

describe('A file that gets a 403', () => {
  it('is tried again after the others, and rejected if one of them was accepted', async () => {
    await using one = await importing(byFile((name) => (name === '0.txt' ? status('403 Forbidden') : undefined)));
    await one.add(5);
    await one.toEnd();
    const accepted = Object.fromEntries(names(5).map((name) => [name, 'accepted']));
    assert.deepEqual(one.ends(), { ...accepted, '0.txt': 'rejected' });
  });
});

describe('A file that the service asks to send later', () => {
  for (const line of ['408 Request Timeout', '425 Too Early', '429 Too Many Requests']) {
    it(`is sent again after the pause that follows ${line}`, async () => {
      await using one = await importing(byFile((_name, time) => (time === 1 ? status(line) : undefined)));
      await one.add(1);
      await until(() => one.window.pausedUntilMs !== undefined);
      assert.equal(one.window.queue.pauseOf(BOOKS)?.reason.kind, 'busy');
      await one.toEnd();
      assert.deepEqual([one.ends(), one.server.posts], [{ '0.txt': 'accepted' }, 2]);
    });
  }

  it('waits behind untried files, and is rejected after it was put back five times', async () => {
    const order: string[] = [];
    const script = byFile((name) => {
      order.push(name);
      return name === '0.txt' ? status('408 Request Timeout') : undefined;
    });
    await using one = await importing(script);
    await one.add(4);
    await one.toEnd();
    assert.deepEqual(order.slice(0, 2), ['0.txt', '1.txt']);
    assert.equal(order.filter((name) => name === '0.txt').length, 6);
    assert.deepEqual(one.ends()['0.txt'], 'rejected');
  });
});
