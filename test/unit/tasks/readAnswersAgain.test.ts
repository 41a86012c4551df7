import assert from 'node:assert/strict';
import type { Contract } from '../../../src/service/contract';
import { readContract } from '../../../src/service/contractOverrides';
import { parseJson } from '../../../src/service/json';
import { typedTaskId } from '../../../src/service/taskId';
import type { TaskReport } from '../../../src/service/taskReport';
import { answerData, readAnswersAgain, reportAnswer } from '../../../src/tasks/readAnswersAgain';
import type { TaskList } from '../../../src/tasks/taskList';
import { type NewTask, type TrackedTask, taskState } from '../../../src/tasks/trackedTask';
import { always, NOON, TemporaryStore, taskOf } from './temporaryStore';

const taken = (data: string) => `{"code":"0","message":null,"data":${data}}`;
const IMPORTED = taken('{"receipt":9007199254740993123,"fileId":"F1","id":"D1"}');
const REPORTED = taken('{"step":"INDEXING_2","read":3,"total":12,"note":"so far"}');

const unread: TaskReport = { status: undefined, meaning: 'unknown', progress: undefined, message: undefined, from: {} };
const accepted = {
  phase: { kind: 'accepted', report: undefined },
  importAnswer: IMPORTED,
  lastAnswer: IMPORTED,
} as const;
const recognised: Partial<NewTask> = {
  ...accepted,
  taskId: typedTaskId('D1', 'string'),
  taskIdFrom: { pointer: '/id', how: 'recognised' },
};
const reported: Partial<NewTask> = {
  ...recognised,
  phase: { kind: 'accepted', report: unread },
  lastAnswer: REPORTED,
  checkedMs: NOON,
};

function contract(overrides: object): Contract {
  const read = readContract(overrides);
  assert.deepEqual(read.faults, []);
  return read.contract;
}

/** Reads the answers of these tasks again: the tasks as they are then, in their order, in memory and in the store. */
async function readAgain(overrides: object, ...facts: Partial<NewTask>[]): Promise<TrackedTask[]> {
  await using store = await TemporaryStore.make();
  const list = store.list();
  const added = await list.add(facts.map(taskOf));
  await readAnswersAgain(list, 'Books', contract(overrides));
  assert.deepEqual(asStored(await store.read()), asStored(list.tasks));
  return added.map(({ key }) => list.get(key) ?? assert.fail());
}

/** JSON has no undefined. */
function asStored(tasks: readonly TrackedTask[]): unknown {
  return JSON.parse(JSON.stringify(tasks));
}

/** What reading again leaves as it is. */
async function stays(overrides: object, facts: Partial<NewTask>): Promise<void> {
  await using store = await TemporaryStore.make();
  const list = store.list();
  const [task] = await list.add([taskOf(facts)]);
  let told = 0;
  list.events.on('change', () => told++);
  await readAnswersAgain(list, 'Books', contract(overrides));
  assert.deepEqual([list.tasks, told], [[task], 0]);
}

const RECEIPT = { fileTask: { taskId: '/receipt' } };

describe('Reading the kept answers again', () => {
  it('gives every task that waits for its id the id that was chosen, to the digit', async () => {
    const waiting = { ...accepted, importAnswer: taken('{"receipt":9007199254740993123}') };
    const tasks = await readAgain(RECEIPT, waiting, waiting);
    for (const task of tasks) {
      assert.equal(task.taskId, '9007199254740993123');
      assert.deepEqual(task.taskIdFrom, { pointer: '/receipt', how: 'mapped' });
      assert.equal(taskState(task), 'waiting');
    }
  });

  it('corrects an id that was taken from the wrong place, and drops what was said of the other task', async () => {
    const refusal = { by: 'status', status: 404, excerpt: '' } as const;
    const [task] = await readAgain(RECEIPT, { ...reported, trouble: { kind: 'rejected', refusal } });
    assert.equal(task?.taskId, '9007199254740993123');
    assert.deepEqual(task.taskIdFrom, { pointer: '/receipt', how: 'mapped' });
    assert.deepEqual(task.phase, { kind: 'accepted', report: undefined });
    assert.deepEqual([task.trouble, task.lastAnswer, task.importAnswer], [undefined, IMPORTED, IMPORTED]);
  });

  it('goes back to the recognised id where the choice is forgotten, or to none where none is', async () => {
    const chosen: Partial<NewTask> = {
      ...accepted,
      taskId: typedTaskId('9007199254740993123', 'number'),
      taskIdFrom: { pointer: '/receipt', how: 'mapped' },
    };
    const lacking = { ...chosen, importAnswer: taken('{"receipt":9007199254740993123}') };
    const [with_, without] = await readAgain({}, chosen, lacking);
    assert.equal(with_?.taskId, '"D1"');
    assert.deepEqual(with_.taskIdFrom, { pointer: '/id', how: 'recognised' });
    assert.deepEqual([without?.taskId, without?.taskIdFrom], [undefined, undefined]);
    assert.equal(without && taskState(without), 'withoutId');
  });

  it('keeps report and id where the id is chosen where it was recognised, and says so', async () => {
    const [task] = await readAgain({ fileTask: { taskId: '/id' } }, { ...reported, lastAnswer: undefined });
    assert.deepEqual(task?.taskIdFrom, { pointer: '/id', how: 'mapped' });
    assert.equal(task.taskId, '"D1"');
    assert.equal(JSON.stringify(task.phase), JSON.stringify({ kind: 'accepted', report: unread }));
  });

  it('keeps the report where the same id stands in the place that was chosen', async () => {
    const importAnswer = taken('{"id":"D1","copy":"D1"}');
    const [task] = await readAgain(
      { fileTask: { taskId: '/copy' } },
      { ...reported, importAnswer, lastAnswer: undefined },
    );
    assert.deepEqual(task?.taskIdFrom, { pointer: '/copy', how: 'mapped' });
    assert.equal(JSON.stringify(task.phase), JSON.stringify({ kind: 'accepted', report: unread }));
  });

  it('keeps an id of which the kept answer has a part masked', async () => {
    await stays({}, { ...recognised, importAnswer: taken('{"id":"••••••••-1"}') });
  });

  it('reads status, progress and message where they were chosen', async () => {
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
      },
    });
    assert.deepEqual([task.taskId, task.lastAnswer, task.checkedMs], ['"D1"', REPORTED, NOON]);
  });

  it('applies what a status means, and takes it back where it is forgotten', async () => {
    const means = (...meaning: string[]) => ({
      queryTask: { status: '/step', statusMeanings: Object.fromEntries(meaning.map((each) => ['INDEXING_2', each])) },
    });
    for (const meaning of ['running', 'succeeded', 'failed'] as const) {
      const [task] = await readAgain(means(meaning), reported);
      assert.equal(task && taskState(task), meaning);
      const [again] = await readAgain(means(), task ?? assert.fail());
      assert.equal(again && taskState(again), 'unknown');
    }
  });

  const places = { queryTask: { status: '/step', statusMeanings: { INDEXING_2: 'succeeded' } } };
  const untouched: Readonly<Record<string, [overrides: object, facts: Partial<NewTask>]>> = {
    'of another dataset': [
      { ...RECEIPT, ...places },
      { ...reported, dataset: 'Manuals' },
    ],
    'that was not taken': [RECEIPT, { ...recognised, phase: { kind: 'sending' } }],
    'that nobody was asked about yet': [places, recognised],
    'whose id a person gave': [
      RECEIPT,
      { ...accepted, importAnswer: undefined, lastAnswer: undefined, taskId: typedTaskId('T1', 'string') },
    ],
    'of which the answers say the same': [{}, reported],
  };
  for (const [which, [overrides, facts]] of Object.entries(untouched)) {
    it(`leaves a task ${which} as it is`, () => stays(overrides, facts));
  }

  it('takes no refusal for a report', async () => {
    const envelope = parseJson('{"code":"7","message":"busy","data":{"step":"INDEXING_2"}}') as never;
    const answer = { envelope, deviations: [] };
    const refusal = { by: 'envelope', status: 200, code: '7', message: 'busy', answer } as const;
    const refused = { ...reported, lastAnswer: JSON.stringify(envelope) };
    await stays(places, { ...refused, trouble: { kind: 'rejected', refusal } });
    // The next time it was not even reached; the refusal is still its last answer.
    const failure = { name: 'ConnectError', reason: 'refused', host: 'a.example', detail: '' } as const;
    await stays(places, { ...refused, trouble: { kind: 'failed', failure } });
    const ofOk = { ...refusal, code: '0', status: 400, answer: { ...answer, envelope: parseJson(REPORTED) as never } };
    await stays(places, { ...reported, trouble: { kind: 'rejected', refusal: ofOk } });
  });

  it('reads the last report although the service could not be reached since, or its answer was no envelope', async () => {
    const failure = { name: 'ConnectError', reason: 'refused', host: 'a.example', detail: '' } as const;
    const refusal = { by: 'status', status: 404, excerpt: '' } as const;
    const tasks = await readAgain(
      places,
      { ...reported, trouble: { kind: 'failed', failure } },
      { ...reported, trouble: { kind: 'rejected', refusal } },
    );
    assert.deepEqual(tasks.map(taskState), ['succeeded', 'succeeded']);
  });

  it('reads of each task what is known of it when its turn comes', async () => {
    await using store = await TemporaryStore.make();
    const list: TaskList = store.list();
    // The oldest come last, after others have been saved.
    const [first, second] = await list.add(Array.from({ length: 102 }, () => taskOf(reported)));
    assert.ok(first && second);
    const newer = taken('{"step":"READY"}');
    list.events.once('change', () => {
      void list.change(second.key, { lastAnswer: newer }, always);
      void list.remove([first.key]);
    });
    await readAnswersAgain(list, 'Books', contract({ queryTask: { status: '/step' } }));
    const statusOf = (key: number) => {
      const { phase } = list.get(key) ?? {};
      return phase?.kind === 'accepted' ? phase.report?.status : undefined;
    };
    assert.equal(statusOf(second.key), 'READY');
    assert.equal(list.get(first.key), undefined);
    assert.equal((await store.read()).length, 101);
  });

  it('takes what was masked in a kept answer for no id, and leaves the one that is known', async () => {
    const importAnswer = taken('{"receipt":"••••••••"}');
    const masked = { ...accepted, importAnswer, lastAnswer: importAnswer };
    const byHand = { ...masked, taskId: typedTaskId('D1', 'string') };
    const tasks = await readAgain({ fileTask: { taskId: '/receipt' } }, masked, byHand);
    assert.deepEqual(
      tasks.map(({ taskId }) => taskId),
      [undefined, '"D1"'],
    );
  });
});

describe('Reading again an answer that was cut when it was kept', () => {
  const CUT = ',"…":"Parts of this response are left out: it has 900000 bytes."}';
  const cut = (data: string) => taken(data).replace(/\}$/, CUT);

  it('takes what is still in it', async () => {
    const waiting = { ...accepted, importAnswer: cut('{"receipt":9007199254740993123}') };
    const [task] = await readAgain({ fileTask: { taskId: '/receipt' } }, waiting);
    assert.equal(task?.taskId, '9007199254740993123');
    const [running] = await readAgain(
      { queryTask: { status: '/step', statusMeanings: { INDEXING_2: 'running' } } },
      { ...reported, lastAnswer: cut('{"step":"INDEXING_2"}') },
    );
    assert.equal(running && taskState(running), 'running');
  });

  it('finds what stayed far behind in a list by its number', async () => {
    const overrides = { fileTask: { taskId: '/57/receipt' } };
    const [task] = await readAgain(overrides, {
      ...accepted,
      importAnswer: cut('{"0":{},"57":{"receipt":"R1"},"…":"…"}'),
    });
    assert.equal(task?.taskId, '"R1"');
  });

  it('takes nothing away that may have stood in what is left out', async () => {
    const known = { ...recognised, importAnswer: cut('{"a":"…"}') };
    await stays({ fileTask: { taskId: '/receipt' } }, known);
    const report = { ...unread, status: 'DONE', meaning: 'succeeded' } as const;
    const lastAnswer = cut('{"a":"…"}');
    await stays({ queryTask: { status: '/b' } }, { ...known, lastAnswer, phase: { kind: 'accepted', report } });
  });
});

describe("A task's last report", () => {
  const task = (facts: Partial<NewTask>): TrackedTask => ({ key: 1, ...taskOf(facts) });

  it('is its last answer once there is a report, and no refusal', () => {
    assert.equal(reportAnswer(task(reported)), REPORTED);
    assert.equal(reportAnswer(task({ ...reported, lastAnswer: '{"code":0,"data":{}}' })), '{"code":0,"data":{}}');
    assert.equal(reportAnswer(task({ ...reported, lastAnswer: '{"code":0.0,"data":{}}' })), '{"code":0.0,"data":{}}');
    assert.equal(reportAnswer(task({ ...reported, lastAnswer: '{"code":"7","data":{}}' })), undefined);
    assert.equal(reportAnswer(task(recognised)), undefined);
    assert.equal(reportAnswer(task({ phase: { kind: 'sending' }, lastAnswer: REPORTED })), undefined);
  });

  it('has `data` that is null where the answer has none', () => {
    assert.equal(answerData('{"code":"0"}'), null);
    assert.equal(answerData('[1]'), null);
    assert.deepEqual(answerData(taken('[1]')), [1]);
  });
});
