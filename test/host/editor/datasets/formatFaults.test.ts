import assert from 'node:assert/strict';
import {
  formatDatasetFault,
  formatDatasetFaults,
  formatValueFault,
} from '../../../../src/editor/datasets/formatFaults';
import { type DatasetFault, readDatasets } from '../../../../src/service/contract/dataset';
import { valueFaults } from '../../../unit/service/contract/valueFaults';

describe('The words for what is wrong with the settings', () => {
  it('are a sentence of its own for each fault of a value, with its place or without', () => {
    for (const fault of valueFaults) {
      assert.match(formatValueFault(fault, 'paths.fileTask'), /^paths\.fileTask (?:is|must|contains) .*\.$/);
      assert.match(formatValueFault(fault), /^It (?:is|must|contains) .*\.$/);
    }
    assert.equal(new Set(valueFaults.map((fault) => formatValueFault(fault))).size, valueFaults.length);
  });

  it('name what there is to choose from', () => {
    assert.equal(formatValueFault('notMeaning'), 'It must be one of "running", "succeeded", "failed".');
    for (const [fault, known] of [
      [
        'unknownFieldPlaceholder',
        '${fileName}, ${relativePath}, ${extension}, ${mediaType}, ${size}, ${sha256}, ${taskName}',
      ],
      ['unknownQueryPlaceholder', '${taskId}, ${taskId:number}, ${taskId:text}'],
      ['unknownIdPlaceholder', '${each}'],
      ['unknownPlacePlaceholder', '${taskId}'],
    ] as const) {
      assert.equal(formatValueFault(fault), `It contains an unknown placeholder. Known ones are ${known}.`);
    }
  });

  it('are a sentence for each entry that has a fault, and name the entry', () => {
    const setting = [
      5,
      null,
      { name: 'No URL' },
      { name: 'Bad', baseUrl: 'ftp://a.example' },
      { name: 'More', baseUrl: 'https://a.example', colour: 'red' },
      { name: 'Twice', baseUrl: 'https://a.example' },
      { name: 'Twice', baseUrl: 'https://b.example' },
      { name: 'Path', baseUrl: 'https://a.example', contract: { paths: { fileTask: 5 } } },
      { baseUrl: 'https://a.example' },
      { name: 'Sandbox', baseUrl: 'https://a.example' },
    ];
    const { datasets, faults } = readDatasets(setting);
    assert.deepEqual(
      datasets.map(({ name }) => name),
      ['Twice'],
    );
    assert.equal(faults.length, setting.length - 1);
    for (const fault of faults) assertFaultIsTold(fault);
    for (const { dataset } of faults) assert.notEqual(dataset, '');
  });

  it('are one message of a few sentences where one dataset has ten mistakes, which says how many more there are', () => {
    const paths = { fileTask: 1, queryTask: 2, setWebhook: 3 };
    const queryTask = { status: 4, progress: 5, message: 6, state: 7, statusMeanings: 8 };
    const contract = { paths, queryTask, codes: { badKey: 9, tryLater: 10 } };
    const { faults } = readDatasets([{ name: 'Letters', baseUrl: 'https://a.example', contract }]);
    assert.equal(faults.length, 10);
    assert.equal(
      formatDatasetFaults(faults),
      `${['fileTask', 'queryTask', 'setWebhook']
        .map((each) => `Dataset 'Letters' in the settings cannot be used: contract.paths.${each} must be a string. `)
        .join('')}And 7 more mistakes.`,
    );
  });

  it('are all named where only one more would be counted', () => {
    const entries = ['A', 'B', 'C', 'D'].map((name) => ({ name, baseUrl: 'ftp://a.example' }));
    const { faults } = readDatasets(entries);
    assert.equal(formatDatasetFaults(faults), faults.map(formatDatasetFault).join(' '));
    assert.equal(formatDatasetFaults([]), '');
  });

  it('say of the setting itself that it is no list', () => {
    const [fault] = readDatasets({ name: 'A', baseUrl: 'https://a.example' }).faults;
    assert.ok(fault !== undefined);
    assertFaultIsTold(fault);
    assert.match(formatDatasetFault(fault), /'datasetImport\.datasets'.* must be a list\.$/);
  });
});

function assertFaultIsTold(fault: DatasetFault): void {
  const words = formatDatasetFault(fault);
  assert.match(words, /^[A-Z'].*[.?]$/su);
  assert.doesNotMatch(words, / {2}|\.\./);
  assert.ok(words.includes(fault.dataset));
}
