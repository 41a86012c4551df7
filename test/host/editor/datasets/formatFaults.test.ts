import assert from 'node:assert/strict';
import {
  formatDatasetFault,
  formatDefinitionFault,
  formatValueFault,
} from '../../../../src/editor/datasets/formatFaults';
import { type DatasetFault, readDatasets } from '../../../../src/service/contract/dataset';
import type { ValueFault } from '../../../../src/service/contract/valueFault';

const known = ['running', 'failed'];
const everyFault = {
  missing: { kind: 'missing' },
  unknown: { kind: 'unknown' },
  empty: { kind: 'empty' },
  notObject: { kind: 'notObject' },
  list: { kind: 'list' },
  notList: { kind: 'notList' },
  notText: { kind: 'notText' },
  notBoolean: { kind: 'notBoolean' },
  notJson: { kind: 'notJson' },
  notPointer: { kind: 'notPointer' },
  notCondition: { kind: 'notCondition' },
  notPath: { kind: 'notPath' },
  hashInPath: { kind: 'hashInPath' },
  notHeaderName: { kind: 'notHeaderName' },
  fixedHeader: { kind: 'fixedHeader' },
  notHeaderValue: { kind: 'notHeaderValue' },
  notOneOf: { kind: 'notOneOf', known },
  unknownPlaceholder: { kind: 'unknownPlaceholder', known },
} as const satisfies Readonly<Record<ValueFault['kind'], ValueFault>>;

describe('The words for what is wrong with the settings', () => {
  it('are a sentence of its own for each fault of a value, with its place or without', () => {
    const faults: ValueFault[] = Object.values(everyFault);
    for (const fault of faults) {
      assert.match(formatValueFault(fault, 'paths.fileTask'), /^paths\.fileTask (?:is|has) .*\.$/);
      assert.match(formatValueFault(fault), /^It (?:is|has) .*\.$/);
    }
    assert.equal(new Set(faults.map((fault) => formatValueFault(fault))).size, faults.length);
  });

  it('name what there is to choose from', () => {
    assert.equal(formatValueFault(everyFault.notOneOf), 'It is none of "running", "failed".');
    assert.equal(
      formatValueFault(everyFault.unknownPlaceholder),
      'It has a placeholder other than ${running}, ${failed}.',
    );
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
      ['Twice', 'Path'],
    );
    assert.equal(faults.length, setting.length - 1);
    for (const fault of faults) assertFaultIsTold(fault);
    for (const { dataset } of faults) assert.notEqual(dataset, '');
  });

  it('say of the setting itself that it is no list', () => {
    const [fault] = readDatasets({ name: 'A', baseUrl: 'https://a.example' }).faults;
    assert.ok(fault !== undefined);
    assertFaultIsTold(fault);
    assert.match(formatDatasetFault(fault), /'datasetImport\.datasets'.* is not a list\.$/);
  });
});

function assertFaultIsTold(fault: DatasetFault): void {
  for (const words of [formatDatasetFault(fault), formatDefinitionFault(fault)]) {
    assert.match(words, /^[A-Z'].*[.?]$/su);
    assert.doesNotMatch(words, / {2}|\.\./);
    assert.ok(words.includes(fault.dataset));
  }
}
