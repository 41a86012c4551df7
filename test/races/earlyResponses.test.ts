import assert from 'node:assert/strict';
import { ImportWindow } from '../unit/faults/importWindow';
import { type Action, atBodyByte, ends, resets, sends, staysSilent } from '../unit/faults/script';
import type { Script } from '../unit/service/rawServer';
import { accepted, response } from '../unit/service/responses';

const RUNS = 50;
const KIB = 1024;
const SIZES = [1, 20, 63, 65, 300, 1024, 2500, 6000].map((kib) => kib * KIB);

const lost = /^unconfirmed: ConnectionLostError (?:reset|truncated)$/;
const tooLarge = response('413 Content Too Large', 'at most 1 KiB', 'Connection: close');
const badKey = response('401 Unauthorized', '{"code":"K-1","message":"no","data":null}', 'Connection: close');
const accepting = (count: number) => response('200 OK', accepted(count));

/** How many bytes of the body the service reads in a given run before it responds. */
function byteOf(run: number, sizeBytes: number): number {
  return run % 10 === 0 ? 0 : 1 + ((run * 7919 * 31) % sizeBytes);
}

interface Race {
  /** What the service does once it has read the body up to the chosen byte. */
  readonly action: (count: number) => Action;
  /** The acceptable results for an import. */
  readonly ends: readonly RegExp[];
}

const races: Record<string, Race> = {
  'an early 413 from a service that reads the rest': {
    action: () => sends(tooLarge),
    ends: [/^rejected: rejected: 413: at most 1 KiB$/],
  },
  'an early 413 from a service that closes the connection': {
    action: () => async (peer) => peer.end(tooLarge),
    ends: [/^rejected: rejected: 413: at most 1 KiB$/, lost],
  },
  'an early 413 from a service that resets the connection': {
    action: () => sends(tooLarge, resets),
    ends: [/^rejected: rejected: 413: at most 1 KiB$/, lost],
  },
  'an early 401 from a service that reads the rest': {
    action: () => sends(badKey),
    ends: [/^badKey: rejected: 401, code K-1: no$/],
  },
  'an early 401 from a service that resets the connection': {
    action: () => sends(badKey, resets),
    ends: [/^badKey: rejected: 401, code K-1: no$/, lost],
  },
  'an early 100 and 200 from a service that reads the rest': {
    action: (count) => sends('HTTP/1.1 100 Continue\r\n\r\n', sends(accepting(count))),
    ends: [/^accepted$/],
  },
  'an early 302 from a service that reads the rest': {
    action: () => sends(response('302 Found', '', 'Location: https://elsewhere.invalid/')),
    ends: [/^unconfirmed: BadResponseError redirect$/],
  },
  'an early 200 from a service that reads the rest': {
    action: (count) => sends(accepting(count)),
    ends: [/^accepted$/],
  },
  'an early 200 from a service that resets the connection': {
    action: (count) => sends(accepting(count), resets),
    ends: [/^accepted$/, lost],
  },
  'a reset': { action: () => resets, ends: [lost] },
  'a half-closed connection': {
    action: () => async (peer) => {
      await ends(peer);
      await staysSilent(peer);
    },
    ends: [lost],
  },
};

/**
 * Imports files one by one, because a batch would be paused after a few failures. Returns the result of each import.
 */
async function importEach(window: ImportWindow): Promise<readonly string[]> {
  const ends: string[] = [];
  const { serving } = window.tasks;
  for (let run = 0; run < RUNS; run++) {
    const sizeBytes = SIZES[run % SIZES.length] ?? 1;
    // End any pause caused by earlier failures.
    await serving.tryNow(serving.destinations.map(({ id }) => id));
    await window.import({ [`${run}.txt`]: Buffer.alloc(sizeBytes, 'words ') });
    ends.push(await window.end(`${run}.txt`));
    // After a 401, the import would otherwise stay queued.
    await serving.cancel({});
  }
  return ends;
}

function race(action: Race['action']): Script {
  return (peer, count) => atBodyByte(byteOf(count, SIZES[(count - 1) % SIZES.length] ?? 1), action(count))(peer, count);
}

describe('An upload', () => {
  for (const [what, { action, ends: allowed }] of Object.entries(races)) {
    it(`that encounters ${what} is sent only once and gets the right result, no matter how much of the body has been sent`, async () => {
      await using window = await ImportWindow.open({ script: race(action) });
      for (const end of await importEach(window))
        assert.ok(
          allowed.some((pattern) => pattern.test(end)),
          end,
        );
      for (const { state, import: last } of await window.rows())
        if (state === 'unconfirmed') assert.ok(last.sentBytes > 0);
      assert.equal(window.posts, RUNS);
    });
  }
});
