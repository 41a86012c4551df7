import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { type FindTarget, type Refreshed, Refresher } from '../../../../src/tasks/following/refresher';
import type { ContractOf } from '../../../../src/tasks/responseNow';
import { MAX_CHECKS } from '../../../../src/tasks/sending/gate';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { RawServer, type Script } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target, wire } from '../../service/wire';
import { HandClock } from '../handClock';
import { TemporaryStore, taskOf } from '../temporaryStore';
import { until } from '../until';
import { askUnfinished } from './askUnfinished';

const going = () => new AbortController().signal;
const running = answering(response('200 OK', '{"code":"0","message":null,"data":{"status":"RUNNING"}}'));
const tooMuch = (...headers: string[]) => answering(response('429 Too Many Requests', 'later', ...headers));
const silent: Script = async (peer) => {
  await peer.readRequest();
  await peer.readToEnd();
};
/** One byte of a response that never ends. */
const dripping: Script = async (peer) => {
  await peer.readRequest();
  peer.send('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{');
  await peer.readToEnd();
};

/** Answers each request by what its script gives it next; the last one to all that come after. */
function inTurn(...scripts: Script[]): Script {
  return (peer, count) => (scripts[count - 1] ?? scripts.at(-1) ?? running)(peer, count);
}

interface Followed extends AsyncDisposable {
  readonly list: TaskList;
  readonly clock: HandClock;
  readonly refresher: Refresher;
  /** Follows so many tasks of a dataset, for the origin of its server unless another one is told. */
  add(dataset: string, count: number, origin?: string): Promise<TrackedTask[]>;
}

/** Follows tasks of datasets behind these servers. */
async function followed(
  servers: Readonly<Record<string, RawServer>>,
  find?: FindTarget,
  contractOf?: ContractOf,
): Promise<Followed> {
  const store = await TemporaryStore.make();
  const list = store.list();
  const clock = new HandClock();
  const findTarget: FindTarget = async (dataset) => {
    const server = servers[dataset];
    return server && target(server.url);
  };
  const refresher = new Refresher(wire(), list, find ?? findTarget, clock, contractOf);
  let made = 0;
  return {
    list,
    clock,
    refresher,
    add: (dataset, count, origin = servers[dataset]?.url.origin) =>
      list.add(
        Array.from({ length: count }, () => taskOf({ dataset, origin, taskId: typedTaskId(`T${made++}`, 'string') })),
      ),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** One turn of all destinations, through the pauses between the tries of a query. */
async function turn({ refresher, list, clock }: Followed): Promise<void> {
  let isOver = false;
  void askUnfinished(refresher, list).then(() => {
    isOver = true;
  });
  await until(() => {
    if (clock.alarms > 0) clock.advance(1000);
    return isOver;
  });
}

const kinds = (refreshed: readonly Refreshed[]) => refreshed.map((one) => one?.kind);

describe('The queries of a destination', () => {
  for (const [how, script] of Object.entries({ silent, dripping })) {
    it(`do not wait for another one that is ${how}`, async () => {
      await using stuck = await RawServer.start(script);
      await using healthy = await RawServer.start(running);
      await using window = await followed({ Stuck: stuck, Healthy: healthy });
      await window.add('Healthy', 1);
      await window.add('Stuck', 10);
      const stop = new AbortController();
      const rounds: Promise<void>[] = [];
      await until(() => {
        rounds.push(askUnfinished(window.refresher, window.list, stop.signal));
        return healthy.posts >= 3 && stuck.posts === 4;
      });
      stop.abort();
      await Promise.all(rounds);
      assert.equal(stuck.posts, 4);
    });
  }

  it('pause all together for as long as the service has asked one of them to, and then go one ahead', async () => {
    await using server = await RawServer.start(
      inTurn(tooMuch('Retry-After: 60'), ...Array.from({ length: 3 }, () => tooMuch()), running),
    );
    await using window = await followed({ Books: server });
    await window.add('Books', 200);
    const turn = () => askUnfinished(window.refresher, window.list);
    await turn();
    assert.equal(server.posts, 4);
    window.clock.advance(59_999);
    await turn();
    assert.equal(server.posts, 4);
    window.clock.advance(1);
    await turn();
    assert.equal(server.posts, 204);
  });

  it('go on where one task alone fails, and pause where three in a row do', async () => {
    await using server = await RawServer.start(answering(response('500 Internal Server Error', 'no')));
    await using window = await followed({ Books: server });
    const [task] = await window.add('Books', 1);
    assert.ok(task);
    for (let count = 0; count < 5; count++) await turn(window);
    assert.deepEqual([server.posts, window.refresher.gateOf(task).checksAtOnce], [15, MAX_CHECKS]);
    await window.add('Books', 2);
    await turn(window);
    // The pause itself may be over: the turn moves the clock for as long as its requests take.
    assert.equal(window.refresher.gateOf(task).checksAtOnce, 1);
  });

  it('are ten a second also where a person asks for many, after the first ten, and end at once when canceled', async () => {
    await using server = await RawServer.start(running);
    await using tracked = await followed({ Manuals: server });
    const tasks = await tracked.add('Manuals', 40);
    const cancel = new AbortController();
    const all = tracked.refresher.refreshAll(tasks, cancel.signal);
    const asked = () => server.posts;
    await until(() => asked() === 10 && tracked.clock.alarms === MAX_CHECKS);
    for (let count = 11; count <= 30; count++) {
      tracked.clock.advance(100);
      await until(() => asked() === count && tracked.clock.alarms === MAX_CHECKS);
    }
    cancel.abort();
    await all;
    assert.equal(asked(), 30);
  });

  it('go out at a person’s word in a pause too: one of them, and the others only where it went well', async () => {
    await using server = await RawServer.start(inTurn(tooMuch('Retry-After: 60'), tooMuch('Retry-After: 60'), running));
    await using window = await followed({ Books: server });
    const tasks = await window.add('Books', 8);
    const [first] = tasks;
    await window.refresher.refresh(first ?? assert.fail(), going());
    assert.equal(server.posts, 1);
    const refused = await window.refresher.refreshAll(tasks, going());
    assert.equal(server.posts, 2);
    assert.deepEqual(kinds(refused), ['rejected', ...tasks.slice(1).map(() => 'paused')]);
    const told = refused.at(-1);
    assert.equal(told?.kind === 'paused' && told.pauseMs, 60_000);
    assert.deepEqual(
      kinds(await window.refresher.refreshAll(tasks, going())),
      tasks.map(() => 'accepted'),
    );
    assert.equal(server.posts, 10);
  });

  it('go out at a person’s word though a pause begins while they wait for their turn', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const late: Script = async (peer, count) => {
      await released;
      await tooMuch()(peer, count);
    };
    await using server = await RawServer.start(inTurn(tooMuch(), late, running));
    await using window = await followed({ Books: server });
    const [first] = await window.add('Books', 1);
    await askUnfinished(window.refresher, window.list);
    const tasks = [first ?? assert.fail(), ...(await window.add('Books', 1))];
    window.clock.advance(60_000);
    const round = askUnfinished(window.refresher, window.list);
    await until(() => server.peers.length === 2);
    const wanted = window.refresher.refreshAll(tasks, going());
    release();
    assert.deepEqual(kinds(await wanted), ['accepted', 'accepted']);
    await round;
  });

  it('end with an error on the one task whose response cannot be taken, and go on with the others', async () => {
    const deep = `{"code":"0","message":null,"data":${'{"a":'.repeat(6000)}1${'}'.repeat(6001)}`;
    await using server = await RawServer.start(async (peer, count) => {
      await peer.readRequest();
      const isDeep = peer.request.body.toString().includes('"T1"');
      await (isDeep ? answering(response('200 OK', deep)) : running)(peer, count);
    });
    await using window = await followed({ Books: server });
    const tasks = await window.add('Books', 6);
    for (let count = 0; count < 3; count++) {
      await turn(window);
      window.clock.advance(60_000);
    }
    const states = tasks.map(({ key }) => taskState(window.list.get(key) ?? assert.fail()));
    assert.equal(states.filter((state) => state === 'running').length, 5);
  });

  it('end with an error on its row where asking itself throws', async () => {
    await using server = await RawServer.start(running);
    let calls = 0;
    await using window = await followed({ Books: server }, async () => {
      if (++calls === 2) throw new Error('no secret storage');
      return target(server.url);
    });
    const tasks = await window.add('Books', 6);
    await askUnfinished(window.refresher, window.list);
    const troubled = tasks.flatMap(({ key }) => window.list.get(key)?.lastQueryError ?? []);
    assert.deepEqual(
      troubled.map((lastQueryError) => lastQueryError.kind === 'failed' && lastQueryError.failure.detail),
      ['no secret storage'],
    );
    assert.equal(server.posts, 5);
  });

  it('are sent to no other origin than the task’s own, in the background or at a person’s word', async () => {
    await using server = await RawServer.start(running);
    await using window = await followed({ Books: server });
    const tasks = await window.add('Books', 3, 'https://old.example.com');
    const [mine] = await window.add('Books', 1);
    await askUnfinished(window.refresher, window.list);
    assert.deepEqual(kinds(await window.refresher.refreshAll(tasks, going())), [undefined, undefined, undefined]);
    assert.equal(server.posts, 1);
    assert.ok(tasks.every((task) => JSON.stringify(task) === JSON.stringify(window.list.get(task.key))));
    assert.equal(window.list.get(mine?.key ?? 0)?.phase.kind, 'accepted');
  });

  it('go on where the dataset is back at the origin of its tasks', async () => {
    await using server = await RawServer.start(running);
    let baseUrl = new URL('https://new.example.com');
    await using window = await followed({ Books: server }, async () => target(baseUrl));
    await window.add('Books', 3);
    await askUnfinished(window.refresher, window.list);
    assert.equal(server.posts, 0);
    baseUrl = server.url;
    await askUnfinished(window.refresher, window.list);
    assert.equal(server.posts, 3);
  });
});
