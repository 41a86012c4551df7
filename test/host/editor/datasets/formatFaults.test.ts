import assert from 'node:assert/strict';
import { formatDatasetFault } from '../../../../src/editor/datasets/formatFaults';
import { readDatasets } from '../../../../src/service/contract/dataset';

describe('The message for an invalid dataset setting', () => {
  const url = 'https://a.example';
  const cases: readonly (readonly [setting: unknown, message: string])[] = [
    [{ name: 'A', baseUrl: url }, "The setting 'datasetImport.datasets' must be a list. Correct it first."],
    [[5], "Dataset '#1' in the settings cannot be used because '#1' is not valid."],
    [[{ baseUrl: url }], "Dataset '#1' in the settings cannot be used because 'name' is not valid."],
    [
      [{ name: 'A', baseUrl: url, contract: { paths: { fileTask: 5 }, codes: 7 } }],
      "Dataset 'A' in the settings cannot be used because 'contract.paths.fileTask' is not valid.",
    ],
    [
      [{ name: 'A', baseUrl: 'http://a.example' }],
      "Dataset 'A' in the settings cannot be used: The URL must begin with https://. Plain HTTP would expose the access key on the network.",
    ],
    [
      [
        { name: 'A', baseUrl: url },
        { name: 'A', baseUrl: 'https://b.example' },
      ],
      "Two datasets in the settings are named 'A'. The first one is used.",
    ],
  ];
  for (const [setting, message] of cases) {
    it(`is "${message}"`, () => {
      assert.deepEqual(readDatasets(setting).faults.map(formatDatasetFault), [message]);
    });
  }
});
