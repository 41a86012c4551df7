import assert from 'node:assert/strict';
import { formatProgress } from '../../../../src/editor/importing/importProgress';
import type { WhyPaused } from '../../../../src/tasks/serving/importPause';
import type { QueueProgress } from '../../../../src/tasks/serving/importQueue';
import type { Failure } from '../../../../src/tasks/trackedTask';

const KB = 1024;
const beganMs = 1_000_000;
const unreachable: WhyPaused = {
  kind: 'unreachable',
  end: {
    kind: 'notSent',
    failure: { name: 'ConnectError', reason: 'refused', host: 'import.example.com', detail: '' },
  },
};
const progress: QueueProgress = {
  ended: 0,
  total: 1,
  sentBytes: 0,
  totalBytes: 2 * KB,
  beganMs,
  pause: undefined,
  isMoved: false,
  awaited: [],
};

describe('The status bar', () => {
  it('says of one import how much of it has left', () => {
    assert.equal(words({ sentBytes: KB }, 0), '$(cloud-upload) Importing 1 of 1 · 1.0 KB of 2.0 KB');
  });

  it('says of several which one is imported, with thousands grouped', () => {
    assert.match(words({ total: 10 }, 0), /Importing 1 of 10 · 0 bytes of 2\.0 KB$/);
    assert.match(words({ total: 10, ended: 4 }, 0), /Importing 5 of 10 ·/);
    assert.match(words({ total: 12_000, ended: 1199 }, 0), /Importing 1,200 of 12,000 ·/);
  });

  it('says which file is to be confirmed where all of it was sent, and how many of several', () => {
    assert.equal(
      words({ total: 300, ended: 40, awaited: ['x.txt'] }, 0),
      "$(cloud-upload) Importing 41 of 300: waiting for 'x.txt' to be confirmed",
    );
    assert.match(words({ awaited: ['x.txt', 'y.txt'] }, 0), /: waiting for 2 files to be confirmed$/);
    const paused = { awaited: ['x.txt'], pause: { reason: unreachable, untilMs: beganMs + 12_000 } };
    assert.match(words(paused, 0), /cannot reach/);
  });

  it('says that a moved dataset waits for the user', () => {
    assert.equal(
      words({ total: 2, isMoved: true }, 0),
      '$(question) Importing 1 of 2: the dataset moved, waiting for your decision',
    );
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

  it('says what cannot be reached, and when it is tried again', () => {
    const paused = { total: 300, pause: { reason: unreachable, untilMs: beganMs + 12_000 } };
    assert.equal(words(paused, 0), '$(clock) Importing 1 of 300: cannot reach import.example.com, retrying in 12 s');
    assert.match(words({ ...paused, ended: 41 }, 11_999), /Importing 42 of 300: .*, retrying in 1 s$/);
    assert.match(words(paused, 12_000), /import\.example\.com, retrying now$/);
    assert.match(words({ ...paused, ended: 300 }, 0), /Importing 300 of 300/);
    const pause = { reason: unreachable, untilMs: Number.POSITIVE_INFINITY };
    assert.match(words({ pause }, 0), /cannot reach import\.example\.com, waiting for your decision$/);
  });

  it('says so of a service that is busy or fails, of a connection, and of the task database', () => {
    const host = 'a.example';
    const causes: Failure[] = [
      { name: 'ConnectError', reason: 'tls', host, detail: '' },
      { name: 'ConnectError', reason: 'proxy', host, detail: '' },
      { name: 'ConnectionLostError', reason: 'reset', host, detail: '' },
      { name: 'BadResponseError', reason: 'serverError', status: 503, excerpt: '', detail: '' },
      { name: 'BadResponseError', reason: 'notJson', status: 200, excerpt: '', detail: '' },
      { name: 'UnexpectedError', detail: '' },
    ];
    const refusal = { by: 'status', status: 429, excerpt: '' } as const;
    const reasons: WhyPaused[] = [
      ...causes.map((failure) => ({ kind: 'unreachable', end: { kind: 'notSent', failure } }) as const),
      { kind: 'badKey', end: { kind: 'rejected', refusal } },
      { kind: 'rejections', end: { kind: 'rejected', refusal } },
      { kind: 'noTarget', detail: '' },
      { kind: 'busy', end: { kind: 'rejected', refusal } },
      { kind: 'store' },
    ];
    const said = reasons.map(
      (reason) => /: (.*), retrying now$/.exec(words({ pause: { reason, untilMs: 0 } }, 0))?.[1],
    );
    assert.deepEqual(said, [
      'no secure connection to a.example',
      'blocked by proxy a.example',
      'lost the connection to a.example',
      'the service has an error (HTTP 503)',
      'the response of the service cannot be read',
      'the service reports errors',
      'access key rejected',
      'rejected: HTTP 429',
      'no access key',
      'the service is busy',
      'cannot write the task database',
    ]);
  });
});

function words(change: Partial<QueueProgress>, tookMs: number): string {
  const { icon, words } = formatProgress({ ...progress, ...change }, beganMs + tookMs);
  return `$(${icon}) ${words}`;
}
