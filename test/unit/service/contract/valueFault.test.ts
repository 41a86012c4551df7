import assert from 'node:assert/strict';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { readDatasets } from '../../../../src/service/contract/dataset';
import type { ValueFault } from '../../../../src/service/contract/settingSchema';

const url = 'https://a.example';

describe('What is wrong with a setting', () => {
  const datasets: [entry: unknown, at: string, what: ValueFault][] = [
    [{ baseUrl: url }, 'name', 'missing'],
    [{ name: 'A' }, 'baseUrl', 'missing'],
    [{ name: 7, baseUrl: url }, 'name', 'notText'],
    [{ name: ' ', baseUrl: url }, 'name', 'empty'],
    [{ name: 'A', baseUrl: url, allowHttp: 'yes' }, 'allowHttp', 'notBoolean'],
    [{ name: 'A', baseUrl: url, key: 'x' }, 'key', 'unknown'],
    ['A', '', 'notObject'],
  ];
  for (const [entry, at, what] of datasets) {
    it(`is told with its place: ${at} ${what}`, () => {
      const [told] = readDatasets([entry]).faults;
      assert.deepEqual(told?.fault, { kind: 'value', at, what });
    });
  }

  const contracts: [contract: unknown, at: string, what: ValueFault][] = [
    [{ path: {} }, 'path', 'unknown'],
    [{ paths: 'x' }, 'paths', 'notObject'],
    [{ paths: [] }, 'paths', 'notObject'],
    [{ paths: { fileTask: 'a' } }, 'paths.fileTask', 'notPath'],
    [{ paths: { fileTask: '/a#b' } }, 'paths.fileTask', 'notPath'],
    [{ headers: 'a' }, 'headers', 'notObject'],
    [{ headers: { 'A B': 'a' } }, 'headers.A B', 'notHeaderName'],
    [{ headers: { Host: 'a' } }, 'headers.Host', 'fixedHeader'],
    [{ headers: { A: '\n' } }, 'headers.A', 'notHeaderValue'],
    [{ fileTask: { filePart: '' } }, 'fileTask.filePart', 'empty'],
    [{ fileTask: { filePart: 'a\\' } }, 'fileTask.filePart', 'endsWithBackslash'],
    [{ fileTask: { mediaType: 'text' } }, 'fileTask.mediaType', 'notMediaType'],
    [{ fileTask: { fileNameEncoding: 'UTF-8' } }, 'fileTask.fileNameEncoding', 'notEncoding'],
    [{ fileTask: { fields: { a: 1 } } }, 'fileTask.fields.a', 'notText'],
    [{ fileTask: { taskId: 'id' } }, 'fileTask.taskId', 'notPointer'],
    [{ queryTask: { body: undefined } }, 'queryTask.body', 'notJson'],
    [{ queryTask: { body: '${id}' } }, 'queryTask.body', 'unknownQueryPlaceholder'],
    [{ queryTask: { statusMeanings: { A: 'done' } } }, 'queryTask.statusMeanings.A', 'notMeaning'],
    [{ codes: { badKey: '401' } }, 'codes.badKey', 'notList'],
  ];
  for (const [contract, at, what] of contracts) {
    it(`is told with its place: contract.${at} ${what}`, () => {
      assert.deepEqual(readContract(contract).faults, [{ at, what }]);
    });
  }
});
