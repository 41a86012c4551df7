import assert from 'node:assert/strict';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { readDatasets } from '../../../../src/service/contract/dataset';
import type { ValueFault } from '../../../../src/service/contract/valueFault';

const url = 'https://a.example';

describe('What is wrong with a setting', () => {
  const datasets: [entry: unknown, at: string, what: ValueFault][] = [
    [{ baseUrl: url }, 'name', { kind: 'missing' }],
    [{ name: 'A' }, 'baseUrl', { kind: 'missing' }],
    [{ name: 7, baseUrl: url }, 'name', { kind: 'notText' }],
    [{ name: ' ', baseUrl: url }, 'name', { kind: 'empty' }],
    [{ name: 'A', baseUrl: url, allowHttp: 'yes' }, 'allowHttp', { kind: 'notBoolean' }],
    [{ name: 'A', baseUrl: url, key: 'x' }, 'key', { kind: 'unknown' }],
    ['A', '', { kind: 'notObject' }],
  ];
  for (const [entry, at, what] of datasets) {
    it(`is told with its place: ${at} ${what.kind}`, () => {
      const [told] = readDatasets([entry]).faults;
      assert.deepEqual(told?.fault, { kind: 'shape', at, what });
    });
  }

  const contracts: [contract: unknown, at: string, what: ValueFault][] = [
    [{ path: {} }, 'path', { kind: 'unknown' }],
    [{ paths: 'x' }, 'paths', { kind: 'notObject' }],
    [{ paths: [] }, 'paths', { kind: 'list' }],
    [{ paths: { fileTask: 'a' } }, 'paths.fileTask', { kind: 'notPath' }],
    [{ paths: { fileTask: '/a#b' } }, 'paths.fileTask', { kind: 'hashInPath' }],
    [{ headers: 'a' }, 'headers', { kind: 'notObject' }],
    [{ headers: { 'A B': 'a' } }, 'headers.A B', { kind: 'notHeaderName' }],
    [{ headers: { Host: 'a' } }, 'headers.Host', { kind: 'fixedHeader' }],
    [{ headers: { A: '\n' } }, 'headers.A', { kind: 'notHeaderValue' }],
    [{ fileTask: { filePart: '' } }, 'fileTask.filePart', { kind: 'empty' }],
    [{ fileTask: { fields: { a: 1 } } }, 'fileTask.fields.a', { kind: 'notText' }],
    [{ fileTask: { taskId: 'id' } }, 'fileTask.taskId', { kind: 'notPointer' }],
    [{ queryTask: { body: undefined } }, 'queryTask.body', { kind: 'notJson' }],
    [
      { queryTask: { body: '${id}' } },
      'queryTask.body',
      { kind: 'unknownPlaceholder', known: ['taskId', 'taskId:number', 'taskId:text'] },
    ],
    [
      { queryTask: { statusMeanings: { A: 'done' } } },
      'queryTask.statusMeanings.A',
      { kind: 'notOneOf', known: ['running', 'succeeded', 'failed'] },
    ],
    [{ codes: { badKey: '401' } }, 'codes.badKey', { kind: 'notList' }],
  ];
  for (const [contract, at, what] of contracts) {
    it(`is told with its place: contract.${at} ${what.kind}`, () => {
      assert.deepEqual(readContract(contract).faults, [{ at, what }]);
    });
  }
});
