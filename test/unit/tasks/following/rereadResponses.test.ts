import assert from 'node:assert/strict';
import type { Contract } from '../../../../src/service/contract/contract';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import { responseData, responseFor } from '../../../../src/tasks/following/keptResponses';
import { type Rereading, rereadResponses, tasksToRead } from '../../../../src/tasks/following/rereadResponses';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type NewTask, type Responses, type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { always, asStored, NOON, TemporaryStore, taskOf, trackedOf } from '../temporaryStore';

const value = (data: string) => `{"code":"0","message":null,"data":${data}}`;
const IMPORTED = value('{"receipt":9007199254740993123,"file":"F1","id":"D1"}');
const REPORTED = value('{"step":"INDEXING_2","read":"25%","done":3,"note":"so far"}');

const unread: TaskReport = { status: undefined, meaning: 'unknown', progress: undefined, message: undefined, from: {} };
const accepted = {
  phase: { kind: 'accepted', report: undefined },
  importResponse: IMPORTED,
  lastResponse: IMPORTED,
} as const;
const recognized: Partial<NewTask> = {
  ...accepted,
  taskId: typedTaskId('D1', 'string'),
  taskIdFrom: { pointer: '/id', how: 'recognized' },
};
const reported: Partial<NewTask> = {
  ...recognized,
  phase: { kind: 'accepted', report: unread },
  lastResponse: REPORTED,
  checkedMs: NOON,
};

const byChoice: Partial<NewTask> = {
  ...accepted,
  taskId: typedTaskId('9007199254740993123', 'number'),
  taskIdFrom: { pointer: '/receipt', how: 'mapped' },
};
const succeeded: Partial<NewTask> & Pick<NewTask, 'phase'> = {
  ...reported,
  phase: {
    kind: 'accepted',
    report: {
      ...unread,
      status: 'DONE',
      meaning: 'succeeded',
      from: { status: { pointer: '/state', how: 'recognized' } },
    },
  },
};

function contract(overrides: object): Contract {
  const read = readContract(overrides);
  assert.deepEqual(read.faults, []);
  return read.contract;
}

const BOOKS = { name: 'Books', baseUrl: new URL('https://books.example') };

/** What changes where a dataset has these overrides instead of those. */
function changed(before: object, after: object, chosenFrom?: number): Rereading {
  return { dataset: BOOKS, before: contract(before), after: contract(after), chosenFrom };
}

/** Reads the answers of these tasks again: the tasks as they are then, in their order, in memory and in the store. */
async function readAgain(overrides: object, ...facts: Partial<NewTask>[]): Promise<(TrackedTask & Responses)[]> {
  return readAfter({}, overrides, ...facts);
}

/** As {@link readAgain} does, where the dataset had overrides before. */
async function readAfter(
  before: object,
  after: object,
  ...facts: Partial<NewTask>[]
): Promise<(TrackedTask & Responses)[]> {
  await using store = await TemporaryStore.make();
  const list = store.list();
  const added = await list.add(facts.map(taskOf));
  await rereadResponses(list, changed(before, after));
  assert.deepEqual(asStored(await store.read()), asStored(list.held));
  const tasks = await list.history.withResponses(await list.findAll(added.map(({ key }) => key)));
  return tasks.map(({ task, responses }) => ({ ...task, ...responses }));
}

/** What reading again leaves as it is. */
async function stays(overrides: object, facts: Partial<NewTask>): Promise<void> {
  await using store = await TemporaryStore.make();
  const list = store.list();
  const [task] = await list.add([taskOf(facts)]);
  let told = 0;
  list.events.on('change', () => told++);
  await rereadResponses(list, changed({}, overrides));
  assert.deepEqual([list.held, told], [[task], 0]);
}

const RECEIPT = { fileTask: { taskId: '/receipt' } };

describe('A changed mapping', () => {
  it('gives every task that waits for its ID the picked one, to the digit', async () => {
    const waiting = { ...accepted, importResponse: value('{"receipt":9007199254740993123}') };
    const tasks = await readAgain(RECEIPT, waiting, waiting);
    for (const task of tasks) {
      assert.equal(task.taskId, '9007199254740993123');
      assert.deepEqual(task.taskIdFrom, { pointer: '/receipt', how: 'mapped' });
      assert.equal(taskState(task), 'waiting');
    }
  });

  it('leaves tasks with an ID as they are, with their report, result and query error', async () => {
    const refusal = { by: 'status', status: 404, excerpt: '' } as const;
    const troubled = { ...reported, lastQueryError: { kind: 'rejected', refusal } } as const;
    for (const facts of [recognized, reported, troubled, succeeded]) await stays(RECEIPT, facts);
  });

  it('gives the task that was picked from the picked ID, if nothing was reported for the one it has', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [chosen, other, told] = await list.add([recognized, recognized, reported].map(taskOf));
    for (const task of [chosen, told]) await rereadResponses(list, changed({}, RECEIPT, task?.key));
    const ids = [chosen, other, told].map((task) => list.get(task?.key ?? 0)?.taskId);
    assert.deepEqual(ids, ['9007199254740993123', '"D1"', '"D1"']);
  });

  it('goes back to the recognized ID, or to none, if the pick is removed', async () => {
    const lacking = { ...byChoice, importResponse: value('{"receipt":9007199254740993123}') };
    const [with_, without] = await readAfter(RECEIPT, {}, byChoice, lacking);
    assert.equal(with_?.taskId, '"D1"');
    assert.deepEqual(with_.taskIdFrom, { pointer: '/id', how: 'recognized' });
    assert.deepEqual([without?.taskId, without?.taskIdFrom], [undefined, undefined]);
    assert.equal(without && taskState(without), 'withoutId');
  });

  it('replaces the IDs that came from the pick before, and no others', async () => {
    const [chosen, recognized_] = await readAfter(RECEIPT, { fileTask: { taskId: '/file' } }, byChoice, recognized);
    assert.deepEqual([chosen?.taskId, recognized_?.taskId], ['"F1"', '"D1"']);
  });

  it('keeps the result of a task whose ID came from a removed pick', async () => {
    const ended = { ...byChoice, phase: succeeded.phase, lastResponse: REPORTED };
    const [task] = await readAfter(RECEIPT, {}, ended);
    assert.deepEqual([task?.taskId, task && taskState(task)], ['9007199254740993123', 'succeeded']);
  });

  it('keeps the report if the newly picked pointer leads to the same ID', async () => {
    const importResponse = value('{"id":"D1","copy":"D1"}');
    const facts = {
      ...reported,
      taskIdFrom: { pointer: '/id', how: 'mapped' },
      importResponse,
      lastResponse: undefined,
    } as const;
    const [task] = await readAfter({ fileTask: { taskId: '/id' } }, { fileTask: { taskId: '/copy' } }, facts);
    assert.deepEqual(task?.taskIdFrom, { pointer: '/copy', how: 'mapped' });
    assert.equal(JSON.stringify(task.phase), JSON.stringify({ kind: 'accepted', report: unread }));
  });

  it('reads status, progress and message at the picked pointers', async () => {
    const places = { status: '/step', progress: '/read', message: '/note' };
    const [task] = await readAgain({ queryTask: places }, reported);
    assert.deepEqual(task?.phase, {
      kind: 'accepted',
      report: {
        status: 'INDEXING_2',
        meaning: 'unknown',
        progress: 0.25,
        message: 'so far',
        from: {
          status: { pointer: '/step', how: 'mapped' },
          progress: { pointer: '/read', how: 'mapped' },
          message: { pointer: '/note', how: 'mapped' },
        },
        seen: { at: '/step', values: ['INDEXING_2'] },
      },
    });
    assert.deepEqual([task.taskId, task.hasLastResponse, task.checkedMs], ['"D1"', true, NOON]);
  });

  it('applies the meaning of a status, and takes it back once it is removed', async () => {
    const means = (...meaning: string[]) => ({
      queryTask: { status: '/step', statusMeanings: Object.fromEntries(meaning.map((each) => ['INDEXING_2', each])) },
    });
    for (const meaning of ['running', 'succeeded', 'failed'] as const) {
      const [task] = await readAgain(means(meaning), reported);
      assert.equal(task && taskState(task), meaning);
      const [again] = await readAfter(means(meaning), means(), task ?? assert.fail());
      assert.equal(again && taskState(again), 'unknown');
    }
  });

  it('keeps a result whatever its status means now, unless the changed mapping decided it', async () => {
    const means = (meaning: string) => ({ queryTask: { statusMeanings: { INDEXING_2: meaning, DONE: meaning } } });
    await stays(means('running'), succeeded);
    const byPlace = { queryTask: { status: '/step', statusMeanings: { INDEXING_2: 'succeeded' } } };
    const [ended] = await readAgain(byPlace, reported);
    assert.equal(ended && taskState(ended), 'succeeded');
    const [kept] = await readAfter(byPlace, { queryTask: { ...byPlace.queryTask, message: '/note' } }, ended ?? {});
    assert.equal(kept && taskState(kept), 'succeeded');
    assert.equal(kept?.phase.kind === 'accepted' && kept.phase.report?.message, 'so far');
    const [elsewhere] = await readAfter(byPlace, { queryTask: { status: '/note' } }, ended ?? {});
    assert.equal(elsewhere && taskState(elsewhere), 'unknown');
    const [back] = await readAfter({ queryTask: { status: '/note' } }, byPlace, elsewhere ?? {});
    assert.equal(back && taskState(back), 'succeeded');
  });

  const finished = (is: string) => ({ queryTask: { state: `done >= \`3\` && '${is}' || 'running'` } });

  it('applies the state expression, and changes only results that came from it', async () => {
    const [task] = await readAgain(finished('succeeded'), reported);
    assert.equal(task && taskState(task), 'succeeded');
    for (const [after, state] of [
      [finished('failed'), 'failed'],
      [{ queryTask: { status: '/step' } }, 'unknown'],
      [{}, 'unknown'],
    ] as const) {
      const [again] = await readAfter(finished('succeeded'), after, task ?? assert.fail());
      assert.equal(again && taskState(again), state);
    }
    const [kept] = await readAfter(
      finished('succeeded'),
      { queryTask: { ...finished('succeeded').queryTask, message: '/note' } },
      task ?? assert.fail(),
    );
    assert.equal(kept && taskState(kept), 'succeeded');
    await stays(finished('failed'), succeeded);
  });

  it('reports which results would change: only those that the mapping decided', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    await list.add([reported, succeeded].map(taskOf));
    const byStatus = { queryTask: { status: '/step', statusMeanings: { INDEXING_2: 'succeeded' } } } as const;
    const isChanged = async (...rereading: Parameters<typeof changed>) =>
      (await tasksToRead(list, changed(...rereading))).map(({ changesEnd }) => changesEnd);
    assert.deepEqual(await isChanged({}, byStatus), [false]);
    await rereadResponses(list, changed({}, byStatus));
    assert.deepEqual(await isChanged(byStatus, {}), [true]);
    const otherMessage = { queryTask: { ...byStatus.queryTask, message: '/note' } };
    assert.deepEqual(await isChanged(byStatus, otherMessage), [false, false]);
  });

  it('replaces a result that came from a picked status once there is a state expression', async () => {
    const byStatus = { queryTask: { status: '/step', statusMeanings: { INDEXING_2: 'succeeded' } } };
    const [task] = await readAgain(byStatus, reported);
    const withExpression = { queryTask: { ...byStatus.queryTask, ...finished('failed').queryTask } };
    const [again] = await readAfter(byStatus, withExpression, task ?? assert.fail());
    assert.equal(again && taskState(again), 'failed');
  });

  it('leaves a task without a report as it is', async () => {
    const noReport = { kind: 'accepted', report: { ...unread, meaning: 'none' } } as const;
    await stays(finished('succeeded'), { ...reported, phase: noReport, lastResponse: value('null') });
  });

  const places = { queryTask: { status: '/step', statusMeanings: { INDEXING_2: 'succeeded' } } };
  const untouched: Readonly<Record<string, [overrides: object, facts: Partial<NewTask>]>> = {
    'of the same dataset at another origin': [
      { ...RECEIPT, ...places },
      { ...reported, origin: 'https://old.example' },
    ],
    'of another dataset': [
      { ...RECEIPT, ...places },
      { ...reported, dataset: 'Manuals' },
    ],
    'that was not accepted': [RECEIPT, { ...recognized, phase: { kind: 'sending', attemptId: 'A 1' } }],
    'that was never queried': [places, recognized],
    'whose ID the user entered': [
      RECEIPT,
      { ...accepted, importResponse: undefined, lastResponse: undefined, taskId: typedTaskId('T1', 'string') },
    ],
    'if nothing in its responses changes': [{}, reported],
  };
  for (const [which, [overrides, facts]] of Object.entries(untouched)) {
    it(`leaves a task ${which} as it is`, () => stays(overrides, facts));
  }

  it("doesn't read a rejection as a report", async () => {
    const envelope = parseJson('{"code":"7","message":"busy","data":{"step":"INDEXING_2"}}') as never;
    const response = { envelope, deviations: [] };
    const refusal = { by: 'envelope', status: 200, code: '7', message: 'busy', response } as const;
    const refused = { ...reported, lastResponse: JSON.stringify(envelope) };
    await stays(places, { ...refused, lastQueryError: { kind: 'rejected', refusal } });
    // The next time it was not even reached; the refusal is still its last answer.
    const failure = { name: 'ConnectError', reason: 'refused', host: 'a.example', detail: '' } as const;
    await stays(places, { ...refused, lastQueryError: { kind: 'failed', failure } });
    const ofOk = {
      ...refusal,
      code: '0',
      status: 400,
      response: { ...response, envelope: parseJson(REPORTED) as never },
    };
    await stays(places, { ...reported, lastQueryError: { kind: 'rejected', refusal: ofOk } });
  });

  it("reads the last report even if the service couldn't be reached since, or its response wasn't an envelope", async () => {
    const failure = { name: 'ConnectError', reason: 'refused', host: 'a.example', detail: '' } as const;
    const refusal = { by: 'status', status: 404, excerpt: '' } as const;
    const tasks = await readAgain(
      places,
      { ...reported, lastQueryError: { kind: 'failed', failure } },
      { ...reported, lastQueryError: { kind: 'rejected', refusal } },
    );
    assert.deepEqual(tasks.map(taskState), ['succeeded', 'succeeded']);
  });

  it('reads the newest response of a task that changes meanwhile', async () => {
    await using store = await TemporaryStore.make();
    const list: TaskList = store.list();
    // The oldest come last, after others have been saved.
    const [first, second] = await list.add(Array.from({ length: 102 }, () => taskOf(reported)));
    assert.ok(first && second);
    const newer = value('{"step":"READY"}');
    list.events.once('change', () => {
      void list.change(second.key, { lastResponse: newer }, always);
      void list.remove([first.key]);
    });
    await rereadResponses(list, changed({}, { queryTask: { status: '/step' } }));
    const statusOf = (key: number) => {
      const { phase } = list.get(key) ?? {};
      return phase?.kind === 'accepted' ? phase.report?.status : undefined;
    };
    assert.equal(statusOf(second.key), 'READY');
    assert.equal(list.get(first.key), undefined);
    assert.equal((await store.read()).length, 101);
  });

  it('assigns the ID to an import whose response had the ID of another file, unless it still has', async () => {
    const failure = {
      name: 'BadResponseError',
      reason: 'repeatedId',
      status: 200,
      excerpt: 'a.txt',
      detail: '',
    } as const;
    const phase = { kind: 'unconfirmed', failure, sentBytes: 9, totalBytes: 9 } as const;
    const repeated = (data: string): Partial<NewTask> => ({
      phase,
      importResponse: value(data),
      lastResponse: value(data),
    });
    const tasks = await readAfter(
      { fileTask: { taskId: '/dataset' } },
      RECEIPT,
      { ...byChoice, taskId: typedTaskId('R0', 'string') },
      repeated('{"dataset":"D","receipt":"R1"}'),
      repeated('{"dataset":"D","receipt":"R2"}'),
      ...['{"receipt":"R0"}', '{"receipt":"R3"}', '{"receipt":"R3"}', '{"dataset":"D"}'].map(repeated),
    );
    // The newest one is read first.
    assert.deepEqual(
      tasks.map((task) => [task.taskId, task.phase.kind]),
      [
        ['"R0"', 'accepted'],
        ['"R1"', 'accepted'],
        ['"R2"', 'accepted'],
        [undefined, 'unconfirmed'],
        [undefined, 'unconfirmed'],
        ['"R3"', 'accepted'],
        [undefined, 'unconfirmed'],
      ],
    );
  });
});

describe('A changed mapping, if only a part of a response is stored,', () => {
  const cut = (data: string) => `${value(data).slice(0, -4)}…`;

  it('leaves the task ID as it is', async () => {
    await stays({ fileTask: { taskId: '/receipt' } }, { ...recognized, importResponse: cut('{"receipt":7}') });
  });

  it('asks again about a task that ended by the former mapping, and about no other', async () => {
    const mapped = { queryTask: { status: '/step', statusMeanings: { INDEXING_2: 'succeeded' } } };
    const [task] = await readAgain(mapped, reported);
    assert.equal(task && taskState(task), 'succeeded');
    const [again] = await readAfter(
      mapped,
      { queryTask: { status: '/b' } },
      { ...task, lastResponse: cut('{"b":"x"}') },
    );
    assert.equal(again && taskState(again), 'waiting');
    await stays({ queryTask: { status: '/b' } }, { ...succeeded, lastResponse: cut('{"b":"x"}') });
  });
});

describe("A task's last report", () => {
  const read = (facts: Partial<NewTask>) => {
    const { importResponse, lastResponse } = taskOf(facts);
    return responseFor('status', trackedOf(1, facts), { importResponse, lastResponse });
  };

  it('is its last answer once there is a report, and no refusal', () => {
    assert.equal(read(reported), REPORTED);
    assert.equal(read({ ...reported, lastResponse: '{"code":0,"data":{}}' }), '{"code":0,"data":{}}');
    assert.equal(read({ ...reported, lastResponse: '{"code":0.0,"data":{}}' }), '{"code":0.0,"data":{}}');
    assert.equal(read({ ...reported, lastResponse: '{"code":"7","data":{}}' }), undefined);
    assert.equal(read(recognized), undefined);
    assert.equal(read({ phase: { kind: 'sending', attemptId: 'A 1' }, lastResponse: REPORTED }), undefined);
  });

  it('has `data` that is null if the response has none', () => {
    assert.equal(responseData('{"code":"0"}'), null);
    assert.deepEqual(responseData(value('[1]')), [1]);
  });
});
