import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseJson } from '../../../../src/service/json/json';
import { findField, type ResponseField, USUAL_NAMES } from '../../../../src/service/response/recognition';
import { valueAt } from '../json/valueAt';

describe('A fact in an answer', () => {
  const found: readonly (readonly [field: ResponseField, data: string, pointer: string | undefined])[] = [
    ['taskId', '{"taskId":"T1"}', '/taskId'],
    ['taskId', '{"task_id":1}', '/task_id'],
    ['taskId', '{"TASK-ID":1}', '/TASK-ID'],
    ['taskId', '{"id":"D1","taskId":"T1"}', '/taskId'],
    ['taskId', '{"id":"T1"}', '/id'],
    ['taskId', '{"task":{"id":"T1"}}', '/task/id'],
    ['taskId', '{"importJob":{"id":"T1"}}', '/importJob/id'],
    ['taskId', '{"result":{"taskId":"T1"}}', '/result/taskId'],
    ['taskId', '{"a/b":{"taskId":"T1"}}', '/a~1b/taskId'],
    ['taskId', '{"dataset":{"id":"D1"}}', undefined],
    ['taskId', '{"a":{"b":{"taskId":"T1"}}}', undefined],
    ['taskId', '{"list":[{"taskId":"T1"},{"taskId":"T2"}]}', undefined],
    ['taskId', '[{"taskId":"T1"},{"taskId":"T2"}]', undefined],
    ['taskId', '{"batch":{"tasks":[{"id":1},{"id":2}]},"job":{"id":3}}', '/job/id'],
    ['taskId', '{"tasks":[{"id":1},{"id":2}]}', undefined],
    ['taskId', '{"result":"{\\"taskId\\":\\"T1\\"}"}', '/result/taskId'],
    ['taskId', '"{\\"taskId\\":\\"T1\\"}"', '/taskId'],
    ['taskId', '[{"id":"T1"}]', '/0/id'],
    ['taskId', '[{"task":{"id":"T1"}}]', '/0/task/id'],
    ['taskId', '{"tasks":[{"id":"T1"}]}', '/tasks/0/id'],
    ['taskId', '{"files":[{"id":"F1"}]}', undefined],
    ['taskId', '{"files":[{"id":"F1"}],"job":{"id":"T1"}}', '/job/id'],
    ['taskId', '[[{"taskId":"T1"}]]', undefined],
    ['taskId', '["T1"]', undefined],
    ['taskId', '[{},{"taskId":"T2"}]', undefined],
    ['taskId', '[]', undefined],
    ['taskId', '"T1"', undefined],
    ['taskId', '9007199254740993123', undefined],
    ['taskId', 'null', undefined],
    ['taskId', '{"a":{"taskId":"T1"},"b":{"taskId":"T2"}}', undefined],
    ['taskId', '{"a":{"jobId":"J1"},"b":{"taskId":"T2"}}', undefined],
    ['taskId', '{"a":{"jobId":"T1"},"b":{"taskId":"T1"}}', '/a/jobId'],
    ['status', '{"parse":{"status":"DONE"},"index":{"status":"RUNNING"}}', undefined],
    ['status', '{"user":{"status":"ACTIVE"},"task":{"status":"RUNNING"}}', '/task/status'],
    ['status', '[{"status":"DONE"},{"status":"RUNNING"}]', undefined],
    ['status', '{"events":[{"status":"DONE"}]}', '/events/0/status'],
    ['taskId', '{"task":{"taskId":"T1"},"id":"X1"}', '/id'],
    ['taskId', '{"taskId":9007199254740993123}', '/taskId'],
    ['taskId', '{"constructor":{"id":"C1"},"__proto__":{"taskId":"T1"}}', '/__proto__/taskId'],
    ['taskId', '{"__proto__":"P1","constructor":"C1","toString":"S1"}', undefined],
    ['taskId', '{"taskId":"","id":"T1"}', '/id'],
    ['taskId', '{"taskId":null}', undefined],
    ['taskId', '{"taskId":{"value":1}}', undefined],
    ['taskId', '{}', undefined],
    ['status', '{"state":"done"}', '/state'],
    ['status', '{"task":{"task_status":3}}', '/task/task_status'],
    ['progress', '{"percent":37}', '/percent'],
    ['message', '{"errorMsg":"no"}', '/errorMsg'],
    ['message', '{"error":false,"detail":"no"}', '/detail'],
    ['taskId', '{"taskId":true,"id":"T1"}', '/id'],
  ];
  for (const [field, text, pointer] of found) {
    it(`the ${field} in ${text} is at ${pointer ?? 'no place'}`, () => {
      assert.equal(findField(field, parseJson(text), undefined)?.pointer, pointer);
    });
  }

  it('is at the pointer of the contract and nowhere else', () => {
    const response = parseJson('{"taskId":"T1","no":9223372036854775807,"none":null,"deep":{"x":["y"]}}');
    assert.deepEqual(findField('taskId', response, '/deep/x/0'), { pointer: '/deep/x/0', value: 'y', how: 'mapped' });
    for (const pointer of ['/missing', '/none', '/deep', '', '/__proto__']) {
      assert.equal(findField('taskId', response, pointer), undefined);
    }
  });

  it('is at the place that is told, in any answer', () => {
    const names = fc.oneof(
      fc.constantFrom('taskId', 'id', 'task', 'status', 'state', 'a/b', '~', '__proto__'),
      fc.string(),
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, fc.jsonValue({ maxDepth: 0 }), fc.dictionary(names, tie('tree'))),
    }));
    fc.assert(
      fc.property(fc.dictionary(names, tree), fc.constantFrom<ResponseField>('taskId', 'status'), (value, field) => {
        const response = parseJson(JSON.stringify(value));
        const fact1 = findField(field, response, undefined);
        if (fact1 !== undefined) assert.deepEqual(valueAt(response, fact1.pointer), fact1.value);
      }),
    );
  });

  it('that is all of `data` is found by the empty pointer', () => {
    assert.deepEqual(findField('taskId', 'T1', ''), { pointer: '', value: 'T1', how: 'mapped' });
    assert.equal(findField('taskId', {}, ''), undefined);
  });

  for (const [field, usual] of Object.entries(USUAL_NAMES) as [ResponseField, readonly string[]][]) {
    it(`the ${field} has any of its usual names, whatever the case, spaces, _ and -, the first of them before the others`, () => {
      const sign = fc.constantFrom('', '_', '-', ' ');
      fc.assert(
        fc.property(
          fc.subarray([...usual], { minLength: 1 }),
          sign,
          fc.infiniteStream(fc.boolean()),
          (some, sep, upper) => {
            const strange = (name: string) =>
              [...name].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join(sep);
            const names = some.map(strange);
            const response = Object.fromEntries(names.toReversed().map((name) => [name, `value of ${name}`]));
            assert.deepEqual(findField(field, response, undefined), {
              pointer: `/${names[0]}`,
              value: `value of ${names[0]}`,
              how: 'recognized',
            });
          },
        ),
      );
    });
  }
});

describe('What has more members than a task has', () => {
  const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`k${index}`, { a: '' }]));

  it('is looked at only in part, so that it holds up nothing', () => {
    const early = { status: 'DONE', ...many };
    assert.equal(findField('status', early, undefined)?.value, 'DONE');
    assert.equal(findField('status', { ...many, status: 'DONE' }, undefined), undefined);
    assert.equal(findField('status', { ...many, status: 'DONE' }, '/status')?.value, 'DONE');
  });

  it('or a name that is longer than any, is not recognized', () => {
    const name = `status${'_'.repeat(200)}`;
    assert.equal(findField('status', { [name]: 'DONE' }, undefined), undefined);
    assert.equal(findField('status', { [name]: { status: 'DONE' } }, undefined), undefined);
  });
});
