import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImportService } from '../../../../src/service/importService';
import { type TaskId, taskIdText, typedTaskId } from '../../../../src/service/json/taskId';
import type { Outcome } from '../../../../src/service/response/outcome';
import type { BegunTask, TaskReport } from '../../../../src/service/response/taskReport';
import { mapWithConcurrency } from '../../../../src/tasks/timing/mapWithConcurrency';
import { keptResponse, onRequest } from '../keptConnections';
import { told } from '../operations';
import { RawServer, type Script } from '../rawServer';
import { TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

/** An operation of which the outcome is told in a line; of a file that was accepted the ids, of a query the status. */
type Step = (service: ImportService, url: URL) => Promise<string>;

let files: TemporaryFiles;
before(async () => {
  files = await TemporaryFiles.make();
});
after(() => files[Symbol.asyncDispose]());

function imports(name: string): Step {
  return async (service, url) => {
    const source = await files.write(`${name}.txt`, `${name}\n`);
    return idsOf(await service.fileTask(target(url), source, unwatched()));
  };
}

function asks(id: string): Step {
  return async (service, url) => statusOf(await service.queryTask(target(url), task(id), unwatched()));
}

const setsWebhook: Step = async (service, url) =>
  told(await service.setWebhook(target(url), new URL('https://hooks.example/'), unwatched()));

function task(id: string): TaskId {
  return typedTaskId(id, 'string');
}

function idsOf(outcome: Outcome<BegunTask>): string {
  if (outcome.kind !== 'accepted') return told(outcome);
  const { taskId, ids = taskId === undefined ? [] : [taskId] } = outcome.value;
  return ids.map(taskIdText).join(' ');
}

function statusOf(outcome: Outcome<TaskReport>): string {
  return outcome.kind === 'accepted' ? (outcome.value.status ?? 'no status') : told(outcome);
}

/** The body of a response with this `data`. */
function ok(data: unknown): string {
  return JSON.stringify({ code: '0', message: null, data });
}

/**
 * What comes of these, one after the other, and how many requests each connection carries: to its first one it responds
 * with the first of its bodies, and so on.
 */
async function inTurn(
  connections: readonly (readonly string[])[],
  ...steps: Step[]
): Promise<{ ends: string[]; requests: number[] }> {
  const requests: number[] = [];
  await using server = await RawServer.start((peer, connection) =>
    onRequest((socket, _request, count) => {
      requests[connection - 1] = count;
      socket.write(keptResponse(connections[connection - 1]?.[count - 1] ?? ''));
    })(peer, connection),
  );
  const service = wire();
  const ends: string[] = [];
  for (const step of steps) ends.push(await step(service, server.url));
  return { ends, requests };
}

const A = ok({ taskId: 'A' });
const REPEATED = 'unconfirmed: BadResponseError repeated, all of the body had left';

describe('An import over a kept connection', () => {
  const repetitions: Record<string, string[]> = {
    'the response before, byte for byte': [A, A],
    'the id of the response before, in other bytes': [A, ok({ taskId: 'A', tookMs: 12 })],
    'the response before the one before': [A, ok({ taskId: 'B' }), A],
    'one of several ids that came before': [ok({ taskIds: ['A1', 'A2'] }), ok({ taskIds: ['B1', 'A2'] })],
  };
  for (const [what, bodies] of Object.entries(repetitions)) {
    it(`to which comes ${what}: unconfirmed, and the next ones have connections of their own`, async () => {
      const others = [[ok({ taskId: 'C' })], [ok({ taskId: 'D' })]];
      const names = [...bodies, ...others].map((_, index) => imports(`file${index}`));
      const { ends, requests } = await inTurn([[...bodies, ok({ taskId: 'shifted' })], ...others], ...names);
      assert.deepEqual(ends.slice(bodies.length - 1), [REPEATED, 'C', 'D']);
      assert.deepEqual(requests, [bodies.length, 1, 1]);
    });
  }

  it('to which comes the response to a query before: unconfirmed', async () => {
    const report = ok({ taskId: 'A', status: 'running' });
    const { ends } = await inTurn([[report, report]], asks('A'), imports('file'));
    assert.deepEqual(ends, ['running', REPEATED]);
  });

  it('to which comes the id of a task that a query before was about: unconfirmed', async () => {
    const report = (progress: number) => ok({ taskId: 'A', status: 'running', progress });
    const { ends } = await inTurn([[report(1), report(2)]], asks('A'), imports('file'));
    assert.deepEqual(ends, ['running', REPEATED]);
  });

  it('leaves queries to connections of their own too, once a response was repeated', async () => {
    const running = ok({ status: 'running', progress: 3 });
    const { ends, requests } = await inTurn(
      [[A, A], [running], [running]],
      ...[imports('one'), imports('two'), asks('B'), asks('C')],
    );
    assert.deepEqual(
      [ends, requests],
      [
        ['A', REPEATED, 'running', 'running'],
        [2, 1, 1],
      ],
    );
  });

  const untold: Record<string, string> = {
    'was rejected': '{"code":"7","message":"no such lang","data":null}',
    'has no id': ok({}),
  };
  for (const [what, body] of Object.entries(untold)) {
    it(`is not tried after one that ${what}, as a repetition could not be told from its own response`, async () => {
      const { requests } = await inTurn([[body], [body]], imports('one'), imports('two'));
      assert.deepEqual(requests, [1, 1]);
    });
  }
});

describe('An import over a fresh connection', () => {
  it('is believed, although its id came before over another one', async () => {
    const { ends } = await inTurn([[A, A], [A], [A]], ...['1', '2', '3', '4'].map(imports));
    assert.deepEqual(ends, ['A', REPEATED, 'A', 'A']);
  });
});

describe('A query over a kept connection', () => {
  const success = ok({ status: 'success' });
  const running = ok({ status: 'running' });

  it('to which comes an end that came before, byte for byte, is asked again over a fresh one', async () => {
    const { ends, requests } = await inTurn(
      [
        [success, success],
        [running, ok({ status: 'failed' })],
      ],
      ...['A', 'B', 'C'].map(asks),
    );
    assert.deepEqual(ends, ['success', 'running', 'failed']);
    assert.deepEqual(requests, [2, 2]);
  });

  it('to which comes an end that came before, over both: it is believed', async () => {
    const { ends, requests } = await inTurn([[success, success], [success]], asks('A'), asks('B'));
    assert.deepEqual(
      [ends, requests],
      [
        ['success', 'success'],
        [2, 1],
      ],
    );
  });

  it('to which comes an import’s response before is asked again over a fresh one', async () => {
    const { ends } = await inTurn([[A, A], [running]], imports('file'), asks('A'));
    assert.deepEqual(ends, ['A', 'running']);
  });

  it('to which comes a report of running that came before is believed, and the last one there', async () => {
    const { ends, requests } = await inTurn([[running, running, success], [success]], ...['A', 'B', 'C'].map(asks));
    assert.deepEqual(
      [ends, requests],
      [
        ['running', 'running', 'success'],
        [2, 1],
      ],
    );
  });

  it('is not tried after a query that was rejected', async () => {
    const none = '{"code":"404","message":"no such task","data":null}';
    const { ends, requests } = await inTurn([[none], [running]], asks('A'), asks('B'));
    assert.deepEqual(
      [ends, requests],
      [
        ['rejected: 200, code 404: no such task', 'running'],
        [1, 1],
      ],
    );
  });
});

describe('A webhook', () => {
  it('is set over a connection of its own, as nothing in a response tells that it is about it', async () => {
    const connections = [[A, ok({ taskId: 'B' })], [ok({})]];
    const { ends, requests } = await inTurn(connections, imports('one'), setsWebhook, imports('two'));
    assert.deepEqual(
      [ends, requests],
      [
        ['A', 'accepted', 'B'],
        [2, 1],
      ],
    );
  });
});

describe('A service that responds twice to each request, the second time late', () => {
  const DELAYS_MS = [0, 1, 2, 4, 8, 12, 16, 20, 28, 40];
  const ROUNDS = 3;
  const INDEXES = Array.from({ length: 16 }, (_, index) => index);
  /** Each task whose number is a multiple of three has ended. */
  const hasEnded = (index: number) => index % 3 === 0;

  /** The response has what the file is called, or no more of the task than its status. */
  function bodyFor(request: string): string {
    const file = /filename="file-(\d+)\.txt"/.exec(request)?.[1];
    if (file !== undefined) return ok({ taskId: `of-${file}` });
    const asked = Number(/"taskId":"task-(\d+)"/.exec(request)?.[1]);
    return ok(hasEnded(asked) ? { status: 'success' } : { status: 'running', progress: asked % 7 });
  }

  /** `lateMs` after the response, the same one again. */
  function twice(lateMs: number): Script {
    const respond = async (socket: Socket, request: string, count: number) => {
      const response = keptResponse(bodyFor(request));
      await delay(count % 3);
      socket.write(response);
      await delay(lateMs);
      if (socket.writable) socket.write(response);
    };
    return onRequest((socket, request, count) => void respond(socket, request, count));
  }

  before(() => Promise.all(INDEXES.map((index) => files.write(`file-${index}.txt`))));

  const importsOwn = async (service: ImportService, url: URL, index: number) => {
    const outcome = await service.fileTask(target(url), files.at(`file-${index}.txt`), unwatched());
    if (outcome.kind === 'accepted') assert.equal(idsOf(outcome), `of-${index}`);
    else assert.equal(told(outcome), REPEATED);
  };
  const asksOwn = async (service: ImportService, url: URL, index: number) => {
    const outcome = await service.queryTask(target(url), task(`task-${index}`), unwatched());
    const isEnd = outcome.kind === 'accepted' && outcome.value.meaning === 'succeeded';
    assert.equal(isEnd && !hasEnded(index), false, `task ${index} has not ended`);
    assert.equal(outcome.kind, 'accepted');
  };
  const mixes: Record<string, (service: ImportService, url: URL, index: number) => Promise<void>> = {
    'gives no import the id of another one': importsOwn,
    'tells no task the end of another one': asksOwn,
    'misleads neither where imports and queries take turns': (service, url, index) =>
      (index % 4 < 2 ? importsOwn : asksOwn)(service, url, index),
  };
  for (const [what, run] of Object.entries(mixes)) {
    for (const atOnce of [1, 4, 8]) {
      it(`${what}, ${atOnce} at a time, 0 to 40 ms late`, async () => {
        await Promise.all(
          DELAYS_MS.map(async (lateMs) => {
            await using server = await RawServer.start(twice(lateMs));
            for (let round = 0; round < ROUNDS; round++) {
              // Each round begins without what the one before it has learned of the service.
              const service = wire();
              await mapWithConcurrency(INDEXES, atOnce, (index) => run(service, server.url, index));
            }
          }),
        );
      });
    }
  }
});
