import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { readTaskReport, reportAfter, type TaskReport } from '../../../../src/service/response/taskReport';

/** The reports about a task whose responses hold these statuses one after the other. */
function reports(statuses: readonly string[]): TaskReport[] {
  let before: TaskReport | undefined;
  return statuses.map((status) => {
    before = reportAfter(before, readTaskReport({ status }, DEFAULT_CONTRACT.queryTask));
    return before;
  });
}

describe('A report in the light of those before it', () => {
  it('has every status that was seen once, in the order in which they came', () => {
    assert.deepEqual(reports(['A', 'B', 'A', 'C']).at(-1)?.seen, { at: '/status', values: ['A', 'B', 'C'] });
  });

  it('keeps them where nothing is told, and begins anew where the status is read elsewhere', () => {
    const [seen] = reports(['A']);
    const none = reportAfter(seen, readTaskReport(null, DEFAULT_CONTRACT.queryTask));
    assert.deepEqual([none.meaning, none.seen?.values], ['none', ['A']]);
    const elsewhere = readTaskReport({ status: 'A', st: 'B' }, { ...DEFAULT_CONTRACT.queryTask, status: '/st' });
    assert.deepEqual(reportAfter(none, elsewhere).seen, { at: '/st', values: ['B'] });
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
