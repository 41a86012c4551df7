import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/places/whose';
import { suggestedStatus, suggestedTaskId } from '../../../../src/service/proposing/suggestedValue';

const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);
const status = (data: string, except?: string) => suggestedStatus({ data: parseJson(data), ownTask }, except)?.pointer;
const taskId = (data: string) => {
  const found = suggestedTaskId({ data: parseJson(data) });
  return found && [found.pointer, found.text];
};

describe('The value that a message asks about', () => {
  const statuses: readonly (readonly [what: string, data: string, pointer: string | undefined])[] = [
    ['the only usual word of a status', '{"state_count":4,"lamp":"green","last":"RUNNING"}', '/last'],
    ['none of two usual words', '{"first":"RUNNING","last":"DONE"}', undefined],
    ['the only one that is called as a status is', '{"st":"Q","lamp":"green"}', '/st'],
    ['the only one that is not our ID', '{"ref":"t-1","flag":"Q"}', '/flag'],
    ['none of two that say nothing', '{"a":"x","b":"y"}', undefined],
    ['that of our task', '[{"id":"t-0","flag":"F"},{"id":"t-1","flag":"Q"}]', '/${taskId}/flag'],
    [
      'that of the last event',
      '{"events":[{"what":"begun"},{"what":"error"},{"what":"again"}]}',
      '/events/${last}/what',
    ],
    ['no flag', '{"a":true}', undefined],
    ['no number beside a flag', '{"fertig":false,"zeile":3}', undefined],
    ['no number that is called anything', '{"x":1}', undefined],
    ['no time', '{"at":"2030-01-01T00:00:00Z"}', undefined],
    ['no percent', '{"a":"12%"}', undefined],
  ];
  for (const [what, data, pointer] of statuses) {
    it(`as the status is ${what}: ${data}`, () => assert.equal(status(data), pointer));
  }

  it('as the status is at no place that is known to be none', () => {
    assert.equal(status('{"state":4096,"st":"RUNNING"}', '/st'), '/state');
    assert.equal(status('{"state":4096}', '/state'), undefined);
  });

  const ids: readonly (readonly [what: string, data: string, found: readonly [string, string] | undefined])[] = [
    ['the only one that is called as an ID is', '{"ref":"q1-8c","n":1}', ['/ref', 'q1-8c']],
    ['the only one with a digit', '"JOB-1-9F3B"', ['', 'JOB-1-9F3B']],
    ['to the digit', '{"result":{"no":3385447386504440881}}', ['/result/no', '3385447386504440881']],
    ['all that are in a list', '{"parts":[{"no":101},{"no":201}]}', ['/parts/${each}/no', '101, 201']],
    ['the only one in a list', '[{"ticket":"K-10"}]', ['/${each}/ticket', 'K-10']],
    ['none of two', '{"ref":"R-1","orderNo":"O-2"}', undefined],
    ['no word and no sentence', '{"message":"queued at 3 pm","state":"ok"}', undefined],
  ];
  for (const [what, data, found] of ids) {
    it(`as the task ID is ${what}: ${data}`, () => assert.deepEqual(taskId(data), found));
  }
});
