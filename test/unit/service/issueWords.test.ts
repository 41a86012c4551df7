import assert from 'node:assert/strict';
import { readContract } from '../../../src/service/contractOverrides';
import { readDatasets } from '../../../src/service/dataset';

describe('What is wrong with a setting', () => {
  const datasets: [entry: unknown, at: string, words: string][] = [
    [{ baseUrl: 'https://a.example' }, 'name', 'is missing'],
    [{ name: 'A' }, 'baseUrl', 'is missing'],
    [{ name: 7, baseUrl: 'https://a.example' }, 'name', 'is not a text'],
    [{ name: 'A', baseUrl: 'https://a.example', allowHttp: 'yes' }, 'allowHttp', 'is neither true nor false'],
    [{ name: 'A', baseUrl: 'https://a.example', key: 'x' }, 'key', 'is not known'],
    ['A', '', 'is not an object'],
  ];
  for (const [entry, at, words] of datasets) {
    it(`is told in words: ${at} ${words}`, () => {
      const [told] = readDatasets([entry]).faults;
      assert.deepEqual(told?.fault, { kind: 'shape', at, words });
    });
  }

  const contracts: [contract: unknown, at: string, words: string][] = [
    [{ path: {} }, 'path', 'is not known'],
    [{ paths: 'x' }, 'paths', 'is not an object'],
    [{ codes: { badKey: '401' } }, 'codes.badKey', 'is not a list'],
    [{ fileTask: { fields: { a: 1 } } }, 'fileTask.fields.a', 'is not a text'],
    [
      { queryTask: { statusMeanings: { A: 'done' } } },
      'queryTask.statusMeanings.A',
      'is none of "running", "succeeded", "failed"',
    ],
  ];
  for (const [contract, at, words] of contracts) {
    it(`is told in words: contract.${at} ${words}`, () => {
      assert.deepEqual(readContract(contract).faults, [{ at, words }]);
    });
  }
});
