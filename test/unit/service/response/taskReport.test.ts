import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { parseJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { toOwnTask } from '../../../../src/service/response/field';
import { readTaskReport } from '../../../../src/service/response/taskReport';

describe('A task report', () => {
  it('includes JSON Pointers to the fields that it was read from', () => {
    const data = parseJson('{"job":{"phase":"INDEXING_2","msg":"3 lines skipped"},"count":[3,12],"percent":"25%"}');
    assert.deepEqual(readTaskReport(data, DEFAULT_CONTRACT.queryTask), {
      status: 'INDEXING_2',
      meaning: 'unknown',
      progress: 0.25,
      message: '3 lines skipped',
      pointers: { status: '/job/phase', progress: '/percent', message: '/job/msg' },
      byMapping: false,
      source: null,
    });
  });

  it('takes its state from the status, no matter what the error fields contain', () => {
    for (const [data, message] of [
      ['{"status":"SUCCESS","errorMsg":"操作成功"}', '操作成功'],
      ['{"status":"SUCCESS","errCode":200,"error":false}', undefined],
      ['{"errorMessage":"none","state":"finished","error":{"code":0}}', 'none'],
      ['{"status":"SUCCESS","message":"ok","errorMessage":"line 7 skipped"}', 'line 7 skipped'],
    ] as const) {
      const report = readTaskReport(parseJson(data), DEFAULT_CONTRACT.queryTask);
      assert.deepEqual([report.meaning, report.message], ['succeeded', message]);
    }
  });

  it('prefers the message beside the status, because an outer one may be about the query', () => {
    for (const data of [
      '{"msg":"ok","data":{"status":"FAILED","error":"no"}}',
      '{"msg":"no","data":{"status":"FAILED"}}',
    ])
      assert.equal(readTaskReport(parseJson(data), DEFAULT_CONTRACT.queryTask).message, 'no');
  });

  it('does not take its state from the status of the query', () => {
    const statusMeanings = { BROKEN: 'failed', QUEUED: 'succeeded', 1: 'running', 2: 'succeeded' } as const;
    const contract = { ...DEFAULT_CONTRACT.queryTask, statusMeanings };
    const ownTask = toOwnTask(typedTaskId('t-1', 'string'), undefined);
    for (const [data, meaning] of [
      ['{"status":"success","taskStatus":"FAILED"}', 'failed'],
      ['{"status":"success","jobStatus":"SUCCEEDED"}', 'succeeded'],
      ['{"status":"success","state":"RUNNING","detail":{"status":"success"}}', 'unknown'],
      ['{"status":"success","state":"FAILED"}', 'unknown'],
      ['{"status":"success","state":"DONE","stage":"4"}', 'succeeded'],
      ['{"status":"success","state":"BROKEN"}', 'unknown'],
      ['{"status":"success","state":"QUEUED"}', 'succeeded'],
      ['{"status":"success","job_state":"FAILED"}', 'failed'],
      ['{"status":"success","data":{"state":"processing"}}', 'unknown'],
      ['{"taskId":"t-1","status":"finished","result":{"status":"FAILED"}}', 'unknown'],
      ['{"status":"success","parse":{"state":"DONE"},"index":{"state":"4"}}', 'succeeded'],
      ['{"taskId":"t-1","status":"SUCCESS","last":{"taskId":"t-0","status":"FAILED"}}', 'succeeded'],
      ['{"status":"RUNNING","task":{"taskId":"t-1","status":"SUCCESS"},"next":{"status":"RUNNING"}}', 'succeeded'],
      ['{"taskId":"t-1","status":"success","taskInfo":{"status":"processing"}}', 'unknown'],
      ['{"status":"success","jobs":[{"state":"FAILED"}]}', 'unknown'],
      ['{"taskId":"t-1","status":"2","file":{"status":1}}', 'succeeded'],
      ['{"status":"success","datasetImport":{"status":"FAILED"}}', 'unknown'],
      ['{"taskId":"t-1","status":"COMPLETED","details":[{"status":"FAILED"}]}', 'succeeded'],
      ['{"taskId":"t-1","status":"COMPLETED","previousTask":{"state":"failed"}}', 'succeeded'],
      ['{"taskId":"t-1","status":"COMPLETED","webhook":{"state":"failed"}}', 'succeeded'],
      ['{"taskId":"t-1","status":"COMPLETED","history":[{"status":"created"}]}', 'succeeded'],
      ['{"status":"OK","records":[{"id":"t-0","status":"FAILED"},{"id":"t-1","state":"DONE"}]}', 'succeeded'],
      ['{"status":"DONE","records":[{"id":"t-0","status":"DONE"},{"id":"t-1","step":2}]}', 'unknown'],
    ] as const)
      assert.equal(readTaskReport(parseJson(data), contract, ownTask).meaning, meaning, data);
  });

  it('keeps all digits of a numeric status that the contract assigns a meaning to', () => {
    const contract = { ...DEFAULT_CONTRACT.queryTask, status: '/0/s', statusMeanings: { '3.0': 'failed' } } as const;
    assert.deepEqual(readTaskReport(parseJson('[{"s":3.0}]'), contract), {
      status: '3.0',
      meaning: 'failed',
      progress: undefined,
      message: undefined,
      pointers: { status: '/0/s' },
      byMapping: true,
      source: '/0/s',
    });
  });

  const nothing = {
    status: undefined,
    meaning: 'unknown',
    progress: undefined,
    message: undefined,
    pointers: {},
    byMapping: false,
    source: null,
  };

  it('ignores other tasks in the response', () => {
    const ownTask = toOwnTask(typedTaskId('5', 'number'), undefined);
    for (const data of [
      '[{"id":4,"status":"FAILED","progress":50,"message":"no"},{"id":6,"status":"DONE","progress":60,"message":"ok"}]',
      '{"data":{"events":[{"status":"FAILED"},{"status":"DONE"}]}}',
      '[{"id":4,"status":"FAILED"}]',
      '{"taskId":4,"status":"FAILED","message":"no"}',
      '{"progress":50,"message":"ok","tasks":[{"id":4,"status":"DONE"},{"id":5,"name":"a"}]}',
    ])
      assert.deepEqual(readTaskReport(parseJson(data), DEFAULT_CONTRACT.queryTask, ownTask), nothing, data);
  });

  it('has no state if the response has no data, no matter what the contract says', () => {
    const state = "'succeeded'";
    for (const data of ['null', '{}', '[]', '""']) {
      for (const contract of [DEFAULT_CONTRACT.queryTask, { ...DEFAULT_CONTRACT.queryTask, status: '', state }]) {
        const none = { ...nothing, meaning: 'none', source: contract.state ?? null };
        assert.deepEqual(readTaskReport(parseJson(data), contract), none);
      }
    }
  });

  it('takes its state from the state expression, no matter what the status is', () => {
    const contract = { ...DEFAULT_CONTRACT.queryTask, state: "finishedAt && 'succeeded' || status" };
    const read = (data: string) => {
      const { status, meaning, byExpression } = readTaskReport(parseJson(data), contract);
      return [status, meaning, byExpression];
    };
    assert.deepEqual(read('{"status":"FAILED","finishedAt":"2030-01-01"}'), ['FAILED', 'succeeded', 'succeeded']);
    assert.deepEqual(read('{"status":"running"}'), ['running', 'running', 'running']);
    assert.deepEqual(read('{"status":"DONE"}'), ['DONE', 'unknown', '"DONE"']);
  });

  it("has an unknown state if no field is recognized, or if the contract's pointers find nothing", () => {
    for (const data of ['[0]', '"DONE"', '{"a":{"b":{"status":"DONE"}}}']) {
      assert.deepEqual(readTaskReport(parseJson(data), DEFAULT_CONTRACT.queryTask), nothing);
    }
    const elsewhere = { ...DEFAULT_CONTRACT.queryTask, status: '/s', progress: '/p', message: '/m' };
    const report = readTaskReport(parseJson('{"status":"DONE","progress":50,"message":"x"}'), elsewhere);
    assert.deepEqual(report, { ...nothing, source: '/s' });
  });

  it('truncates a long status or message', () => {
    const long = 'x'.repeat(1_000_000);
    const { status, message, meaning } = readTaskReport({ status: long, message: long }, DEFAULT_CONTRACT.queryTask);
    assert.deepEqual([status, message, meaning], [`${'x'.repeat(2000)}…`, `${'x'.repeat(2000)}…`, 'unknown']);
    const statusMeanings = { [`${'x'.repeat(2000)}…`]: 'failed' } as const;
    const mapped = readTaskReport({ status: long }, { ...DEFAULT_CONTRACT.queryTask, statusMeanings });
    assert.equal(mapped.meaning, 'failed');
  });

  it('replaces characters that the task store cannot save', () => {
    const read = (text: string) => {
      const { status, message } = readTaskReport({ status: text, message: text }, DEFAULT_CONTRACT.queryTask);
      return [status, message];
    };
    assert.deepEqual(read('a\0b\ud800'), Array(2).fill('a\ufffdb\ufffd'));
    assert.deepEqual(read(`${'x'.repeat(1999)}😀😀`), Array(2).fill(`${'x'.repeat(1999)}\ufffd…`));
  });
});
