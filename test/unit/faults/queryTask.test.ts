import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { typedTaskId } from '../../../src/service/json/taskId';
import { Refresher } from '../../../src/tasks/following/refresher';
import type { TaskList } from '../../../src/tasks/store/taskList';
import { type TrackedTask, taskState } from '../../../src/tasks/trackedTask';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { RawServer } from '../service/rawServer';
import { response, taking } from '../service/responses';
import { CANARY } from '../service/wire';
import { askUnfinished } from '../tasks/following/askUnfinished';
import { OtherProcess } from '../tasks/otherProcess';
import { asStored, TemporaryStore, taskOf } from '../tasks/temporaryStore';
import { until } from '../tasks/until';
import { type Fault, type FaultRow, forEachFault } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';
import { afterRequest, afterSlowReading, inTurn, says, staysSilent } from './script';

interface Expected {
  readonly end: RegExp;
  readonly tries: 1 | 3;
  /** What the task, which was running before, shows then. */
  readonly shows: 'failed' | 'rejected' | 'nothing' | 'running' | 'unknown';
}

const expected: Readonly<Record<FaultRow, Expected>> = {
  'DNS failure, connection refused, connect time-out': {
    end: /^not sent: ConnectError (?:dns|refused|timedOut)$/,
    tries: 3,
    shows: 'failed',
  },
  'TLS or certificate error': { end: /^not sent: ConnectError tls$/, tries: 1, shows: 'failed' },
  'proxy answers 407 or refuses CONNECT': { end: /^not sent: ConnectError proxy$/, tries: 1, shows: 'failed' },
  'connection reset before the body is complete': {
    end: /^unconfirmed: ConnectionLostError reset/,
    tries: 3,
    shows: 'failed',
  },
  'connection reset after the body, or headers never come': {
    end: /^unconfirmed: ConnectionLostError (?:reset|silent)/,
    tries: 3,
    shows: 'failed',
  },
  '4xx with an envelope': { end: /^rejected: 4\d\d, code \S+: no, not with /, tries: 1, shows: 'rejected' },
  '4xx with an envelope: 401 and 403': { end: /^rejected: 40[13]/, tries: 1, shows: 'rejected' },
  '4xx without an envelope': { end: /^rejected: 40\d: (?:.*no, not with .*)?$/, tries: 1, shows: 'rejected' },
  '429, 503 with Retry-After: 429': { end: /^rejected: 429/, tries: 1, shows: 'nothing' },
  '429, 503 with Retry-After: 503': { end: /^unconfirmed: BadResponseError serverError/, tries: 1, shows: 'failed' },
  '5xx, envelope or not': { end: /^unconfirmed: BadResponseError serverError/, tries: 3, shows: 'failed' },
  'HTML or other non-JSON with 200': {
    end: /^unconfirmed: BadResponseError not(?:Json|Envelope)/,
    tries: 3,
    shows: 'failed',
  },
  'truncated JSON, or body shorter than its Content-Length': {
    end: /^unconfirmed: (?:BadResponseError notJson|ConnectionLostError (?:truncated|reset))/,
    tries: 3,
    shows: 'failed',
  },
  'answer larger than 1 MiB': { end: /^unconfirmed: BadResponseError tooLarge/, tries: 1, shows: 'failed' },
  '200 with `code` other than "0"': {
    end: /^rejected: 200, code (?:D-17|17): no, not with /,
    tries: 1,
    shows: 'rejected',
  },
  '`code` is the number 0, `message` not null, a BOM before the JSON, gzip': {
    end: /^accepted$/,
    tries: 1,
    shows: 'running',
  },
  '`code` "0" but `data` null or not an object': { end: /^accepted$/, tries: 1, shows: 'unknown' },
  'redirect: 301, 302 and 303': { end: /^unconfirmed: BadResponseError redirect/, tries: 1, shows: 'failed' },
  'redirect: 307 and 308': { end: /^rejected: 30[78] to /, tries: 1, shows: 'rejected' },
  'an unsolicited `100 Continue`, 102, 103': { end: /^accepted$/, tries: 1, shows: 'running' },
  'response nested deeper than 200 levels, or a million keys': { end: /^accepted$/, tries: 1, shows: 'unknown' },
  'response that drips': {
    end: /^unconfirmed: ConnectionLostError (?:silent|truncated)/,
    tries: 3,
    shows: 'failed',
  },
  '`Retry-After` 0, negative, fractional, absurd, a date without `Date`': {
    end: /^rejected: 429/,
    tries: 1,
    shows: 'nothing',
  },
};

const going = () => new AbortController().signal;
const status = (word: string) => response('200 OK', `{"code":"0","message":null,"data":{"status":"${word}"}}`);
const running = { status: 'RUNNING', meaning: 'running', progress: 0.5, message: undefined, from: {} } as const;

/** A running task of a dataset with a fault, and the part that asks about it. */
class Question {
  readonly faulty: FaultyService;
  readonly clock: HastyClock;
  readonly list: TaskList;
  readonly store: TemporaryStore;
  readonly refresher: Refresher;

  private constructor(faulty: FaultyService, clock: HastyClock, store: TemporaryStore) {
    this.faulty = faulty;
    this.clock = clock;
    this.store = store;
    this.list = store.list(clock.now, 100);
    const findTarget = async () => faulty.target;
    this.refresher = new Refresher(faulty.service, this.list, findTarget, clock);
  }

  static async about(fault: Fault, during?: (question: Question) => unknown): Promise<Question> {
    const faulty = await FaultyService.start(fault);
    const clock = new HastyClock(() => during?.(question));
    const question: Question = new Question(faulty, clock, await TemporaryStore.make());
    await question.list.add([
      taskOf({ taskId: typedTaskId('T1', 'string'), phase: { kind: 'accepted', report: running } }),
    ]);
    return question;
  }

  get posts(): number {
    return this.faulty.server.posts;
  }

  get task(): TrackedTask {
    return this.list.held[0] ?? assert.fail('The task is gone.');
  }

  /** One turn of following tasks. */
  turn(signal = going()): Promise<void> {
    return askUnfinished(this.refresher, this.list, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const kept = [this.list.held, readFileSync(this.store.path)];
    await this.store[Symbol.asyncDispose]();
    await this.faulty[Symbol.asyncDispose]();
    assertKeyIsMasked(kept);
  }
}

function shown(task: TrackedTask): Expected['shows'] {
  if (task.lastQueryError !== undefined) return task.lastQueryError.kind;
  const state = taskState(task);
  // Data that is null is no report yet.
  if (state === 'noReport') return 'unknown';
  assert.ok(state === 'running' || state === 'unknown', state);
  return state;
}

describe('query-task, fault by fault', () => {
  forEachFault(expected, (fault: Fault, name, { end, tries, shows }) => {
    it(`${name}: ${tries === 1 ? 'asked once' : 'asked three times'}, and the task stays`, async () => {
      await using question = await Question.about(fault);
      await question.turn();
      const { faulty, clock, task } = question;
      assert.equal(faulty.ends.length, tries);
      for (const told of faulty.ends) assert.match(told, end);
      assert.equal(question.posts, fault.arrives === false ? 0 : tries);
      const [first = 500, second = 500, ...others] = clock.pausesMs;
      assert.deepEqual([clock.pausesMs.length, others], [tries - 1, []]);
      for (const ms of [first, second]) assert.ok(ms >= 500 && ms <= 20_000, `${ms} ms`);
      assert.equal(shown(task), shows === 'nothing' ? 'running' : shows);
      const [stored] = await question.store.read();
      assert.deepEqual(asStored(stored), asStored(task));
    });

    if (tries === 1 || fault.arrives === false) return;
    it(`${name}, at the first try alone: asked twice, and nothing of it shows`, async () => {
      await using question = await Question.about({
        ...fault,
        script: inTurn(fault.script, afterRequest(says(status('DONE')))),
      });
      await question.turn();
      assert.equal(question.posts, 2);
      assert.deepEqual([taskState(question.task), question.task.lastQueryError], ['succeeded', undefined]);
    });
  });

  it('connection refused, until the service is there: asked once, then', async () => {
    const fault: Fault = { script: afterRequest(says(status('DONE'))), gone: true };
    await using question = await Question.about(fault, ({ faulty }) => faulty.server.listenAgain());
    await question.turn();
    assert.deepEqual(question.faulty.ends, ['not sent: ConnectError refused', 'accepted']);
    assert.deepEqual([question.posts, taskState(question.task)], [1, 'succeeded']);
  });

  for (const line of ['429 Too Many Requests', '503 Service Unavailable']) {
    it(`429, 503 with Retry-After: after a ${line.slice(0, 3)} no turn asks again before the time`, async () => {
      const busy = says(response(line, CANARY, 'Retry-After: 3600'));
      await using question = await Question.about({ script: afterRequest(busy) });
      await question.turn();
      question.clock.nowMs += 3_599_999;
      await question.turn();
      assert.deepEqual([question.posts, question.clock.pausesMs], [1, []]);
      question.clock.nowMs += 1;
      await question.turn();
      assert.equal(question.posts, 2);
    });
  }

  it('503 with Retry-After at the second try: there is no third', async () => {
    const busy = says(response('503 Service Unavailable', '', 'Retry-After: 30'));
    const script = inTurn(afterRequest(says(response('502 Bad Gateway', ''))), afterRequest(busy));
    await using question = await Question.about({ script });
    await question.turn();
    assert.deepEqual([question.posts, question.clock.pausesMs.length], [2, 1]);
  });

  it('redirect: the second origin sees nothing', async () => {
    await using elsewhere = await RawServer.start(taking);
    const moved = says(response('307 Temporary Redirect', '', `Location: ${elsewhere.url.href}`));
    await using question = await Question.about({ script: afterRequest(moved) });
    await question.turn();
    assert.deepEqual([question.posts, elsewhere.peers.length], [1, 0]);
    assert.deepEqual(question.task.lastQueryError, {
      kind: 'rejected',
      refusal: { by: 'redirect', status: 307, target: elsewhere.url.origin },
    });
  });

  describe('`code` is the number 0, `message` not null, a BOM before the JSON, gzip', () => {
    it('the deviation is told', async () => {
      const odd = says(response('200 OK', '\uFEFF{"code":0,"message":"fine","data":{"status":"DONE"}}'));
      await using question = await Question.about({ script: afterRequest(odd) });
      await question.turn();
      const [outcome] = question.faulty.outcomes;
      assert.deepEqual(outcome?.kind === 'accepted' && outcome.response.deviations, [
        'a byte order mark stands before the JSON',
        'code is the number 0, not the string "0"',
        'message is not null',
      ]);
    });
  });

  describe('cancel', () => {
    it('while it waits for an answer: it stops, and leaves no trace', async () => {
      const cancel = new AbortController();
      const script = afterRequest(async (peer) => {
        cancel.abort();
        await staysSilent(peer);
      });
      await using question = await Question.about({ script });
      const before = question.task;
      await question.turn(cancel.signal);
      assert.deepEqual([question.posts, question.clock.pausesMs, question.task], [1, [], before]);
    });

    it('between two tries: it stops, and leaves no trace', async () => {
      const cancel = new AbortController();
      const script = afterRequest(says(response('500 Internal Server Error', '')));
      await using question = await Question.about({ script }, () => cancel.abort());
      const before = question.task;
      await question.turn(cancel.signal);
      assert.deepEqual([question.posts, question.clock.pausesMs.length, question.task], [1, 1, before]);
    });
  });

  it('extension host killed mid-way: asked again by the next one', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const silent = afterRequest(async (peer) => {
      resolve();
      await staysSilent(peer);
    });
    await using question = await Question.about({ script: inTurn(silent, afterRequest(says(status('DONE')))) });
    await using window = await OtherProcess.start('askOn', question.store.path, question.faulty.target.baseUrl.href);
    void window.go().catch(() => {});
    await asked;
    await window.kill();
    await question.list.sync();
    await question.turn();
    assert.deepEqual([question.posts, taskState(question.task)], [2, 'succeeded']);
  });

  it('disk full or store locked before sending: the answer is shown, marked unsaved, and saved when it can be', async () => {
    await using question = await Question.about({ script: afterRequest(says(status('DONE'))) });
    const unsaved: unknown[] = [];
    question.list.events.on('unsaved', (error) => unsaved.push(error));
    await using other = await OtherProcess.start('holdLock', question.store.path);
    await question.turn();
    assert.deepEqual([question.posts, taskState(question.task)], [1, 'succeeded']);
    assert.equal((unsaved[0] as Error | undefined)?.name, 'StoreError');
    await other.go();
    await question.list.sync();
    assert.equal((await question.store.read()).map(taskState).join(), 'succeeded');
  });

  it('store damaged: it is set aside, and its tasks are in the list no more', async () => {
    await using question = await Question.about({ script: afterRequest(says(status('DONE'))) });
    writeFileSync(question.store.path, Buffer.alloc(64 * 1024, 0x55));
    await question.turn();
    await until(() => question.store.asides.length === 1);
    await question.list.sync();
    assert.deepEqual([question.list.held, await question.store.read(), question.posts], [[], [], 1]);
  });

  it('key missing: nothing is asked until there is one', async () => {
    await using question = await Question.about({ script: afterRequest(says(status('DONE'))) });
    let hasKey = false;
    const { faulty, list } = question;
    const findTarget = async () => (hasKey ? faulty.target : undefined);
    const refresher = new Refresher(faulty.service, list, findTarget, question.clock);
    await askUnfinished(refresher, list);
    assert.equal(faulty.server.peers.length, 0);
    hasKey = true;
    await askUnfinished(refresher, list);
    assert.deepEqual([question.posts, taskState(question.task)], [1, 'succeeded']);
  });

  it('a service that reads slowly is no fault', async () => {
    await using question = await Question.about({ script: afterSlowReading(says(status('DONE'))) });
    await question.turn();
    assert.deepEqual([question.posts, taskState(question.task)], [1, 'succeeded']);
  });
});
