import assert from 'node:assert/strict';
import { ImportRun } from '../../../../src/tasks/serving/importRun';
import type { EndedPhase } from '../../../../src/tasks/trackedTask';
import { fc } from '../../seededFastCheck';
import { sourceOf } from '../temporaryStore';

const canceled: EndedPhase = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } };
const stopped: EndedPhase = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } };

function runOf(count: number): ImportRun {
  const run = new ImportRun({ dataset: 'Books', origin: undefined }, 0);
  for (let key = 0; key < count; key++) run.expect(key, sourceOf(`${key}.txt`, { sizeBytes: 10 }));
  return run;
}

describe('A run of imports', () => {
  it('counts each import once, by its first end', () => {
    const run = runOf(2);
    run.ended(0, canceled);
    run.ended(0, stopped);
    run.sent(0, 5);
    run.forget(0);
    assert.deepEqual(run.progress, { ended: 1, total: 2, sentBytes: 10, totalBytes: 20 });
    assert.deepEqual([run.results, run.hasEnded], [[{ key: 0, end: canceled }], false]);
  });

  it('counts nothing of what is not in the list any more', () => {
    const run = runOf(2);
    run.sent(0, 5);
    run.forget(0);
    run.sent(0, 7);
    run.ended(0, canceled);
    assert.deepEqual(run.progress, { ended: 0, total: 1, sentBytes: 0, totalBytes: 10 });
    run.ended(1, canceled);
    assert.equal(run.hasEnded, true);
  });

  it('tells whose bytes are being sent, and whose response alone is missing', () => {
    const run = runOf(4);
    run.sent(0, 4);
    run.sent(1, 12);
    run.sent(2, 10);
    run.sent(2, 0);
    assert.deepEqual(run.underWay, [
      { name: '0.txt', isSent: false },
      { name: '1.txt', isSent: true },
    ]);
    run.ended(1, stopped);
    assert.deepEqual(run.underWay, [{ name: '0.txt', isSent: false }]);
  });

  it('has ended once each import has ended or is forgotten, whatever comes in whatever order', () => {
    const event = fc.record({ what: fc.constantFrom('sent', 'ended', 'forget', 'again'), key: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const run = runOf(5);
        for (const { what, key } of events) {
          if (what === 'sent') run.sent(key, 4);
          if (what === 'again') run.sent(key, 0);
          if (what === 'ended') run.ended(key, canceled);
          if (what === 'forget') run.forget(key);
          const { ended, total, sentBytes, totalBytes } = run.progress;
          assert.ok(ended <= total && sentBytes <= totalBytes && totalBytes === total * 10);
          assert.equal(run.hasEnded, ended === total);
        }
        for (const key of run.keys) run.ended(key, stopped);
        assert.equal(run.hasEnded, true);
      }),
    );
  });
});
