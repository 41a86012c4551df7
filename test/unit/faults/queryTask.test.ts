import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { typedTaskId } from '../../../src/service/json/taskId';
import type { Refresher } from '../../../src/tasks/following/refresher';
import type { TaskList } from '../../../src/tasks/store/taskList';
import { type TrackedTask, taskState } from '../../../src/tasks/trackedTask';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { response } from '../service/responses';
import { CANARY } from '../service/wire';
import { checkUnfinished, refresherOf } from '../tasks/following/refresherOf';
import { OtherProcess } from '../tasks/otherProcess';
import { lockStore } from '../tasks/storeLock';
import { asStored, TemporaryStore, taskOf } from '../tasks/temporaryStore';
import { until } from '../tasks/until';
import { FAULTS, type Fault } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';
import { afterRequest, inTurn, says, staysSilent } from './script';

interface Expected {
  readonly fault: Fault;
  readonly end: RegExp;
  readonly tries: 1 | 3;
  /** What the task, which was running, shows afterwards. */
  readonly shows: 'failed' | 'rejected' | 'nothing' | 'running' | 'unknown';
}

/**
 * One fault for each thing that a query makes of a fault. Which outcome a response has is shown in the tests of the service,
 * which outcomes are retried in those of `retried`.
 */
const expected: Readonly<Record<string, Expected>> = {
  'connection refused': {
    fault: FAULTS['DNS failure, connection refused, connect time-out']['a refused connection'],
    end: /^not sent: ConnectError refused$/,
    tries: 3,
    shows: 'failed',
  },
  'certificate error': {
    fault: FAULTS['TLS or certificate error']['a certificate that nobody vouches for'],
    end: /^not sent: ConnectError tls$/,
    tries: 1,
    shows: 'failed',
  },
  'lost connection': {
    fault: FAULTS['connection reset after the body, or headers never come']['a reset'],
    end: /^unconfirmed: ConnectionLostError reset/,
    tries: 3,
    shows: 'failed',
  },
  'server error': {
    fault: FAULTS['5xx, envelope or not']['a 502 with HTML'],
    end: /^unconfirmed: BadResponseError serverError/,
    tries: 3,
    shows: 'failed',
  },
  'captive portal': {
    fault: FAULTS['HTML or other non-JSON with 200'].HTML,
    end: /^unconfirmed: BadResponseError notJson/,
    tries: 3,
    shows: 'failed',
  },
  'oversized response': {
    fault: FAULTS['answer larger than 1 MiB']['by one byte'],
    end: /^unconfirmed: BadResponseError tooLarge/,
    tries: 1,
    shows: 'failed',
  },
  'rejection with an envelope': {
    fault: FAULTS['200 with `code` other than "0"']['another string'],
    end: /^rejected: 200, code D-17: no, not with /,
    tries: 1,
    shows: 'rejected',
  },
  'rejected access key': {
    fault: FAULTS['4xx with an envelope: 401 and 403']['a 401 with an envelope'],
    end: /^rejected: 401/,
    tries: 1,
    shows: 'rejected',
  },
  'busy service': {
    fault: FAULTS['429, 503 with Retry-After: 429']['with an envelope'],
    end: /^rejected: 429/,
    tries: 1,
    shows: 'nothing',
  },
  'number 0 as code': {
    fault: FAULTS['`code` is the number 0, `message` not null, a BOM before the JSON, gzip']['the number 0'],
    end: /^accepted$/,
    tries: 1,
    shows: 'running',
  },
  'data that is null': {
    fault: FAULTS['`code` "0" but `data` null or not an object'].null,
    end: /^accepted$/,
    tries: 1,
    shows: 'unknown',
  },
};

const going = () => new AbortController().signal;
const status = (word: string) => response('200 OK', `{"code":"0","message":null,"data":{"status":"${word}"}}`);
const running = { status: 'RUNNING', meaning: 'running', progress: 0.5, message: undefined, from: {} } as const;

/** A running task at a faulty service, and the refresher that checks it. */
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
    this.refresher = refresherOf(this.list, findTarget, clock, { service: faulty.service });
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

  /** Checks the task once. */
  async turn(signal = going()): Promise<void> {
    await checkUnfinished(this.refresher, this.list, signal);
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
  // If data is null, there is no report yet.
  if (state === 'noReport') return 'unknown';
  assert.ok(state === 'running' || state === 'unknown', state);
  return state;
}

describe('A status check that meets a fault', () => {
  for (const [name, { fault, end, tries, shows }] of Object.entries(expected)) {
    it(`${name}: is tried ${tries === 1 ? 'once' : 'three times'}, and the task stays`, async () => {
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
  }

  it('shows no error if only the first try gets a server error', async () => {
    const script = inTurn(afterRequest(says(response('502 Bad Gateway', ''))), afterRequest(says(status('DONE'))));
    await using question = await Question.about({ script });
    await question.turn();
    assert.equal(question.posts, 2);
    assert.deepEqual([taskState(question.task), question.task.lastQueryError], ['succeeded', undefined]);
  });

  for (const line of ['429 Too Many Requests', '503 Service Unavailable']) {
    it(`is not repeated before the time that a ${line.slice(0, 3)} asks for`, async () => {
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

  it('has no third try if the second one gets a 503 with Retry-After', async () => {
    const busy = says(response('503 Service Unavailable', '', 'Retry-After: 30'));
    const script = inTurn(afterRequest(says(response('502 Bad Gateway', ''))), afterRequest(busy));
    await using question = await Question.about({ script });
    await question.turn();
    assert.deepEqual([question.posts, question.clock.pausesMs.length], [2, 1]);
  });

  describe('and is canceled', () => {
    it('while it waits for the response leaves no trace', async () => {
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

    it('between two tries leaves no trace', async () => {
      const cancel = new AbortController();
      const script = afterRequest(says(response('500 Internal Server Error', '')));
      await using question = await Question.about({ script }, () => cancel.abort());
      const before = question.task;
      await question.turn(cancel.signal);
      assert.deepEqual([question.posts, question.clock.pausesMs.length, question.task], [1, 1, before]);
    });
  });

  it('is repeated by another window if its extension host is killed', async () => {
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

  it('shows a report that a locked store cannot save, marks it unsaved, and saves it later', async () => {
    await using question = await Question.about({ script: afterRequest(says(status('DONE'))) });
    const unsaved: unknown[] = [];
    question.list.events.on('unsaved', (error) => unsaved.push(error));
    using other = lockStore(question.store);
    await question.turn();
    assert.deepEqual([question.posts, taskState(question.task)], [1, 'succeeded']);
    assert.equal((unsaved[0] as Error | undefined)?.name, 'StoreError');
    other.release();
    await question.list.sync();
    assert.equal((await question.store.read()).map(taskState).join(), 'succeeded');
  });

  it('sets a damaged store aside, and its tasks leave the list', async () => {
    await using question = await Question.about({ script: afterRequest(says(status('DONE'))) });
    writeFileSync(question.store.path, Buffer.alloc(64 * 1024, 0x55));
    await question.turn();
    await until(() => question.store.asides.length === 1);
    await question.list.sync();
    assert.deepEqual([question.list.held, await question.store.read(), question.posts], [[], [], 1]);
  });
});
