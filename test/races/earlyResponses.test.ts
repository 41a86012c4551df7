import assert from 'node:assert/strict';
import { type TrackedTask, wasAcceptedEarly } from '../../src/tasks/trackedTask';
import { toldEnd } from '../unit/faults/endedImport';
import { ImportWindow } from '../unit/faults/importWindow';
import { atBodyByte, type Deed, ends, resets, says, staysSilent } from '../unit/faults/script';
import type { Script } from '../unit/service/rawServer';
import { accepted, response } from '../unit/service/responses';

const RUNS = 50;
const KIB = 1024;
const SIZES = [1, 20, 63, 65, 300, 1024, 2500, 6000].map((kib) => kib * KIB);

const lost = /^unconfirmed: ConnectionLostError (?:reset|truncated)$/;
const tooLarge = response('413 Content Too Large', 'at most 1 KiB', 'Connection: close');
const badKey = response('401 Unauthorized', '{"code":"K-1","message":"no","data":null}', 'Connection: close');
const accepting = (count: number) => response('200 OK', accepted(count));

/** Where the service responds: the same places of the body in each run of the tests, in no order. */
function byteOf(run: number, sizeBytes: number): number {
  return run % 10 === 0 ? 0 : 1 + ((run * 7919 * 31) % sizeBytes);
}

interface Race {
  /** What the service does once it has read that much of the body. */
  readonly deed: (count: number) => Deed;
  /** The ends that an import may have. */
  readonly ends: readonly RegExp[];
}

const races: Record<string, Race> = {
  'an early 413, and the rest is read': { deed: () => says(tooLarge), ends: [/^rejected: 413: at most 1 KiB$/] },
  'an early 413 that may be lost, as the connection is closed with it': {
    deed: () => async (peer) => peer.end(tooLarge),
    ends: [/^rejected: 413: at most 1 KiB$/, lost],
  },
  'an early 413 that may be lost, as the connection is broken off behind it': {
    deed: () => says(tooLarge, resets),
    ends: [/^rejected: 413: at most 1 KiB$/, lost],
  },
  'an early 401, and the rest is read': { deed: () => says(badKey), ends: [/^rejected: 401, code K-1: no$/] },
  'an early 401 that may be lost': { deed: () => says(badKey, resets), ends: [/^rejected: 401, code K-1: no$/, lost] },
  'an early 100, then an early 200, and the rest is read': {
    deed: (count) => says('HTTP/1.1 100 Continue\r\n\r\n', says(accepting(count))),
    ends: [/^accepted$/],
  },
  'an early 302, and the rest is read': {
    deed: () => says(response('302 Found', '', 'Location: https://elsewhere.invalid/')),
    ends: [/^unconfirmed: BadResponseError redirect$/],
  },
  'an early 200, and the rest is read': { deed: (count) => says(accepting(count)), ends: [/^accepted$/] },
  'an early 200 that may be lost': { deed: (count) => says(accepting(count), resets), ends: [/^accepted$/, lost] },
  'a reset': { deed: () => resets, ends: [lost] },
  'an end of one side only': {
    deed: () => async (peer) => {
      await ends(peer);
      await staysSilent(peer);
    },
    ends: [lost],
  },
};

/** Whether it was accepted before all of it was sent. Outcome, log and task must agree. */
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

/** Imports the files one by one, because a batch would pause after a few that end badly. */
async function importEach(window: ImportWindow): Promise<readonly TrackedTask[]> {
  for (let run = 0; run < RUNS; run++) {
    const sizeBytes = SIZES[run % SIZES.length] ?? 1;
    // A few bad ends in a row pause the queue for the user.
    await window.queue.tryNow();
    await window.import(await window.check(`${run}.txt`, Buffer.alloc(sizeBytes, 'words ')));
    // After a 401 the import waits for another access key.
    await window.queue.cancel();
  }
  return window.stored;
}

function race(deed: Race['deed']): Script {
  return (peer, count) => atBodyByte(byteOf(count, SIZES[(count - 1) % SIZES.length] ?? 1), deed(count))(peer, count);
}

describe('file-task against a service that responds early', () => {
  for (const [what, { deed, ends: allowed }] of Object.entries(races)) {
    it(`with ${what}, at ${RUNS} places of the body, ends as it may and sends each file once`, async () => {
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
});
