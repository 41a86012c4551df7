import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { readPlace } from '../../../../src/service/places/readPlace';
import { toOwnTask } from '../../../../src/service/places/whose';

const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);

describe('The value at a place', () => {
  const rows: readonly (readonly [data: string, pointer: string, value: unknown])[] = [
    ['[{"taskId":"t-0","s":"A"},{"taskId":"t-1","s":"B"}]', '/${taskId}/s', 'B'],
    ['{"t-0":{"s":"A"},"t-1":{"s":"B"}}', '/${taskId}/s', 'B'],
    ['{"t-1":"B"}', '/${taskId}', 'B'],
    ['[{"taskId":"t-0","s":"A"}]', '/${taskId}/s', undefined],
    ['[{"taskId":"t-1","s":"A"},{"taskId":"t-1","s":"B"}]', '/${taskId}/s', undefined],
    // A service moves a task from one list to another.
    ['{"running":[],"done":[{"id":"t-0","s":"A"},{"id":"t-1","s":"B"}]}', '/running/${taskId}/s', 'B'],
    ['{"echo":{"taskId":"t-1"},"done":[{"id":"t-1","s":"B"}]}', '/running/${taskId}/s', 'B'],
    // A name that is written as a placeholder is.
    ['{"${taskId}":{"s":"A"}}', '/${taskId}/s', 'A'],
    ['{"log":[{"s":"A"},{"s":"B"}]}', '/log/${last}/s', 'B'],
    ['{"log":["A","B"]}', '/log/${last}', 'B'],
    ['{"log":[]}', '/log/${last}', undefined],
    ['{"log":{"a":"A"}}', '/log/${last}', undefined],
    // Of ours, where some are ours and some are not.
    ['{"log":[{"taskId":"t-1","s":"A"},{"taskId":"t-1","s":"B"},{"taskId":"t-0","s":"C"}]}', '/log/${last}/s', 'B'],
    ['{"log":[{"taskId":"t-1","s":"A"},{"taskId":"t-0","s":"C"}]}', '/log/${last}/s', 'A'],
    ['{"log":[{"taskId":"t-0","s":"C"}]}', '/log/${last}/s', undefined],
    ['{"log":[{"s":"A"},"…"]}', '/log/${last}/s', undefined],
    ['{"job":"{\\"s\\":9007199254740993123}"}', '/job/s', '9007199254740993123'],
    ['{"job":"{\\"in\\":\\"[\\\\\\"A\\\\\\"]\\"}"}', '/job/in/0', 'A'],
    ['{"job":"{\\"s\\":"}', '/job/s', undefined],
    ['{"job":"{\\"taskId\\":\\"t-0\\",\\"s\\":\\"A\\"}"}', '/job/s', undefined],
    ['{"taskId":"t-0","s":"A"}', '/s', undefined],
    ['{"taskId":"t-0","sub":{"x":{"s":"A"}}}', '/sub/x/s', undefined],
    ['[{"id":"t-0","s":"A"}]', '/0/s', undefined],
    ['[{"id":88,"s":"A"}]', '/0/s', 'A'],
    ['{"steps":[{"id":7,"s":"A"},{"id":8,"s":"B"}]}', '/steps/1/s', 'B'],
    ['{"s":"A"}', '/s', 'A'],
    ['"A"', '', 'A'],
  ];
  for (const [data, pointer, value] of rows) {
    it(`'${pointer}' in ${data} is ${String(value ?? 'none')} for task t-1`, () => {
      const read = readPlace(parseJson(data), pointer, ownTask)?.value;
      assert.equal(
        read === undefined ? read : String(typeof read === 'object' ? Reflect.get(Object(read), 'rawJSON') : read),
        value,
      );
    });
  }

  it('is read in texts within texts without end, as far as a response is long', () => {
    const nested = Array.from({ length: 12 }).reduce<string>((inner) => JSON.stringify({ a: inner }), 'DONE');
    assert.equal(readPlace(nested, '/a'.repeat(12), ownTask)?.value, 'DONE');
  });

  it('is not known to be of any task where there is none yet', () => {
    assert.equal(readPlace(parseJson('[{"id":"a"},{"id":"b"}]'), '/1/id', undefined)?.value, 'b');
    assert.equal(readPlace(parseJson('[{"id":"a"},{"id":"b"}]'), '/${taskId}/id', undefined), undefined);
  });
});
