import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { type Json, leafText, parseJson, stringifyJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { fieldAt, type OwnTask, toOwnTask } from '../../../../src/service/response/field';
import { readTaskReport } from '../../../../src/service/response/taskReport';
import { choiceText, valueChoices } from '../../../../src/service/response/valueChoices';
import { fc } from '../../seededFastCheck';

/** The kinds of IDs that services use. */
const idKinds = [
  fc.nat({ max: 99_999 }).map((number) => `t-${number}`),
  fc.uuid(),
  fc.bigInt({ min: 10n ** 18n, max: 10n ** 19n - 1n }).map(String),
  fc.nat({ max: 400 }).map(String),
  fc.stringMatching(/^[0-9][0-9a-f]{7}$/),
];
const idName = fc.constantFrom('taskId', 'task_id', 'jobId', 'importNo', 'id');
const words = ['RUNNING', 'FAILED', 'SUCCEEDED', 'INDEXING_2'];

/** A task in a response. Its text values end with its ID, so a test can tell which task they came from. */
interface ListedTask {
  readonly id: string;
  readonly state: string;
  readonly isOurs: boolean;
}

type Nesting = 'list' | 'page' | 'map' | 'listsInMap' | 'deepElements' | 'object';

/** How a service formats its responses. */
interface Format {
  readonly nesting: Nesting;
  readonly idName: string;
  readonly isNumber: boolean;
  readonly statusName: string;
  /** Whether other tasks contain our task's ID, for example as their `parentId`. */
  readonly refersToOurs: boolean;
}

const formats: fc.Arbitrary<Format> = fc.record({
  nesting: fc.constantFrom<Nesting>(...(['list', 'page', 'map', 'listsInMap', 'deepElements', 'object'] as const)),
  idName,
  isNumber: fc.boolean(),
  statusName: fc.constantFrom('status', 'state', 'phase2', 'x'),
  refersToOurs: fc.boolean(),
});

function taskJson(format: Format, { id, state, isOurs }: ListedTask, ownTask: string): Json {
  const asNumber = format.isNumber && /^[1-9]\d*$/.test(id);
  const idMember: readonly [string, Json] = [format.idName, asNumber ? parseJson(id) : id];
  const rest: (readonly [string, Json])[] = [
    [format.statusName, `${state} of ${id}`],
    ['message', `message of ${id}`],
    ['inner', { note: `note of ${id}`, list: [`a of ${id}`, `b of ${id}`] }],
    ['progress', 50],
    ...(isOurs || !format.refersToOurs ? [] : ['parentId', 'previous', 'name'].map((name) => [name, ownTask] as const)),
  ];
  if (format.nesting === 'deepElements') {
    const name = format.idName === 'id' ? 'task' : 'meta';
    return Object.fromEntries([[name, Object.fromEntries([idMember])], ...rest]);
  }
  return Object.fromEntries([...rest, idMember]);
}

/** A response that lists these tasks in this order, and may contain other values that don't belong to any task. */
function response(format: Format, tasks: readonly ListedTask[], isOdd: boolean, ownTask: string): Json {
  const all = tasks.map((task) => taskJson(format, task, ownTask));
  const own = all[tasks.findIndex(({ isOurs }) => isOurs)] ?? all[0];
  const user = { id: tasks[0]?.id ?? '', name: 'nobody' };
  switch (format.nesting) {
    case 'list':
    case 'deepElements':
      return all;
    case 'page':
      return { current: 1, size: 10, total: tasks.length, records: all };
    case 'map':
      return { tasks: Object.fromEntries(tasks.map((task, index) => [task.id, all[index] ?? null])) };
    case 'listsInMap': {
      const [waiting, done] = [
        all.filter((_, index) => (index % 2 === 0) === isOdd),
        all.filter((_, index) => (index % 2 === 0) !== isOdd),
      ];
      return { user, waiting, done };
    }
    case 'object':
      return { ...(own as object), related: all.filter((task) => task !== own) };
  }
}

const cases = fc.tuple(fc.constantFrom(...idKinds), fc.nat({ max: 5 })).chain(([kind, others]) =>
  fc.record({
    format: formats,
    ids: fc.uniqueArray(kind, { minLength: others + 1, maxLength: others + 1 }),
    states: fc.array(fc.constantFrom(...words), { minLength: others + 1, maxLength: others + 1 }),
    isListed: fc.boolean(),
    orders: fc.array(fc.tuple(fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), fc.boolean()), {
      minLength: 2,
      maxLength: 4,
    }),
  }),
);

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

function responsesOf({ format, ids, states, orders }: Case, isListed: boolean): Json[] {
  const tasks = ids
    .map((id, index): ListedTask => ({ id, state: states[index] ?? '', isOurs: index === 0 }))
    .slice(isListed ? 0 : 1);
  return orders.map(([ranks, isOdd]) => {
    const order = tasks.map((task, index) => ({ task, rank: ranks[index] ?? 0 }));
    return response(
      format,
      order.toSorted((one, other) => one.rank - other.rank).map(({ task }) => task),
      isOdd,
      ids[0] ?? '',
    );
  });
}

const ownTaskOf = ({ ids: [id = ''] }: Case) => toOwnTask(typedTaskId(id, 'string'), undefined);

function choices(data: Json, task: OwnTask | undefined) {
  return valueChoices('status', data, task).map((field) => ({ pointer: field.pointer, text: choiceText(field) }));
}

/** Whether a string is a value from a task with a different ID. */
const isOfAnother = (text: string | undefined, id: string) =>
  text !== undefined && / of /.test(text) && !text.endsWith(` of ${id}`);

describe('In a response that lists multiple tasks,', () => {
  it('no value from another task is mistaken for ours', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const [id = ''] = each.ids;
        for (const data of responsesOf(each, each.isListed)) {
          const { status, message } = readTaskReport(data, DEFAULT_CONTRACT.queryTask, ownTaskOf(each));
          for (const text of [status, message]) assert.ok(!isOfAnother(text, id), `${text} in ${stringifyJson(data)}`);
        }
      }),
      { seed: 6, numRuns: 1000 },
    );
  });

  it("our task's status is found whether it is named status or state", () => {
    const known = cases.filter(({ format }) => ['status', 'state'].includes(format.statusName));
    fc.assert(
      fc.property(known, (each) => {
        for (const data of responsesOf(each, true)) {
          const { status } = readTaskReport(data, DEFAULT_CONTRACT.queryTask, ownTaskOf(each));
          assert.equal(status, `${each.states[0]} of ${each.ids[0]}`, stringifyJson(data));
        }
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it("all values offered to the user belong to our task, and their pointers never find another task's values in later responses", () => {
    const known = cases.filter(({ format }) => format.nesting !== 'object');
    fc.assert(
      fc.property(known, (each) => {
        const [id = ''] = each.ids;
        const ownTask = ownTaskOf(each);
        const [first = null, ...others] = responsesOf(each, true);
        const without = responsesOf(each, false);
        const own = choices(first, ownTask).filter(({ text }) => / of /.test(text));
        assert.equal(new Set(own.map(({ text }) => text)).size, 5, stringifyJson(first));
        for (const { pointer, text } of own) {
          assert.ok(!isOfAnother(text, id), `${pointer} ${text}`);
          for (const data of others) {
            const read = leafText(fieldAt(data, pointer, ownTask)?.value);
            // A pointer into one list finds nothing if our task moved to the other list.
            const isMoved = read === undefined && each.format.nesting === 'listsInMap';
            assert.ok(read === text || isMoved, `${pointer}: ${read} in ${stringifyJson(data)}`);
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

  it('a pointer with array indexes never finds a value from another task', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const [id = ''] = each.ids;
        const responses = responsesOf(each, each.isListed);
        const plain = responses.flatMap((data) => choices(data, undefined).map(({ pointer }) => pointer));
        for (const data of responses) {
          for (const pointer of plain) {
            const read = leafText(fieldAt(data, pointer, ownTaskOf(each))?.value);
            assert.ok(!isOfAnother(read, id), `${pointer}: ${read} in ${stringifyJson(data)}`);
          }
        }
      }),
      { seed: 6, numRuns: 150 },
    );
  });

  it('a task that only refers to ours is not mistaken for it', () => {
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

  it('properties that every object inherits, such as constructor, are ignored unless the response contains them', () => {
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
