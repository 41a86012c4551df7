import assert from 'node:assert/strict';
import { type TrackedTask, wasAcceptedEarly } from '../../../src/tasks/trackedTask';
import type { Script } from '../service/rawServer';
import { response, TAKEN } from '../service/responses';
import { LARGE, toldEnd, toldPhase } from './endedImport';
import { ImportWindow } from './importWindow';
import { afterSlowReading, atBodyByte, type Deed, ends, resets, says, staysSilent } from './script';

const RUNS = 50;
const KIB = 1024;
const SIZES = [1, 20, 63, 65, 300, 1024, 2500, 6000].map((kib) => kib * KIB);

const lost = /^unconfirmed: ConnectionLostError (?:reset|truncated)$/;
const tooLarge = response('413 Content Too Large', 'at most 1 KiB', 'Connection: close');
const badKey = response('401 Unauthorized', '{"code":"K-1","message":"no","data":null}', 'Connection: close');
const value = response('200 OK', TAKEN);

/** The reading that a run is at: from the first byte of the body to its last, in no order. */
function byteOf(run: number, sizeBytes: number): number {
  return run % 10 === 0 ? 0 : 1 + ((run * 7919 * 31) % sizeBytes);
}

interface Race {
  /** What the service does once it has read so much of the body. */
  readonly deed: Deed;
  /** All the ends that it may have, as far as the import is under way at all. */
  readonly ends: readonly RegExp[];
}

const races: Record<string, Race> = {
  'an early 413, and the rest is read': { deed: says(tooLarge), ends: [/^rejected: 413: at most 1 KiB$/] },
  'an early 413 that may be lost, as the connection is closed with it': {
    deed: async (peer) => peer.end(tooLarge),
    ends: [/^rejected: 413: at most 1 KiB$/, lost],
  },
  'an early 413 that may be lost, as the connection is broken off behind it': {
    deed: says(tooLarge, resets),
    ends: [/^rejected: 413: at most 1 KiB$/, lost],
  },
  'an early 401, and the rest is read': { deed: says(badKey), ends: [/^rejected: 401, code K-1: no$/] },
  'an early 401 that may be lost': { deed: says(badKey, resets), ends: [/^rejected: 401, code K-1: no$/, lost] },
  'an early 100, then an early 200, and the rest is read': {
    deed: says('HTTP/1.1 100 Continue\r\n\r\n', says(value)),
    ends: [/^accepted$/],
  },
  'an early 302, and the rest is read': {
    deed: says(response('302 Found', '', 'Location: https://elsewhere.invalid/')),
    ends: [/^unconfirmed: BadResponseError redirect$/],
  },
  'an early 200, and the rest is read': { deed: says(value), ends: [/^accepted$/] },
  'an early 200 that may be lost': { deed: says(value, resets), ends: [/^accepted$/, lost] },
  'a reset': { deed: resets, ends: [lost] },
  'an end of one side only': {
    deed: async (peer) => {
      await ends(peer);
      await staysSilent(peer);
    },
    ends: [lost],
  },
};

/** Accepted before all of it was sent, and said so wherever it is told: in the outcome, the log, and with the task. */
function isToldEarly({ faulty }: ImportWindow, task: TrackedTask, index: number): boolean {
  const outcome = faulty.outcomes[index];
  assert.ok(outcome?.kind === 'accepted');
  const [{ sentBytes, totalBytes } = assert.fail()] = task.attempts;
  const isEarly = sentBytes < totalBytes;
  assert.equal(outcome.isEarly === true, isEarly);
  assert.equal(
    outcome.response.deviations.join(),
    isEarly ? 'the response came before the whole request had left' : '',
  );
  assert.equal(wasAcceptedEarly(task), isEarly);
  return isEarly;
}

/** Imports one file after the other, each on its own: a batch would be held back after some that end badly. */
async function importEach(window: ImportWindow): Promise<readonly TrackedTask[]> {
  for (let run = 0; run < RUNS; run++) {
    const sizeBytes = SIZES[run % SIZES.length] ?? 1;
    await window.import(await window.check(`${run}.txt`, Buffer.alloc(sizeBytes, 'words ')));
    // What waits for another access key.
    await window.queue.cancel();
  }
  return window.stored;
}

/** Reads as much as is this run's, then does it. */
function race(deed: Deed): Script {
  return (peer, count) => atBodyByte(byteOf(count, SIZES[(count - 1) % SIZES.length] ?? 1), deed)(peer, count);
}

describe('file-task against a service that answers early', () => {
  for (const [what, { deed, ends: allowed }] of Object.entries(races)) {
    it(`${what}, at any byte of any file: ends as it may, and arrives once`, async () => {
      await using window = await ImportWindow.open({ script: race(deed) });
      const tasks = await importEach(window);
      assert.equal(tasks.length, RUNS);
      for (const [index, task] of tasks.entries()) {
        const end = toldEnd(task.attempts[0]?.end ?? assert.fail());
        if (end === 'accepted') isToldEarly(window, task, index);
        assert.ok(
          allowed.some((pattern) => pattern.test(end)),
          end,
        );
        assert.equal(task.attempts.length, 1);
        if (task.phase.kind !== 'unconfirmed') continue;
        const { sentBytes, totalBytes } = task.phase;
        assert.ok(sentBytes > 0 && sentBytes <= totalBytes, `${sentBytes} of ${totalBytes}`);
      }
      assert.equal(window.posts, RUNS);
    });
  }

  it('an early 200 in the midst of a large file: accepted before all of it was sent, and it says so', async () => {
    await using window = await ImportWindow.open({ script: atBodyByte(KIB, says(value)) });
    for (let index = 0; index < RUNS; index++) {
      const run = await window.import(await window.check(`${index}.txt`, LARGE));
      const end = run.results[0]?.end;
      assert.equal(end?.kind, 'accepted');
    }
    for (const [index, task] of window.stored.entries()) assert.equal(isToldEarly(window, task, index), true);
    assert.deepEqual([window.stored.length, window.posts], [RUNS, RUNS]);
  });

  it('reads slowly: nothing is lost, and each file arrives once', async () => {
    await using window = await ImportWindow.open({ script: afterSlowReading(says(value), 0) });
    const tasks = await importEach(window);
    assert.deepEqual(new Set(tasks.map(toldPhase)), new Set(['accepted']));
    for (const [index, task] of tasks.entries()) assert.equal(isToldEarly(window, task, index), false);
    assert.deepEqual([tasks.length, window.posts], [RUNS, RUNS]);
  });
});
