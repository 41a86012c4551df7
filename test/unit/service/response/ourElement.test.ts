import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { type Json, leafText, parseJson, stringifyJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { fieldAt, type OwnTask, toOwnTask } from '../../../../src/service/response/field';
import { readTaskReport } from '../../../../src/service/response/taskReport';
import { choiceText, valueChoices } from '../../../../src/service/response/valueChoices';
import { fc } from '../../seededFastCheck';

/** The kinds of IDs that services have. */
const idKinds = [
  fc.nat({ max: 99_999 }).map((number) => `t-${number}`),
  fc.uuid(),
  fc.bigInt({ min: 10n ** 18n, max: 10n ** 19n - 1n }).map(String),
  fc.nat({ max: 400 }).map(String),
  fc.stringMatching(/^[0-9][0-9a-f]{7}$/),
];
const idName = fc.constantFrom('taskId', 'task_id', 'jobId', 'importNo', 'id');
const words = ['RUNNING', 'FAILED', 'SUCCEEDED', 'INDEXING_2'];

/** A task in a response. Each of its values names the task that it belongs to. */
interface Written {
  readonly id: string;
  readonly state: string;
  readonly isOurs: boolean;
}

type Nesting = 'list' | 'page' | 'map' | 'listsInMap' | 'deepElements' | 'object';

/** What all responses of a service have in common. */
interface Manner {
  readonly nesting: Nesting;
  readonly idName: string;
  readonly isNumber: boolean;
  readonly statusName: string;
  /** Whether other tasks refer to ours, in members other than their own IDs. */
  readonly refersToOurs: boolean;
}

const manners: fc.Arbitrary<Manner> = fc.record({
  nesting: fc.constantFrom<Nesting>(...(['list', 'page', 'map', 'listsInMap', 'deepElements', 'object'] as const)),
  idName,
  isNumber: fc.boolean(),
  statusName: fc.constantFrom('status', 'state', 'phase2', 'x'),
  refersToOurs: fc.boolean(),
});

function written(manner: Manner, { id, state, isOurs }: Written, ownTask: string): Json {
  const asNumber = manner.isNumber && /^[1-9]\d*$/.test(id);
  const ofId: readonly [string, Json] = [manner.idName, asNumber ? parseJson(id) : id];
  const rest: (readonly [string, Json])[] = [
    [manner.statusName, `${state} of ${id}`],
    ['message', `message of ${id}`],
    ['inner', { note: `note of ${id}`, list: [`a of ${id}`, `b of ${id}`] }],
    ['progress', 50],
    ...(isOurs || !manner.refersToOurs ? [] : ['parentId', 'previous', 'name'].map((name) => [name, ownTask] as const)),
  ];
  if (manner.nesting === 'deepElements') {
    const name = manner.idName === 'id' ? 'task' : 'meta';
    return Object.fromEntries([[name, Object.fromEntries([ofId])], ...rest]);
  }
  return Object.fromEntries([...rest, ofId]);
}

/** A response that lists these tasks in this order, with values around them that belong to no task. */
function response(manner: Manner, tasks: readonly Written[], isOdd: boolean, ownTask: string): Json {
  const all = tasks.map((task) => written(manner, task, ownTask));
  const own = all[tasks.findIndex(({ isOurs }) => isOurs)] ?? all[0];
  const user = { id: tasks[0]?.id ?? '', name: 'nobody' };
  switch (manner.nesting) {
    case 'list':
    case 'deepElements':
      return all;
    case 'page':
      return { current: 1, size: 10, total: tasks.length, records: all };
    case 'map':
      return { tasks: Object.fromEntries(tasks.map((task, index) => [task.id, all[index] ?? null])) };
    case 'listsInMap': {
      const [here, there] = [
        all.filter((_, index) => (index % 2 === 0) === isOdd),
        all.filter((_, index) => (index % 2 === 0) !== isOdd),
      ];
      return { user, waiting: here, done: there };
    }
    case 'object':
      return { ...(own as object), related: all.filter((task) => task !== own) };
  }
}

const cases = fc.tuple(fc.constantFrom(...idKinds), fc.nat({ max: 5 })).chain(([kind, others]) =>
  fc.record({
    manner: manners,
    ids: fc.uniqueArray(kind, { minLength: others + 1, maxLength: others + 1 }),
    states: fc.array(fc.constantFrom(...words), { minLength: others + 1, maxLength: others + 1 }),
    isThere: fc.boolean(),
    orders: fc.array(fc.tuple(fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), fc.boolean()), {
      minLength: 2,
      maxLength: 4,
    }),
  }),
);

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

function responsesOf({ manner, ids, states, orders }: Case, isThere: boolean): Json[] {
  const tasks = ids
    .map((id, index): Written => ({ id, state: states[index] ?? '', isOurs: index === 0 }))
    .slice(isThere ? 0 : 1);
  return orders.map(([ranks, isOdd]) => {
    const order = tasks.map((task, index) => ({ task, rank: ranks[index] ?? 0 }));
    return response(
      manner,
      order.toSorted((one, other) => one.rank - other.rank).map(({ task }) => task),
      isOdd,
      ids[0] ?? '',
    );
  });
}

const oursOf = ({ ids: [id = ''] }: Case) => toOwnTask(typedTaskId(id, 'string'), undefined);
const fieldOf = { status: undefined, message: undefined, progress: undefined };

function choices(data: Json, task: OwnTask | undefined) {
  const { likely, others } = valueChoices('status', data, task);
  return [...likely, ...others].map((field) => ({ pointer: field.pointer, text: choiceText(field) }));
}

/** Whether a text is a value of another task. */
const isOfAnother = (text: string | undefined, id: string) =>
  text !== undefined && / of /.test(text) && !text.endsWith(` of ${id}`);

describe('In a response that lists several tasks', () => {
  it('no value of another task is recognized as ours', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const [id = ''] = each.ids;
        for (const data of responsesOf(each, each.isThere)) {
          const { status, message } = readTaskReport(data, { ...DEFAULT_CONTRACT.queryTask, ...fieldOf }, oursOf(each));
          for (const text of [status, message]) assert.ok(!isOfAnother(text, id), `${text} in ${stringifyJson(data)}`);
        }
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  it('our own status is recognized by its usual name', () => {
    const known = cases.filter(({ manner }) => ['status', 'state'].includes(manner.statusName));
    fc.assert(
      fc.property(known, (each) => {
        for (const data of responsesOf(each, true)) {
          const { status } = readTaskReport(data, DEFAULT_CONTRACT.queryTask, oursOf(each));
          assert.equal(status, `${each.states[0]} of ${each.ids[0]}`, stringifyJson(data));
        }
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('a picked value is ours, and its pointer leads to ours in every other response, or nowhere', () => {
    const known = cases.filter(({ manner }) => manner.nesting !== 'object');
    fc.assert(
      fc.property(known, (each) => {
        const [id = ''] = each.ids;
        const ownTask = oursOf(each);
        const [first = null, ...others] = responsesOf(each, true);
        const without = responsesOf(each, false);
        const own = choices(first, ownTask).filter(({ text }) => / of /.test(text));
        assert.equal(new Set(own.map(({ text }) => text)).size, 5, stringifyJson(first));
        for (const { pointer, text } of own) {
          assert.ok(!isOfAnother(text, id), `${pointer} ${text}`);
          for (const data of others) {
            const read = leafText(fieldAt(data, pointer, ownTask)?.value);
            // The pointer doesn't find it in another list.
            const isGone = read === undefined && each.manner.nesting === 'listsInMap';
            assert.ok(read === text || isGone, `${pointer}: ${read} in ${stringifyJson(data)}`);
          }
          for (const data of without) {
            const read = leafText(fieldAt(data, pointer, ownTask)?.value);
            assert.ok(!isOfAnother(read, id), `${pointer}: ${read} in ${stringifyJson(data)}`);
          }
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it('a pointer with numbers leads to no value of another task', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const [id = ''] = each.ids;
        const responses = responsesOf(each, each.isThere);
        const plain = responses.flatMap((data) => choices(data, undefined).map(({ pointer }) => pointer));
        for (const data of responses) {
          for (const pointer of plain) {
            const read = leafText(fieldAt(data, pointer, oursOf(each))?.value);
            assert.ok(!isOfAnother(read, id), `${pointer}: ${read} in ${stringifyJson(data)}`);
          }
        }
      }),
      { seed: 6, numRuns: 150 },
    );
  });

  it("an element that only refers to our task isn't ours", () => {
    const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);
    for (const name of ['previous', 'next', 'parent', 'parentReceipt', 'dependsOn', 'retryOf']) {
      const data = [
        { receipt: 't-2', [name]: 't-1', status: 'FAILED' },
        { receipt: 't-3', [name]: 't-2', status: 'RUNNING' },
      ];
      const { status, meaning } = readTaskReport(data, DEFAULT_CONTRACT.queryTask, ownTask);
      assert.deepEqual([status, meaning], [undefined, 'unknown'], name);
    }
  });

  it('names that every object inherits are read only if the response has them', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const ownTask = toOwnTask(typedTaskId(name, 'string'), undefined);
      const [empty, map] = [
        parseJson('{"tasks":{}}'),
        parseJson(`{"tasks":{"${name}":{"status":"DONE"},"b":{"status":"FAILED"}}}`),
      ];
      for (const pointer of [`/${name}`, '/tasks/${taskId}', `/tasks/${name}/status`])
        assert.equal(fieldAt(empty, pointer, ownTask)?.value, undefined, pointer);
      assert.equal(readTaskReport(map, DEFAULT_CONTRACT.queryTask, ownTask).status, 'DONE', name);
    }
  });
});
