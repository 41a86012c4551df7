import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { type Json, stringifyJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/places/whose';
import { valueChoices } from '../../../../src/service/proposing/leaves';
import { pointerToAll } from '../../../../src/service/response/severalIds';
import { readTaskReport } from '../../../../src/service/response/taskReport';
import { responseData } from '../../../../src/tasks/following/keptResponses';

const ownTask = toOwnTask(typedTaskId('t-5', 'string'), undefined);
const records = Array.from({ length: 3000 }, (_, index) => ({ taskId: `t-${index}`, status: 'RUNNING', rows: index }));
describe('A response that holds its list as text', () => {
  const manners: Readonly<Record<string, (list: Json) => Json>> = {
    'inside it': (list) => ({ records: stringifyJson(list) }),
    'as the whole of its data': (list) => stringifyJson({ records: list }),
  };
  for (const [where, write] of Object.entries(manners)) {
    it(`${where} takes no more than a few times as long to read and to choose from as one that does not`, () => {
      const plain = stringifyJson({ records });
      const asText = stringifyJson(write(records));
      fastest(plain);
      const [usual, slow] = [fastest(plain), fastest(asText)];
      assert.ok(slow < 8 * usual, `${slow} ms, ${usual} ms without text`);
    });
  }
});

/** The least time of some runs, in milliseconds: the machine may be busy. */
function fastest(text: string): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const data = responseData(`{"code":"0","data":${text}}`);
      const began = performance.now();
      readTaskReport(data, DEFAULT_CONTRACT.queryTask, ownTask);
      for (const { pointer } of valueChoices('taskId', { data, ownTask: undefined })) pointerToAll(data, pointer);
      return performance.now() - began;
    }),
  );
}
