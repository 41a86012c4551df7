import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/places/whose';
import { valueChoices } from '../../../../src/service/proposing/valueChoices';

const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);

describe('What can be chosen in a response', () => {
  it('are the value of the last element, that of the newest one and that at its place, where none is known to be ours', () => {
    const data = parseJson('{"log":[{"st":"A","at":"2026-02-01"},{"st":"B","at":"2026-01-01"}]}');
    const choices = valueChoices('status', { data, ownTask }).filter(({ isLikely }) => isLikely);
    assert.deepEqual(
      choices.map(({ pointer, text, element }) => [pointer, text, element?.is, element?.number]),
      [
        ['/log/${newest}/st', 'A', 'newest', 1],
        ['/log/${last}/st', 'B', 'last', 2],
        ['/log/0/st', 'A', 'this', 1],
        ['/log/1/st', 'B', 'this', 2],
      ],
    );
  });

  it('is nothing of another task', () => {
    const data = parseJson('{"tasks":[{"id":"t-0","st":"A"},{"id":"t-1","st":"B"}],"old":{"taskId":"t-7","st":"C"}}');
    const choices = valueChoices('status', { data, ownTask });
    assert.deepEqual(
      choices.map(({ pointer }) => pointer),
      ['/tasks/${taskId}/st', '/tasks/${taskId}/id'],
    );
  });
});
