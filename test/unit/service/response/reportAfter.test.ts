import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { reportAfter } from '../../../../src/service/response/reportAfter';
import { readTaskReport, type TaskReport } from '../../../../src/service/response/taskReport';

/** The reports about a task whose responses hold these statuses one after the other. */
function reports(statuses: readonly string[], contract = DEFAULT_CONTRACT.queryTask): TaskReport[] {
  let before: TaskReport | undefined;
  return statuses.map((status) => {
    before = reportAfter(before, readTaskReport({ status }, contract), contract.statusMeanings);
    return before;
  });
}

describe('A report in the light of those before it', () => {
  it('has every status that was seen once, in the order in which they came', () => {
    assert.deepEqual(reports(['A', 'B', 'A', 'C']).at(-1)?.seen, { at: '/status', values: ['A', 'B', 'C'] });
  });

  it('keeps them where nothing is told, and begins anew where the status is read elsewhere', () => {
    const [seen] = reports(['A']);
    const none = reportAfter(seen, readTaskReport(null, DEFAULT_CONTRACT.queryTask), {});
    assert.deepEqual([none.meaning, none.seen?.values], ['none', ['A']]);
    const elsewhere = readTaskReport({ status: 'A', st: 'B' }, { ...DEFAULT_CONTRACT.queryTask, status: '/st' });
    assert.deepEqual(reportAfter(none, elsewhere, {}).seen, { at: '/st', values: ['B'] });
  });

  it('has numbers in the place of the status that behave like progress as progress, and no status', () => {
    const read = reports(['12', '37', '80', '100']).map(({ status, progress, meaning }) => [status, progress, meaning]);
    assert.deepEqual(read, [
      ['12', undefined, 'unknown'],
      ['37', undefined, 'unknown'],
      [undefined, 0.8, 'unknown'],
      [undefined, 1, 'unknown'],
    ]);
    const [percent] = reports(['37%']);
    assert.deepEqual(percent?.from, { progress: { pointer: '/status', how: 'recognized' } });
  });

  it('has a number with a meaning as the status that it is', () => {
    const contract = { ...DEFAULT_CONTRACT.queryTask, statusMeanings: { '100': 'succeeded' } } as const;
    const last = reports(['12', '37', '100'], contract).at(-1);
    assert.deepEqual([last?.status, last?.meaning, last?.progress], ['100', 'succeeded', undefined]);
  });

  it('has the status of a chosen place as it is, however its numbers grow', () => {
    const chosen = { ...DEFAULT_CONTRACT.queryTask, status: '/status' };
    const numbers = reports(['11', '23', '47', '0.5', '62%'], chosen);
    assert.deepEqual(
      numbers.map(({ status, progress }) => [status, progress]),
      ['11', '23', '47', '0.5', '62%'].map((status) => [status, undefined]),
    );
  });

  it('has numbers as statuses once what one of them means was chosen, of whichever task', () => {
    const contract = { ...DEFAULT_CONTRACT.queryTask, statusMeanings: { '17': 'running' } } as const;
    assert.deepEqual(
      reports(['11', '23', '47', '62'], contract).map(({ status }) => status),
      ['11', '23', '47', '62'],
    );
  });

  it('holds no more than twenty statuses of a task, and none that is too long to be one', () => {
    const last = reports([
      ...Array.from({ length: 30 }, (_, index) => `S${String.fromCharCode(65 + index)}`),
      'x'.repeat(300),
    ]);
    assert.equal(last.at(-1)?.seen?.values.length, 20);
    assert.equal(last.at(-1)?.status?.length, 300);
  });
});
