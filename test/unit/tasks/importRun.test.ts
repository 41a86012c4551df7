import assert from 'node:assert/strict';
import { ImportRun } from '../../../src/tasks/importRun';

describe('A run of imports', () => {
  it('holds of each end what its report needs, and not the answer, which may be a megabyte', () => {
    const envelope = { code: '7', message: 'no', data: { words: 'x'.repeat(1_000_000) } };
    const answer = { envelope, deviations: [] };
    const message = 'no '.repeat(300_000);
    const refusal = { by: 'envelope', status: 200, code: '7', message, answer } as const;
    const run = new ImportRun('Books', 0, false);
    for (const key of [1, 2, 3])
      run.expect(key, { name: 'a', path: 'a', relativePath: 'a', sizeBytes: 1, from: 'disk' });
    const taken = { taskId: undefined, from: undefined };
    run.ended(1, { kind: 'accepted', answer, taken, isEarly: true });
    run.ended(2, { kind: 'accepted', answer, taken });
    run.ended(3, { kind: 'rejected', refusal, badKey: true, tryLater: false });
    const short = { by: 'envelope', status: 200, code: '7', message: `${message.slice(0, 2000)}…` };
    assert.deepEqual(run.results, [
      { key: 1, end: { kind: 'accepted', taken, isEarly: true } },
      { key: 2, end: { kind: 'accepted', taken } },
      { key: 3, end: { kind: 'rejected', refusal: short, badKey: true, tryLater: false } },
    ]);
  });
});
