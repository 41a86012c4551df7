import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';
import { jsonPointer } from '../../../../src/service/json/jsonPointer';
import { idsAt, pointersTo, pointerToAll } from '../../../../src/service/response/severalIds';
import { type BegunTask, readBegunTask, withoutIds } from '../../../../src/service/response/taskReport';

function begun(data: string, pointer?: string): BegunTask {
  return readBegunTask(parseJson(data), { ...DEFAULT_CONTRACT.fileTask, taskId: pointer });
}

describe('The ids of several tasks', () => {
  const plain: readonly (readonly [data: string, ids: readonly string[], from: string])[] = [
    ['{"taskIds":["T1","T2"]}', ['"T1"', '"T2"'], '/taskIds/${each}'],
    ['{"task_ids":[9007199254740993123,2]}', ['9007199254740993123', '2'], '/task_ids/${each}'],
    ['{"count":2,"result":{"jobIds":[1,2]}}', ['1', '2'], '/result/jobIds/${each}'],
    ['{"ids":[1,2]}', ['1', '2'], '/ids/${each}'],
    ['{"import":{"ids":[1,2]}}', ['1', '2'], '/import/ids/${each}'],
    ['{"tasks":["t-1","t-2"]}', ['"t-1"', '"t-2"'], '/tasks/${each}'],
    ['{"id":"F1","taskIds":[1,2]}', ['1', '2'], '/taskIds/${each}'],
    ['{"taskId":1,"taskIds":[1,2]}', ['1', '2'], '/taskIds/${each}'],
    ['{"tasks":[{"id":1},{"id":2}]}', ['1', '2'], '/tasks/${each}/id'],
    ['{"taskList":[{"jobId":1},{"jobId":2},{"jobId":1}]}', ['1', '2'], '/taskList/${each}/jobId'],
    ['{"r":{"import_jobs":[{"id":1},{"id":2}]}}', ['1', '2'], '/r/import_jobs/${each}/id'],
    ['{"items":[{"taskId":1},{"taskId":2}]}', ['1', '2'], '/items/${each}/taskId'],
    ['{"tasks":{"a":{"id":1},"b":{"id":2}}}', ['1', '2'], '/tasks/${each}/id'],
    ['[{"id":"A"},{"id":"B"}]', ['"A"', '"B"'], '/${each}/id'],
    ['{"a":{"taskId":1},"b":{"taskId":2}}', ['1', '2'], '/${each}/taskId'],
    ['{"job":"{\\"taskIds\\":[1,2]}"}', ['1', '2'], '/job/taskIds/${each}'],
    ['{"tasks":["{\\"id\\":1}","{\\"id\\":2}"]}', ['1', '2'], '/tasks/${each}/id'],
    ['{"taskIds":[1,2],"tasks":[{"id":1},{"id":2}]}', ['1', '2'], '/taskIds/${each}'],
  ];
  for (const [data, ids, pointer] of plain) {
    it(`are recognized in ${data}`, () => {
      assert.deepEqual(begun(data), { taskId: ids[0], from: { pointer, how: 'recognized' }, ids });
    });
  }

  const single: readonly (readonly [data: string, id: string, from: string])[] = [
    ['{"taskIds":["T1"]}', '"T1"', '/taskIds/0'],
    ['{"taskIds":["T1","T1"]}', '"T1"', '/taskIds/0'],
    ['{"chunks":[{"taskId":1},{"taskId":1}]}', '1', '/chunks/0/taskId'],
    ['{"tasks":{"a":{"id":1},"b":{"id":1}}}', '1', '/tasks/a/id'],
    ['{"task":{"id":1,"n":1},"file":{"id":2,"n":1}}', '1', '/task/id'],
    ['{"tasks":[{"id":1}]}', '1', '/tasks/0/id'],
    ['{"taskId":9,"files":[{"id":1},{"id":2}]}', '9', '/taskId'],
    ['{"task":{"id":1},"file":{"id":2}}', '1', '/task/id'],
    ['{"task":{"id":7,"input":{"id":1,"x":1},"output":{"id":2,"x":2}}}', '7', '/task/id'],
    ['{"taskId":9,"tags":["a1","b2"],"taskTypes":["a1","b2"]}', '9', '/taskId'],
  ];
  for (const [data, taskId, pointer] of single) {
    it(`are not seen in ${data}, which has one`, () => {
      assert.deepEqual(begun(data), { taskId, from: { pointer, how: 'recognized' } });
    });
  }

  for (const data of [
    '{"items":[{"id":1},{"id":2}]}',
    '{"files":[{"id":1},{"id":2}]}',
    '{"results":[{"id":"a"},{"id":"b"}]}',
    '{"importedFiles":[{"id":1},{"id":2}]}',
    '{"imports":["a1.csv","b2.csv"]}',
    '{"id":"batch","tasks":[{"id":1},{"id":2}]}',
    '{"taskId":9,"taskIds":[1,2]}',
    '{"taskIds":[1,2],"jobIds":[3,4]}',
    '[{"taskId":1},{"error":"too large"},{"taskId":2}]',
    '["a1","b2"]',
  ]) {
    it(`are none where it is not plain which are tasks, as in ${data}`, () => {
      assert.deepEqual(begun(data), { taskId: undefined, from: undefined });
    });
  }

  it('are read at the place that was chosen, in a list and in a map, each of them once', () => {
    const chosen = begun('{"items":[{"id":1},{"note":""},{"id":2},{"id":1}]}', '/items/${each}/id');
    assert.deepEqual(chosen, { taskId: '1', from: { pointer: '/items/${each}/id', how: 'mapped' }, ids: ['1', '2'] });
    assert.deepEqual(begun('{"x":{"a":{"r":"A"},"b":{"r":"B"}}}', '/x/${each}/r').ids, ['"A"', '"B"']);
    assert.deepEqual(begun('{"items":[{"id":1}]}', '/items/${each}/id').ids, undefined);
    assert.equal(begun('{"items":[{"id":1}]}', '/items/${each}/id').taskId, '1');
    assert.equal(begun('{"items":[]}', '/items/${each}/id').taskId, undefined);
    assert.equal(begun('{"items":[{"id":1},{"id":2}]}', '/items/1/id').taskId, '2');
    assert.deepEqual(begun('{"text":"{\\"ids\\":[7,8]}"}', '/text/ids/${each}').ids, ['7', '8']);
    assert.equal(begun('{"items":[{"id":1},{"id":2}]}', '/items/${last}/id').taskId, '2');
  });

  it('are a hundred at most, and the others are counted', () => {
    const ids = Array.from({ length: 150 }, (_, index) => index);
    const { taskId, ids: kept, leftOut } = begun(stringifyJson({ taskIds: ids }));
    assert.deepEqual([taskId, kept?.length, kept?.at(-1), leftOut], ['0', 100, '99', 50]);
  });

  it('are none of a list that was cut when it was stored', () => {
    assert.equal(begun('{"items":[{"id":1},{"id":2},"…"]}', '/items/${each}/id').taskId, undefined);
    assert.equal(begun('{"items":{"0":{"id":1},"7":{"id":2},"…":"…"}}', '/items/${each}/id').taskId, undefined);
  });

  it('lack those that are none, and are one where one is left', () => {
    const three = begun('{"taskIds":["A","B","C"]}');
    assert.deepEqual(withoutIds(three, (id) => id === '"A"').ids, ['"B"', '"C"']);
    const one = withoutIds(three, (id) => id !== '"C"');
    assert.deepEqual([one.taskId, one.ids], ['"C"', undefined]);
    assert.deepEqual(
      withoutIds(three, () => true),
      { taskId: undefined, from: undefined },
    );
    assert.equal(
      withoutIds(three, () => false),
      three,
    );
  });

  it('are offered together for one of them, in lists and in maps of alike members', () => {
    const like = (data: string, pointer: string) => pointerToAll(parseJson(data), pointer);
    assert.equal(like('{"items":[{"id":1},{"id":2}]}', '/items/1/id'), '/items/${each}/id');
    assert.equal(like('{"a":{"id":1,"n":1},"b":{"id":2,"n":1}}', '/a/id'), '/${each}/id');
    assert.equal(like('{"a":{"id":1},"b":{"id":2,"n":1}}', '/a/id'), undefined);
    assert.equal(like('{"id":1,"no":2}', '/id'), undefined);
    assert.equal(like('{"items":[{"id":1},{"id":2}]}', '/items/${last}/id'), '/items/${each}/id');
    assert.equal(like('{"text":"{\\"ids\\":[7,8]}"}', '/text/ids/0'), '/text/ids/${each}');
  });

  it('are all found wherever the list stands, whatever they are and whatever is beside them', () => {
    const id = fc.oneof(fc.integer({ min: 1 }), fc.uuid());
    const name = fc.stringMatching(/^[a-zA-Z~/]{1,8}$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { minLength: 2, maxLength: 20 }),
        fc.array(name),
        fc.anything(),
        (ids, path, more) => {
          const elements = ids.map((one) => ({ other: JSON.parse(JSON.stringify(more) ?? 'null'), ref: one }));
          const data = path.reduceRight<unknown>((inner, step) => ({ beside: 1, [step]: inner }), { list: elements });
          const to = jsonPointer(...path, 'list', '0', 'ref');
          const json = parseJson(JSON.stringify(data));
          const all = pointerToAll(json, to) ?? assert.fail();
          const literals = ids.map((one) => JSON.stringify(one));
          assert.deepEqual(idsAt(json, all).ids, literals);
          assert.deepEqual(begun(JSON.stringify(data), all).ids, literals);
          assert.equal(pointersTo(json, all).length, ids.length);
        },
      ),
    );
  });
});
