import assert from 'node:assert/strict';
import { type Json, parseJson, stringifyJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { rankedPlaces } from '../../../../src/service/places/fieldPlaces';
import { toOwnTask } from '../../../../src/service/places/whose';

const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);
const pointers = (data: Json, of = ownTask as typeof ownTask | undefined) => {
  const levels = rankedPlaces(data, of);
  const named = ({ names }: { names: readonly string[] }) => names.join('/');
  return [levels.own, levels.around].map((some) => some.map((level) => level.map(named)));
};

describe('A field is looked for', () => {
  it('in `data`, then in what is directly inside it, in the order in which it stands there', () => {
    const data = parseJson(
      '{"a":{"x":{"deep":1}},"b":7,"c":[{"y":2}],"d":[[{}]],"e":[],"f":[{"p":1},{"p":2}],"__proto__":{"p":1}}',
    );
    assert.deepEqual(pointers(data, undefined), [[], [[''], ['a', 'c/0', '__proto__']]]);
  });

  it('in the only element of a list, and in no element of several', () => {
    assert.deepEqual(pointers(parseJson('[{"a":{"x":1}}]'), undefined), [[], [['0'], ['0/a']]]);
    assert.deepEqual(pointers(parseJson('[{"x":1},{"x":2}]'), undefined), [[], [[], []]]);
  });

  it('not in what is no object and holds none', () => {
    for (const nothing of [null, true, 1, 'a', [], [[]], [1, {}]] satisfies Json[]) {
      assert.deepEqual(pointers(nothing), [[], [[], []]], stringifyJson(nothing));
    }
  });

  it('in what carries our id and nowhere else where it is one of several', () => {
    const page = { total: 2, current: 1, records: [{ taskId: 't-0' }, { taskId: 't-1', inner: { x: 1 } }] };
    assert.deepEqual(pointers(page), [[['records/1'], ['records/1/inner']], []]);
    assert.deepEqual(pointers({ jobs: { 't-1': { x: 1 }, 't-0': { x: 2 } } }), [[['jobs/t-1'], []], []]);
  });

  it('beside what merely repeats our id, but after it', () => {
    const data = { request: { taskId: 't-1' }, result: { status: 'DONE' }, last: { taskId: 't-0', status: 'FAILED' } };
    assert.deepEqual(pointers(data), [
      [['request'], []],
      [[''], ['result']],
    ]);
  });
});
