import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { PageQuery } from '../../../../src/tasks/history/page';
import { type History, tasksById } from '../../../../src/tasks/history/walk';
import { MAX_ENTRIES } from '../../../../src/tasks/rows/timeline';
import type { NewTask, Phase } from '../../../../src/tasks/trackedTask';
import { always, NOON, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const DAY = 86_400_000;
const failure = { name: 'CanceledError', detail: '' } as const;

function reported(meaning: TaskReport['meaning']): Phase {
  return { kind: 'accepted', report: { status: meaning, meaning, progress: undefined, message: undefined, from: {} } };
}

function named(name: string, facts: Partial<NewTask> = {}): NewTask {
  return taskOf({ source: sourceOf(name), taskId: typedTaskId(`id of ${name}`, 'string'), ...facts });
}

/** The names of all pages of this length. */
async function paged(history: History, query: Omit<PageQuery, 'limit' | 'after'>, limit = 2): Promise<string[]> {
  const names: string[] = [];
  let page = await history.page({ ...query, limit });
  for (;;) {
    names.push(...page.tasks.map(({ source }) => source?.name ?? ''));
    if (page.end === undefined) return names;
    assert.equal(page.tasks.length, limit);
    page = await history.page({ ...query, limit, after: page.end });
  }
}

describe('A page of tasks', () => {
  const batch = { id: 'B', label: 'notes' };
  const tasks = [
    named('running', { phase: reported('running'), batch }),
    named('failed', { phase: reported('failed'), batch }),
    named('rejected', { phase: { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } }, batch }),
    named('unconfirmed', { phase: { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 }, dataset: 'Logs' }),
    named('notSent', { phase: { kind: 'notSent', failure }, batch }),
    named('withoutId', { taskId: undefined, batch }),
    named('unknown', { phase: reported('unknown') }),
    named('succeeded', { phase: reported('succeeded'), createdMs: NOON + DAY, batch }),
    named('queued', { phase: { kind: 'queued' }, createdMs: NOON - DAY, batch }),
  ];
  const order = [
    'failed',
    'rejected',
    'unconfirmed',
    'notSent',
    'withoutId',
    'unknown',
    'succeeded',
    'running',
    'queued',
  ];

  const cases: readonly [string, Omit<PageQuery, 'limit'>, readonly string[]][] = [
    ['of all has those first that need the user, then the newest', {}, order],
    [
      'in the order of time has the newest first',
      { order: 'newestFirst' },
      ['succeeded', 'unknown', 'withoutId', 'notSent', 'unconfirmed', 'rejected', 'failed', 'running', 'queued'],
    ],
    [
      'of a batch has its own alone, the others in the order in which they came',
      { group: { by: 'batch', batchId: 'B' } },
      ['failed', 'rejected', 'notSent', 'withoutId', 'running', 'succeeded', 'queued'],
    ],
    ['of no batch has the others', { group: { by: 'batch', batchId: undefined } }, ['unconfirmed', 'unknown']],
    ['of a dataset has its own alone', { group: { by: 'dataset', dataset: 'Logs' } }, ['unconfirmed']],
    ['of a state has its own alone', { group: { by: 'state', state: 'queued' } }, ['queued']],
    ['is filtered by states', { filter: { states: ['failed', 'queued'] } }, ['failed', 'queued']],
    ['is filtered by dataset', { filter: { dataset: 'Logs' } }, ['unconfirmed']],
    ['is filtered by a part of a name', { filter: { text: 'SUCC' } }, ['succeeded']],
    ['is filtered by a part of an ID', { filter: { text: 'id of unk' } }, ['unknown']],
    ['is filtered by a part of a path', { filter: { text: 'notes/rej' } }, ['rejected']],
    ['takes no letter of a filter for a pattern', { filter: { text: 'n_t' } }, []],
    [
      'of a batch is filtered too',
      { group: { by: 'batch', batchId: 'B' }, filter: { states: ['running', 'unknown'] } },
      ['running'],
    ],
  ];
  for (const [what, query, names] of cases) {
    it(what, async () => {
      await using store = await TemporaryStore.make();
      const { history } = await added(store, tasks);
      assert.deepEqual(await paged(history, query), names);
      assert.deepEqual(await paged(history, query, 1), names);
      assert.deepEqual(await paged(history, query, 100), names);
    });
  }

  it('goes on over what is looked at in one step, and passes over none', async () => {
    await using store = await TemporaryStore.make();
    const count = 2003;
    const many = Array.from({ length: count }, (_, index) => named(`${index}`, { createdMs: NOON + (index % 7) }));
    const { history } = await added(store, many);
    const names = await paged(history, { filter: { text: 'notes' } }, 1000);
    assert.equal(new Set(names).size, count);
    assert.deepEqual(await paged(history, { filter: { text: 'notes/5' }, order: 'newestFirst' }, 9000), [
      ...names.filter((name) => name.startsWith('5')),
    ]);
    const [group] = await history.groups('dataset');
    assert.deepEqual([group?.value, group?.counts.get('waiting')], ['Books', count]);
  });

  it('of a large batch goes on in the order of its import', async () => {
    await using store = await TemporaryStore.make();
    const names = Array.from({ length: 2003 }, (_, index) => `${index}`);
    const { history } = await added(
      store,
      names.map((name) => named(name, { batch })),
    );
    assert.deepEqual(await paged(history, { group: { by: 'batch', batchId: 'B' } }, 1000), names);
  });

  it('is of groups that are counted by state, that of the newest task first', async () => {
    await using store = await TemporaryStore.make();
    const { history } = await added(store, tasks);
    const told = async (by: 'batch' | 'dataset') =>
      (await history.groups(by)).map(({ value, counts }) => [value, [...counts.keys()].length, counts.get('failed')]);
    assert.deepEqual(await told('batch'), [
      ['B', 7, 1],
      [undefined, 2, undefined],
    ]);
    assert.deepEqual(await told('dataset'), [
      ['Books', 8, 1],
      ['Logs', 1, undefined],
    ]);
    assert.deepEqual(
      (await history.groups('state', { dataset: 'Logs' })).map(({ value }) => value),
      ['unconfirmed'],
    );
  });
});

describe('The states that tasks have', () => {
  const rejected = named('rejected', {
    phase: { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } },
  });
  for (const [which, tasks, states] of [
    ['are none where there are no tasks', [], []],
    [
      'are those of ended tasks and of those that need the user, without what every window holds',
      [
        ...(['running', 'succeeded', 'succeeded', 'failed', 'unknown'] as const).map((meaning, index) =>
          named(`${index}`, { phase: reported(meaning) }),
        ),
        named('queued', { phase: { kind: 'queued' } }),
        rejected,
      ],
      ['failed', 'rejected', 'unknown', 'succeeded'],
    ],
    ['are the only one', [rejected], ['rejected']],
  ] as const) {
    it(which, async () => {
      await using store = await TemporaryStore.make();
      const { history } = await added(store, tasks);
      assert.deepEqual((await history.lastingStates()).toSorted(), states.toSorted());
    });
  }
});

describe('The first level of the tasks', () => {
  it('has each batch at the place of its newest task, page by page', async () => {
    await using store = await TemporaryStore.make();
    const at = (minute: number, id?: string) =>
      named(`${minute}`, { createdMs: NOON + minute, batch: id === undefined ? undefined : { id, label: id } });
    const { history } = await added(store, [at(1, 'a'), at(2), at(3, 'b'), at(4, 'a'), at(5), at(6, 'b'), at(7, 'c')]);
    for (const limit of [1, 2, 3, 10]) {
      const rows: unknown[] = [];
      let page = await history.topLevel(limit);
      for (;;) {
        rows.push(...page.rows.map((row) => ('task' in row ? row.task.source?.name : row.batchId)));
        if (page.end === undefined) break;
        page = await history.topLevel(limit, page.end);
      }
      assert.deepEqual(rows, ['c', 'b', '5', 'a', '2']);
    }
  });
});

describe('The tasks with an ID', () => {
  it('are found by the only one, and by each of several', async () => {
    await using store = await TemporaryStore.make();
    const [a, b] = [typedTaskId('a', 'string'), typedTaskId('b', 'string')];
    const parts = [a, b].map((taskId) => ({ taskId, report: undefined }));
    const { history } = await added(store, [
      named('single', { taskId: b }),
      named('several', { taskId: a, phase: { kind: 'accepted', report: undefined, parts } }),
      named('other'),
    ]);
    const found = async (id: string) => (await tasksById(history, [id])).map(({ source }) => source?.name);
    assert.deepEqual([await found(b), await found(a), await found('"c"')], [['single', 'several'], ['several'], []]);
  });
});

describe('The timeline of a task', () => {
  it('tells in their order what it came to, and only what changed', async () => {
    await using store = await TemporaryStore.make();
    let now = NOON;
    const list = store.list(() => now);
    const [task] = await list.add([named('a', { phase: { kind: 'queued' }, taskId: undefined })]);
    const { key } = task ?? assert.fail();
    const change = async (...changes: Parameters<typeof list.change>[1][]) => {
      for (const each of changes) {
        now += 1;
        await list.change(key, each, always);
      }
    };
    const taskId = typedTaskId('T1', 'string');
    const lastQueryError = { kind: 'failed', failure } as const;
    await change(
      { phase: { kind: 'sending', attemptId: 'A 1' } },
      { phase: { kind: 'accepted', report: undefined }, taskId },
    );
    await change({ phase: reported('running'), checkedMs: 1 }, { phase: reported('running'), checkedMs: 2 });
    await change({ lastQueryError }, { lastQueryError, checkedMs: 3 });
    await change({ phase: reported('unknown'), lastQueryError: undefined, checkedMs: 4 });
    // A response that was there before is read in another way.
    await change({ phase: reported('succeeded') });
    assert.deepEqual(await list.history.timeline(key), [
      { kind: 'queued', atMs: NOON },
      { kind: 'sending', atMs: NOON + 1 },
      { kind: 'accepted', atMs: NOON + 2 },
      { kind: 'taskId', taskId: '"T1"', atMs: NOON + 2 },
      { kind: 'status', status: 'running', meaning: 'running', atMs: NOON + 3 },
      { kind: 'queryError', error: lastQueryError, atMs: NOON + 5 },
      { kind: 'status', status: 'unknown', meaning: 'unknown', atMs: NOON + 7 },
      { kind: 'status', status: 'succeeded', meaning: 'succeeded', readAnew: true, atMs: NOON + 8 },
    ]);
    await list.remove([key]);
    assert.deepEqual(await list.history.timeline(key), []);
  });

  it('of many changes keeps the first and the last ones', async () => {
    await using store = await TemporaryStore.make();
    const list = store.list();
    const [task] = await list.add([named('a')]);
    const { key } = task ?? assert.fail();
    for (let turn = 0; turn < MAX_ENTRIES; turn++)
      await list.change(key, { phase: reported(turn % 2 === 0 ? 'running' : 'unknown'), checkedMs: turn }, always);
    const timeline = await list.history.timeline(key);
    assert.deepEqual([timeline.length, timeline[0]?.kind], [MAX_ENTRIES, 'accepted']);
    assert.deepEqual(timeline.at(-1), { kind: 'status', status: 'unknown', meaning: 'unknown', atMs: NOON });
  });
});

async function added(store: TemporaryStore, tasks: readonly NewTask[]): Promise<{ history: History }> {
  const list = store.list();
  await list.add(tasks);
  return list;
}
