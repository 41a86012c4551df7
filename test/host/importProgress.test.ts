import assert from 'node:assert/strict';
import { progressWords } from '../../src/editor/importProgress';
import type { QueueProgress } from '../../src/tasks/importQueue';

const KB = 1024;
const beganMs = 1_000_000;
const progress: QueueProgress = {
  ended: 0,
  total: 1,
  sentBytes: 0,
  totalBytes: 2 * KB,
  beganMs,
  pausedUntilMs: undefined,
  waitsForWord: false,
};

describe('The status bar', () => {
  it('says of one import how much of it has left', () => {
    assert.equal(words({ sentBytes: KB }, 0), '$(sync~spin) Importing · 1.0 KB of 2.0 KB');
  });

  it('says of several how many are done, as the view does', () => {
    assert.match(words({ total: 10 }, 0), /Importing: 0 of 10 done · 0 bytes of 2\.0 KB$/);
    assert.match(words({ total: 10, ended: 4 }, 0), /Importing: 4 of 10 done ·/);
  });

  it('tells the time that is left once enough was sent to tell it from', () => {
    const half = { total: 4, ended: 2, sentBytes: KB };
    assert.doesNotMatch(words(half, 2999), /left/);
    assert.match(words(half, 3000), / · 3 s left$/);
    assert.match(words(half, 90_000), / · 2 min left$/);
    assert.match(words(half, 3 * 3_600_000), / · 3 h left$/);
    assert.doesNotMatch(words({ ...half, ended: 0, total: 10_000, sentBytes: 0 }, 60_000), /left/);
    assert.doesNotMatch(words({ ...half, ended: 0, sentBytes: 0 }, 60_000), /NaN|Infinity/);
  });

  it('says how long a service is left in peace', () => {
    const paused = { total: 10, ended: 4, pausedUntilMs: beganMs + 7500 };
    assert.equal(words(paused, 500), '$(clock) Importing: waits 7 s, 4 of 10 done');
    assert.equal(words(paused, 7499), '$(clock) Importing: waits 1 s, 4 of 10 done');
  });
});

function words(change: Partial<QueueProgress>, tookMs: number): string {
  return progressWords({ ...progress, ...change }, beganMs + tookMs);
}
