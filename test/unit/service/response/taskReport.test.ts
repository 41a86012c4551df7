import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { parseJson } from '../../../../src/service/json/json';
import { readBegunTask, readTaskReport } from '../../../../src/service/response/taskReport';

describe('A task that was begun', () => {
  const begun: readonly (readonly [data: string, pointer: string | undefined, taskId?: string, from?: string])[] = [
    ['{"importTask":{"id":9007199254740993123}}', undefined, '9007199254740993123', '/importTask/id'],
    ['[{"taskId":"T1"},{"file":"F2"}]', undefined, '"T1"', '/0/taskId'],
    ['"T1"', '', '"T1"', ''],
    ['9007199254740993123', '', '9007199254740993123', ''],
    ['{"taskId":"T1","receipt":"R1"}', '/receipt', '"R1"', '/receipt'],
    ['{"taskId":"T1"}', '/receipt'],
    ['{"queued":true}', '/queued'],
    ['{"taskId":true}', undefined],
    ['{"taskId":" "}', undefined],
    ['"T1"', undefined],
    ['null', undefined],
  ];
  for (const [data, pointer, taskId, from] of begun) {
    const how = pointer === undefined ? 'recognized' : 'mapped';
    it(`of ${data}, ${how}${pointer === undefined ? '' : ` at '${pointer}'`}, has ${taskId ?? 'no id'}`, () => {
      assert.deepEqual(readBegunTask(parseJson(data), { ...DEFAULT_CONTRACT.fileTask, taskId: pointer }), {
        taskId,
        from: from === undefined ? undefined : { pointer: from, how },
      });
    });
  }
});

describe('A report about a task', () => {
  it('says of each fact where it was read', () => {
    const data = parseJson('{"job":{"phase":"INDEXING_2","msg":"3 lines skipped"},"count":[3,12],"percent":"25%"}');
    assert.deepEqual(readTaskReport(data, DEFAULT_CONTRACT.queryTask), {
      status: 'INDEXING_2',
      meaning: 'unknown',
      progress: 0.25,
      message: '3 lines skipped',
      from: {
        status: { pointer: '/job/phase', how: 'recognized' },
        progress: { pointer: '/percent', how: 'recognized' },
        message: { pointer: '/job/msg', how: 'recognized' },
      },
    });
  });

  it('has a numeric status to the digit, with the meaning that the contract gives it', () => {
    const contract = { ...DEFAULT_CONTRACT.queryTask, status: '/0/s', statusMeanings: { '3.0': 'failed' } } as const;
    assert.deepEqual(readTaskReport(parseJson('[{"s":3.0}]'), contract), {
      status: '3.0',
      meaning: 'failed',
      progress: undefined,
      message: undefined,
      from: { status: { pointer: '/0/s', how: 'mapped' } },
    });
  });

  it('is unknown where nothing is recognised, and nothing is read elsewhere than where it was chosen', () => {
    const nothing = { status: undefined, meaning: 'unknown', progress: undefined, message: undefined, from: {} };
    for (const data of ['null', '{}', '[]', '"DONE"', '{"a":{"b":{"status":"DONE"}}}']) {
      assert.deepEqual(readTaskReport(parseJson(data), DEFAULT_CONTRACT.queryTask), nothing);
    }
    const elsewhere = { ...DEFAULT_CONTRACT.queryTask, status: '/s', progress: '/p', message: '/m' };
    assert.deepEqual(readTaskReport(parseJson('{"status":"DONE","progress":50,"message":"x"}'), elsewhere), nothing);
  });

  it('has of a status and a message as much as people read, as it is held of every task', () => {
    const long = 'x'.repeat(1_000_000);
    const { status, message, meaning } = readTaskReport({ status: long, message: long }, DEFAULT_CONTRACT.queryTask);
    assert.deepEqual([status, message, meaning], [`${'x'.repeat(2000)}…`, `${'x'.repeat(2000)}…`, 'unknown']);
    const statusMeanings = { [`${'x'.repeat(2000)}…`]: 'failed' } as const;
    const meant = readTaskReport({ status: long }, { ...DEFAULT_CONTRACT.queryTask, statusMeanings });
    assert.equal(meant.meaning, 'failed');
  });
});
