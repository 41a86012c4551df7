import assert from 'node:assert/strict';
import { CanceledError, SourceError, UnexpectedError } from '../../../../src/service/errors';
import type { Outcome } from '../../../../src/service/response/outcome';
import { Gate } from '../../../../src/tasks/sending/gate';
import { causeOf } from '../../../../src/tasks/sending/importEnd';
import { fc } from '../../seededFastCheck';
import { HandClock } from '../handClock';
import { accepted, badResponse, connectError, lostConnection, notUploaded, rejected, unconfirmed } from '../outcomes';

const HOUR_MS = 3_600_000;
const FOREVER = Number.POSITIVE_INFINITY;

const lost = unconfirmed(lostConnection('reset'));
const refused = connectError('refused');
const proxyLogin = connectError('proxyLogin');
const busy = (retryAfterMs?: number) =>
  rejected(429, { tryLater: true, ...(retryAfterMs !== undefined && { retryAfterMs }) });
const badKey = rejected(401, { badKey: true });
const forbidden = rejected(403);

/** A gate that allows 8 imports at once, with a clock that the test advances. */
function newGate(facts: { readonly random?: () => number; readonly brake?: number; readonly allowed?: number } = {}) {
  const clock = new HandClock(facts.random);
  const { brake = 0, allowed = 8 } = facts;
  const gate = new Gate(clock, () => allowed);
  gate.reset(brake);
  let last = 0;
  const begin = (id = ++last) => {
    gate.begin(id);
    return id;
  };
  return {
    clock,
    gate,
    begin,
    /** Starts an import and ends it with the given outcome. */
    send: (outcome: Outcome<unknown>, hasOther = true) => gate.end(begin(), outcome, hasOther),
    check: (outcome: Outcome<unknown>, task: unknown = 1) => gate.endCheck(gate.beginCheck(), task, outcome),
    skipPause: () => clock.advance(gate.waitMs),
    pauseReason: () => gate.pause?.reason,
  };
}

/** A gate that is open because an import was accepted. */
function openGate(facts?: Parameters<typeof newGate>[0]) {
  const parts = newGate(facts);
  parts.send(accepted);
  return parts;
}

describe('The gate', () => {
  it('allows one import at a time until the service accepts one, and then as many as the settings allow', () => {
    const { gate, begin, send } = newGate();
    assert.deepEqual([gate.state, gate.room(false)], ['probing', 1]);
    send(rejected(400));
    assert.deepEqual([gate.state, gate.room(false)], ['probing', 1]);
    const id = begin();
    assert.deepEqual([gate.room(false), gate.room(true)], [0, 0]);
    assert.equal(gate.end(id, accepted, true), 'final');
    assert.deepEqual([gate.state, gate.room(false)], ['open', 8]);
    begin();
    assert.equal(gate.room(false), 7);
  });

  it('gives a single-file import one extra slot, and allows one import even if the concurrency setting is 0', () => {
    const { gate, begin } = openGate({ allowed: 2 });
    begin();
    begin();
    assert.deepEqual([gate.room(false), gate.room(true)], [0, 1]);
    begin();
    assert.equal(gate.room(true), 0);
    assert.equal(openGate({ allowed: 0 }).gate.room(false), 1);
  });

  it('allows another import if the first one ended without an outcome', () => {
    const { gate, begin } = newGate();
    gate.drop(begin());
    assert.equal(gate.room(false), 1);
  });

  it('halves its concurrency after a pause, and gradually raises it again with each accepted import', () => {
    const { gate, begin, send, skipPause } = openGate();
    const ids = Array.from({ length: 8 }, () => begin());
    for (const id of ids) gate.end(id, refused, true);
    skipPause();
    send(accepted);
    assert.equal(gate.room(false), 4);
    for (let count = 0; count < 4; count++) send(accepted);
    assert.equal(gate.room(false), 5);
    for (let count = 0; count < 30; count++) send(accepted);
    assert.equal(gate.room(false), 8);
  });

  it('never exceeds its limits or gets stuck, no matter which events occur', () => {
    const outcomes = [accepted, lost, refused, busy(2000), badKey, forbidden, rejected(422), proxyLogin];
    const event = fc.oneof(
      fc.record({ kind: fc.constant('end' as const), nth: fc.nat(9), outcome: fc.constantFrom(...outcomes) }),
      fc.record({ kind: fc.constant('check' as const), outcome: fc.constantFrom(...outcomes) }),
      fc.record({ kind: fc.constantFrom('begin' as const, 'drop' as const, 'tryNow' as const, 'tryOne' as const) }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(5000) }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), fc.integer({ min: 1, max: 8 }), (events, allowed) => {
        const { gate, clock, begin, send, check } = newGate({ allowed });
        let inFlight: number[] = [];
        const leave = (id: number | undefined, end: (id: number) => void) => {
          if (id === undefined) return;
          inFlight = inFlight.filter((other) => other !== id);
          end(id);
        };
        for (const each of events) {
          if (each.kind === 'begin' && gate.room(true) > 0) inFlight.push(begin());
          else if (each.kind === 'end') leave(inFlight[each.nth], (id) => gate.end(id, each.outcome, true));
          else if (each.kind === 'drop') leave(inFlight[0], (id) => gate.drop(id));
          else if (each.kind === 'check') check(each.outcome);
          else if (each.kind === 'wait') clock.advance(each.ms);
          else if (each.kind === 'tryNow' || each.kind === 'tryOne') gate[each.kind]();
          assert.ok(inFlight.length <= allowed + 1);
          assert.equal(gate.state === 'paused', gate.waitMs > 0);
          assert.ok(gate.waitMs === 0 || (gate.room(true) === 0 && gate.pause !== undefined));
          assert.ok(gate.state !== 'probing' || gate.room(true) <= 1);
        }
        for (const id of inFlight) gate.drop(id);
        gate.tryNow();
        assert.equal(gate.room(false), 1);
        send(accepted);
        assert.deepEqual([gate.state, gate.pause, gate.brake], ['open', undefined, 0]);
      }),
    );
  });
});

describe('When a destination is unreachable, the gate', () => {
  it('requeues the import and pauses, giving the failure as the cause', () => {
    for (const outcome of [refused, connectError('tls'), notUploaded(lostConnection('reset'))]) {
      const { gate, send } = openGate();
      assert.equal(send(outcome), 'putBack');
      assert.deepEqual(gate.pause, { reason: 'unreachable', cause: causeOf(outcome), untilMs: 750 });
      assert.deepEqual([gate.state, gate.room(true)], ['paused', 0]);
    }
  });

  it('sends only one import after the pause, and opens if the service accepts or rejects that import', () => {
    for (const outcome of [accepted, rejected(400)]) {
      const { gate, begin, send, skipPause } = openGate();
      send(refused);
      skipPause();
      assert.deepEqual([gate.state, gate.room(false)], ['probing', 1]);
      const probe = begin();
      assert.deepEqual([gate.room(false), gate.pause?.reason], [0, 'unreachable']);
      gate.end(probe, outcome, true);
      assert.deepEqual([gate.state, gate.pause], ['open', undefined]);
    }
  });

  it('retries with a backoff that grows from 1 second to 1 minute, and resets it after a success', () => {
    const { gate, send, skipPause } = openGate({ random: () => 1 });
    const pauses = Array.from({ length: 9 }, () => {
      send(refused);
      const { waitMs } = gate;
      skipPause();
      return waitMs;
    });
    assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    send(accepted);
    send(refused);
    assert.equal(gate.waitMs, 1000);
  });

  it('pauses for the same amount of time even if the wall clock is set back or forward', () => {
    for (const jumpMs of [-HOUR_MS, HOUR_MS]) {
      const { gate, clock, send } = openGate();
      send(refused);
      clock.jump(jumpMs);
      assert.equal(gate.waitMs, 750);
      clock.advance(750);
      assert.equal(gate.waitMs, 0);
    }
  });

  it('ends the pause early if the user starts another import', () => {
    const { gate, send } = openGate();
    send(refused);
    gate.tryOne();
    assert.deepEqual([gate.state, gate.room(false)], ['probing', 1]);
  });
});

describe('When the service asks us to try again later, the gate', () => {
  it('uses the longest wait if multiple responses arrive at once', () => {
    const { gate, clock, begin } = openGate();
    const ids = [begin(), begin(), begin()] as const;
    gate.end(ids[0], busy(), true);
    clock.advance(100);
    gate.end(ids[1], busy(5000), true);
    gate.end(ids[2], busy(2000), true);
    assert.equal(gate.waitMs, 5000);
    gate.tryOne();
    assert.equal(gate.waitMs, 5000);
  });

  it('waits at least as long as its own backoff, and at most an hour', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.nat(8), (retryAfterMs, failures) => {
        const { gate, send, skipPause } = openGate();
        for (let count = 0; count < failures; count++) {
          send(busy());
          skipPause();
        }
        send(busy(retryAfterMs));
        const backoffMs = Math.min(60_000, 1000 * 2 ** failures) * 0.75;
        assert.equal(gate.waitMs, Math.min(Math.max(retryAfterMs, backoffMs), HOUR_MS));
      }),
      { examples: [[Number.POSITIVE_INFINITY, 0]] },
    );
  });

  it('keeps waiting if the user starts another import, but not if the user clicks Try Now', () => {
    const { gate, send } = openGate();
    send(busy(7000));
    gate.tryOne();
    assert.equal(gate.waitMs, 7000);
    gate.tryNow();
    gate.tryOne();
    assert.deepEqual([gate.waitMs, gate.room(false)], [0, 1]);
  });

  it('waits as long as a 503 response asks, even though the import is unconfirmed', () => {
    const { gate, send } = openGate();
    assert.equal(send(badResponse('serverError', 503, 90_000)), 'final');
    assert.equal(gate.waitMs, 90_000);
  });
});

describe('The gate', () => {
  it('pauses for a second after a lost connection or an invalid response', () => {
    for (const outcome of [lost, badResponse('notJson'), badResponse('serverError')]) {
      const { gate, send, pauseReason } = openGate();
      assert.equal(send(outcome), 'final');
      assert.deepEqual([gate.brake, gate.waitMs, pauseReason()], [1, 1000, 'unconfirmed']);
    }
  });

  it('does not pause if an import is unconfirmed because it was canceled or its file changed', () => {
    const changed = new SourceError('changed', 'a.txt');
    for (const outcome of [unconfirmed(new CanceledError()), unconfirmed(changed)]) {
      const { gate, send } = openGate();
      assert.equal(send(outcome), 'final');
      assert.deepEqual([gate.brake, gate.state, gate.pause], [0, 'open', undefined]);
    }
  });

  it('pauses for 1 second after an unconfirmed import, for 5 seconds after a second one in a row, and until the user clicks Try Now after each further one', () => {
    const { gate, send, skipPause } = openGate();
    const pauses = [1, 2, 3].map(() => {
      skipPause();
      send(lost);
      return gate.waitMs;
    });
    assert.deepEqual(pauses, [1000, 5000, FOREVER]);
    assert.deepEqual([gate.brake, gate.pause?.untilMs, gate.room(true)], [3, FOREVER, 0]);
    gate.tryOne();
    assert.equal(gate.waitMs, FOREVER);
    for (const brake of [4, 5]) {
      gate.tryNow();
      assert.equal(gate.room(false), 1);
      send(lost);
      assert.deepEqual([gate.brake, gate.waitMs], [brake, FOREVER]);
    }
    gate.tryNow();
    send(accepted);
    assert.equal(gate.brake, 0);
  });

  it('does not reset its count of unconfirmed imports after an outage', () => {
    const { gate, send, skipPause } = newGate();
    for (const outcome of [lost, refused, lost, refused, lost]) {
      skipPause();
      send(outcome);
    }
    assert.deepEqual([gate.brake, gate.waitMs], [3, FOREVER]);
  });

  it('continues counting from the stored count of unconfirmed imports after a restart, and starts out paused if it has reached three', () => {
    const counting = newGate({ brake: 1 });
    assert.equal(counting.gate.room(false), 1);
    counting.send(lost);
    assert.deepEqual([counting.gate.brake, counting.gate.waitMs], [2, 5000]);
    for (const brake of [3, 4]) {
      const { gate } = newGate({ brake });
      assert.deepEqual([gate.state, gate.waitMs, gate.brake], ['paused', FOREVER, brake]);
      assert.deepEqual(gate.pause, { reason: 'unconfirmed', cause: null, untilMs: FOREVER });
      gate.tryNow();
      assert.equal(gate.room(false), 1);
    }
  });

  it('counts eight simultaneously lost connections as one incident', () => {
    const { gate, begin } = openGate();
    const ids = Array.from({ length: 8 }, () => begin());
    for (const id of ids) assert.equal(gate.end(id, lost, true), 'final');
    assert.deepEqual([gate.brake, gate.waitMs], [1, 1000]);
  });

  it('ignores imports that were in flight when it paused, even if they end after the pause', () => {
    const { gate, begin, send, skipPause } = openGate();
    const [first, second, third] = [begin(), begin(), begin()];
    gate.end(first, lost, true);
    gate.end(second, accepted, true);
    assert.equal(gate.pause?.reason, 'unconfirmed');
    skipPause();
    send(accepted);
    gate.end(third, lost, true);
    assert.deepEqual([gate.state, gate.brake], ['open', 0]);
  });

  it('allows one import after a pause, even if imports from before the pause are still waiting for responses', () => {
    const { gate, begin, send, skipPause } = openGate({ allowed: 4 });
    for (let count = 0; count < 3; count++) begin();
    send(lost);
    skipPause();
    assert.equal(gate.room(false), 1);
  });
});

describe('When the first import after a pause takes longer than 5 seconds to send, it', () => {
  function sending() {
    const parts = openGate({ random: () => 1 });
    parts.send(refused);
    parts.skipPause();
    const probe = parts.begin();
    assert.equal(parts.gate.sending(probe), false);
    parts.clock.advance(4999);
    assert.deepEqual([parts.gate.sending(probe), parts.gate.room(false)], [false, 0]);
    parts.clock.advance(1);
    assert.equal(parts.gate.sending(probe), true);
    return { ...parts, probe };
  }

  it('opens the gate for other imports', () => {
    const { gate, probe } = sending();
    assert.deepEqual([gate.state, gate.pause, gate.room(false)], ['open', undefined, 1]);
    assert.equal(gate.sending(probe), false);
  });

  it('still pauses the gate with a longer backoff if it fails', () => {
    const { gate, probe } = sending();
    gate.end(probe, refused, true);
    assert.deepEqual([gate.state, gate.waitMs], ['paused', 2000]);
  });

  it('does not count as a second incident if it fails at the same time as another import', () => {
    const { gate, probe, begin } = sending();
    const beside = begin();
    for (const id of [probe, beside]) gate.end(id, lost, true);
    assert.equal(gate.brake, 1);
  });

  it('is timed from its own first byte, not from the first byte of an earlier import', () => {
    const { gate, clock, begin } = newGate();
    const first = begin();
    gate.sending(first);
    clock.advance(4000);
    gate.drop(first);
    const second = begin();
    gate.sending(second);
    clock.advance(4000);
    assert.equal(gate.sending(second), false);
  });
});

describe('When a proxy rejects our credentials, the gate', () => {
  it('stays paused after the second 407 in a row until the user clicks Try Now', () => {
    const { gate, send, skipPause } = openGate();
    assert.equal(send(proxyLogin), 'putBack');
    assert.equal(gate.waitMs, 750);
    skipPause();
    send(proxyLogin);
    assert.deepEqual([gate.waitMs, gate.checkPauseMs], [FOREVER, FOREVER]);
    gate.tryOne();
    assert.deepEqual([gate.waitMs, gate.checkPauseMs], [FOREVER, FOREVER]);
    gate.tryNow();
    assert.deepEqual([gate.waitMs, gate.checkPauseMs], [0, 0]);
    send(proxyLogin);
    assert.equal(gate.waitMs, FOREVER);
  });

  it('counts 407 responses to uploads and to status checks together', () => {
    const { gate, clock, send, check } = openGate();
    check(proxyLogin);
    assert.deepEqual([gate.waitMs, gate.checkPauseMs], [750, 750]);
    clock.advance(750);
    send(proxyLogin);
    assert.deepEqual([gate.waitMs, gate.checkPauseMs], [FOREVER, FOREVER]);
  });

  it('counts simultaneous 407 responses as one', () => {
    const { gate, begin } = openGate();
    const checks = [gate.beginCheck(), gate.beginCheck()];
    gate.end(begin(), proxyLogin, true);
    for (const check of checks) gate.endCheck(check, check, proxyLogin);
    assert.deepEqual([gate.waitMs, gate.checkPauseMs], [750, 750]);
  });

  it('lets the user refresh statuses while uploads stay paused', () => {
    const { gate, clock, send, check } = openGate();
    send(proxyLogin);
    clock.advance(750);
    check(proxyLogin);
    gate.checkNow();
    assert.deepEqual([gate.checkPauseMs, gate.waitMs], [0, FOREVER]);
    check(proxyLogin);
    assert.equal(gate.checkPauseMs, FOREVER);
    gate.checkNow();
    check(accepted);
    assert.deepEqual([gate.checkPauseMs, gate.waitMs], [0, FOREVER]);
  });

  it('resets its count of 407 responses once a request gets through the proxy', () => {
    const { gate, send, check, skipPause } = openGate();
    for (const getThrough of [() => send(lost), () => send(accepted), () => check(accepted)]) {
      send(proxyLogin);
      assert.ok(Number.isFinite(gate.waitMs));
      gate.tryNow();
      getThrough();
      skipPause();
    }
    send(proxyLogin);
    assert.ok(Number.isFinite(gate.waitMs));
  });

  it('never shortens a wait that the service asked for or that only the user can end, and keeps its reason', () => {
    const { gate, send, check, pauseReason } = openGate();
    send(busy(60_000));
    check(proxyLogin);
    gate.fail('store', null);
    assert.deepEqual([gate.waitMs, pauseReason()], [60_000, 'busy']);
    gate.tryOne();
    assert.equal(gate.waitMs, 60_000);
    const other = openGate();
    other.send(badKey);
    other.check(proxyLogin);
    assert.deepEqual([other.gate.waitMs, other.pauseReason()], [FOREVER, 'badKey']);
  });
});

describe('After the access key is rejected, the gate', () => {
  it('requeues the import and pauses until the key is replaced', () => {
    const { gate, send } = openGate();
    assert.equal(send(badKey), 'putBack');
    assert.deepEqual(gate.pause, { reason: 'badKey', cause: causeOf(badKey), untilMs: FOREVER });
    gate.tryOne();
    assert.equal(gate.waitMs, FOREVER);
    gate.reset();
    assert.deepEqual([gate.state, gate.pause, gate.room(false)], ['probing', undefined, 1]);
  });

  it('resumes with a new key, stops imports that were still connecting, and ignores the results of those sent with the old key', () => {
    const { gate, begin } = openGate();
    const ids = Array.from({ length: 7 }, () => begin());
    const check = gate.beginCheck();
    gate.reset();
    assert.ok(!ids.some((id) => gate.maySend(id)));
    const outcomes = [badKey, forbidden, refused, busy(60_000), lost, accepted, rejected(422)];
    const ends = ids.map((id, index) => gate.end(id, outcomes[index] ?? accepted, false));
    gate.endCheck(check, 1, busy(60_000));
    assert.deepEqual(ends, ['putBack', 'putBack', 'putBack', 'putBack', 'final', 'final', 'final']);
    assert.deepEqual([gate.state, gate.brake, gate.room(false), gate.checkPauseMs], ['probing', 0, 1, 0]);
  });
});

describe('After a 403, the gate', () => {
  it('requeues the import and tries another file, and waits for a new access key if that file also gets a 403', () => {
    const { gate, begin, send, pauseReason } = openGate();
    assert.equal(send(forbidden), 'putBack');
    assert.deepEqual([gate.pause, gate.room(true)], [undefined, 1]);
    const other = begin();
    assert.equal(gate.room(true), 0);
    assert.equal(gate.end(other, forbidden, true), 'putBack');
    assert.deepEqual([gate.waitMs, pauseReason()], [FOREVER, 'badKey']);
  });

  it('rejects the file if another file is accepted and this file then gets a second 403', () => {
    const { gate, begin, send } = openGate();
    const first = begin();
    gate.end(first, forbidden, true);
    send(accepted);
    assert.equal(gate.state, 'open');
    begin(first);
    assert.deepEqual([gate.end(first, forbidden, true), gate.state], ['blocked', 'open']);
  });

  it('treats the next 403 as the first one once the same file is accepted', () => {
    const { gate, begin, send } = openGate();
    const first = begin();
    gate.end(first, forbidden, true);
    send(accepted);
    for (const outcome of [accepted, forbidden]) {
      begin(first);
      assert.equal(gate.end(first, outcome, true), outcome === accepted ? 'final' : 'putBack');
    }
  });

  it('rejects the import if there is no other file to try', () => {
    const { gate, send } = openGate();
    assert.deepEqual([send(forbidden, false), gate.pause, gate.state], ['final', undefined, 'open']);
  });

  it('rejects the import if the same file gets another 403 while all other files are in flight', () => {
    const { gate, begin, pauseReason } = openGate();
    begin();
    const blocked = begin();
    assert.equal(gate.end(blocked, forbidden, true), 'putBack');
    begin(blocked);
    assert.deepEqual([gate.end(blocked, forbidden, true), pauseReason()], ['final', undefined]);
  });

  it('tries the import again if the other file got no answer about the key in between', () => {
    const { gate, begin, clock } = newGate();
    const first = begin();
    gate.end(first, forbidden, true);
    assert.equal(gate.end(begin(), busy(2000), true), 'putBack');
    clock.advance(60_000);
    begin(first);
    assert.equal(gate.end(first, forbidden, true), 'putBack');
  });

  it('waits for a new access key if a file that was in flight also gets a 403', () => {
    const { gate, begin, pauseReason } = openGate();
    const [first, second] = [begin(), begin()];
    for (const id of [first, second]) gate.end(id, forbidden, true);
    begin(first);
    assert.deepEqual([gate.end(first, forbidden, true), pauseReason()], ['putBack', 'badKey']);
  });

  it('ignores a 403 for an import that was sent with an earlier access key', () => {
    const { gate, begin, send, pauseReason } = openGate();
    const late = begin();
    gate.reset();
    assert.equal(gate.end(late, forbidden, true), 'putBack');
    assert.deepEqual([send(forbidden), pauseReason()], ['putBack', undefined]);
  });

  it('counts simultaneous 403 responses as one', () => {
    const { gate, begin } = openGate();
    const ids = Array.from({ length: 4 }, () => begin());
    for (const id of ids) assert.equal(gate.end(id, forbidden, id !== ids.at(-1)), 'putBack');
    assert.equal(gate.pause, undefined);
  });

  it('ends an earlier pause, because the service responded, and allows one import at a time, even if another file is rejected for a different reason', () => {
    const { gate, send, skipPause } = openGate();
    send(refused);
    skipPause();
    send(forbidden);
    assert.deepEqual([gate.state, gate.pause], ['probing', undefined]);
    send(rejected(400));
    assert.deepEqual([gate.state, gate.pause], ['probing', undefined]);
  });
});

describe('The gate', () => {
  const rejections = ({ send }: ReturnType<typeof newGate>, ...statuses: number[]) => {
    for (const status of statuses) assert.equal(send(rejected(status)), 'final');
  };

  for (const make of [newGate, openGate]) {
    it(`pauses and asks the user after three rejections in a row with the same code, even if ${make === newGate ? 'no import has been accepted yet' : 'another import was accepted earlier'}`, () => {
      const parts = make();
      rejections(parts, 400, 422, 422);
      assert.equal(parts.pauseReason(), undefined);
      rejections(parts, 422);
      assert.deepEqual([parts.pauseReason(), parts.gate.waitMs, parts.gate.room(true)], ['rejections', FOREVER, 0]);
    });
  }

  it('counts rejections separately for each envelope code and each HTTP status', () => {
    const parts = newGate();
    const coded = (code: string) => rejected(422, { rejection: { by: 'envelope', status: 422, code, message: null } });
    for (const outcome of [coded('1'), coded('1'), coded('422'), coded('422'), rejected(422)]) parts.send(outcome);
    assert.equal(parts.pauseReason(), undefined);
    for (const outcome of [coded('1'), coded('1'), coded('1')]) parts.send(outcome);
    assert.equal(parts.pauseReason(), 'rejections');
  });

  it('resets its count of rejections once an import is accepted', () => {
    const parts = newGate();
    for (let count = 0; count < 4; count++) {
      rejections(parts, 422, 422);
      assert.equal(parts.pauseReason(), undefined);
      parts.send(accepted);
    }
  });

  it('ignores rejections of imports that were in flight when it paused, and sends the rest again after it is reset', () => {
    const parts = openGate();
    const ids = Array.from({ length: 8 }, () => parts.begin());
    const end = (id: number, status = 422) => parts.gate.end(id, rejected(status), true);
    for (const id of ids.splice(0, 5)) assert.equal(end(id), 'final');
    assert.equal(parts.pauseReason(), 'rejections');
    parts.gate.reset();
    assert.deepEqual([end(ids[0] ?? 0), end(ids[1] ?? 0, 400)], ['putBack', 'final']);
    rejections(parts, 422, 422);
    assert.equal(parts.pauseReason(), undefined);
  });

  it('ignores rejections with the same code after the user clicks Continue Anyway until an import is accepted, but still counts those with other codes', () => {
    const parts = openGate();
    rejections(parts, 422, 422, 422);
    parts.gate.tryNow();
    assert.deepEqual([parts.gate.pause, parts.gate.room(true)], [undefined, 1]);
    rejections(parts, 422, 422, 422, 422);
    assert.equal(parts.gate.state, 'open');
    rejections(parts, 400, 400, 400);
    assert.equal(parts.pauseReason(), 'rejections');
    parts.gate.tryNow();
    parts.send(accepted);
    rejections(parts, 400, 400, 400);
    assert.equal(parts.pauseReason(), 'rejections');
  });
});

describe('The gate', () => {
  it('keeps retrying, with pauses, while the task database cannot be written to', () => {
    const { gate, begin, skipPause } = openGate();
    for (let count = 0; count < 20; count++) {
      gate.drop(begin());
      gate.fail('store', null);
      assert.deepEqual([gate.pause?.reason, gate.room(false)], ['store', 0]);
      skipPause();
    }
    assert.equal(gate.room(false), 1);
  });

  it('pauses if the key or dataset is missing, and resumes when the user starts an import', () => {
    const { gate } = openGate();
    const cause = { name: 'NoKey', detail: 'no key ring' };
    gate.fail('noKey', cause);
    assert.deepEqual(gate.pause, { reason: 'noKey', cause, untilMs: FOREVER });
    gate.tryOne();
    assert.equal(gate.room(false), 1);
  });

  it('stays open after an outcome that concerns only one file', () => {
    const own = [
      notUploaded(new SourceError('missing', 'a.txt')),
      notUploaded(new CanceledError()),
      notUploaded(new UnexpectedError({ cause: 'x' })),
      rejected(413),
      rejected(308),
    ];
    for (const outcome of own) {
      const { gate, send } = openGate();
      assert.equal(send(outcome), 'final');
      assert.deepEqual([gate.state, gate.pause], ['open', undefined]);
    }
  });
});

describe('Status checks', () => {
  it('are limited to four at once and ten per second', () => {
    const { gate, clock } = newGate();
    assert.equal(gate.checksAtOnce, 4);
    let sent = 0;
    for (let ms = 0; ms < 1000; ms++) {
      if (gate.checkWaitMs === 0) {
        gate.spendCheck();
        sent += 1;
      }
      clock.advance(1);
    }
    assert.equal(sent, 10);
  });

  it('slow down if the service is busy, and gradually speed up again', () => {
    const { gate, clock, check } = newGate();
    const intervalMs = () => {
      clock.advance(HOUR_MS);
      gate.spendCheck();
      return gate.checkWaitMs;
    };
    check(busy());
    assert.equal(intervalMs(), 200);
    for (let count = 0; count < 20; count++) check(busy());
    assert.equal(intervalMs(), 2000);
    for (let count = 0; count < 200; count++) check(accepted);
    assert.equal(intervalMs(), 100);
  });

  it('pause as long as the service asks or until the user clicks Refresh Status, but imports continue one at a time until one is accepted', () => {
    const { gate, begin, check, send } = openGate();
    check(busy(60_000));
    assert.deepEqual([gate.checkPauseMs, gate.waitMs, gate.pause], [60_000, 0, undefined]);
    const probe = begin();
    assert.deepEqual([gate.state, gate.room(true)], ['probing', 0]);
    gate.end(probe, accepted, true);
    assert.deepEqual([gate.state, gate.checkPauseMs], ['open', 60_000]);
    send(refused);
    assert.equal(gate.checkPauseMs, 60_000);
    gate.tryOne();
    assert.equal(gate.checkPauseMs, 60_000);
    gate.checkNow();
    assert.equal(gate.checkPauseMs, 0);
  });

  it("don't affect the count of unconfirmed imports, whether they succeed or cause a pause", () => {
    const { gate, begin, check, skipPause } = openGate();
    for (let count = 1; count <= 3; count++) {
      const id = begin();
      check(busy());
      gate.end(id, lost, true);
      assert.equal(gate.brake, count);
      if (count < 3) skipPause();
    }
    check(accepted);
    assert.equal(gate.waitMs, FOREVER);
  });

  it('continue while imports are paused', () => {
    for (const outcome of [lost, badKey, busy(60_000), refused]) {
      const { gate, send } = openGate();
      send(outcome);
      assert.deepEqual([gate.checkPauseMs, gate.checksAtOnce], [0, 4]);
    }
  });

  it('pause with backoff while the destination is unreachable, then run one at a time until one gets a response, and resume when the user starts an import', () => {
    const { gate, clock, check } = newGate({ random: () => 1 });
    const waits = [1, 2, 3].map(() => {
      check(refused);
      const { checkPauseMs } = gate;
      clock.advance(checkPauseMs);
      return checkPauseMs;
    });
    assert.deepEqual([waits, gate.checksAtOnce], [[1000, 2000, 4000], 1]);
    check(rejected(404));
    assert.deepEqual([gate.checksAtOnce, gate.checkPauseMs], [4, 0]);
    check(refused);
    assert.equal(gate.checkPauseMs, 1000);
    gate.tryOne();
    assert.equal(gate.checkPauseMs, 0);
  });

  it('pause after just one check if the key is rejected or the service is busy', () => {
    for (const outcome of [badKey, busy(), badResponse('serverError', 503, 1)]) {
      const { gate, check } = newGate();
      check(outcome);
      assert.equal(gate.checkPauseMs, 750);
    }
  });

  it('pause if checks for three different tasks fail in a row, but never because of a single task', () => {
    const { gate, check } = newGate();
    for (let count = 0; count < 10; count++) check(lost, 'a');
    check(lost, 'b');
    check(accepted, 'c');
    check(lost, 'c');
    check(lost, 'a');
    assert.equal(gate.checkPauseMs, 0);
    check(lost, 'b');
    assert.equal(gate.checkPauseMs, 750);
    gate.checkNow();
    check(lost, 'c');
    assert.equal(gate.checkPauseMs, 0);
  });

  it('back off only once after multiple simultaneous failures', () => {
    const { gate, clock } = newGate();
    const checks = [1, 2, 3, 4].map(() => gate.beginCheck());
    for (const check of checks.slice(0, 3)) gate.endCheck(check, check, refused);
    assert.equal(gate.checkPauseMs, 750);
    clock.advance(750);
    gate.endCheck(checks[3] ?? {}, 4, accepted);
    assert.equal(gate.checksAtOnce, 1);
  });

  it('are not paused by checks that are canceled or never sent', () => {
    const { gate, check } = newGate();
    for (const task of [1, 2, 3]) check(unconfirmed(new CanceledError()), task);
    for (const task of [1, 2, 3]) gate.endCheck(gate.beginCheck(), task, undefined);
    assert.deepEqual([gate.checkPauseMs, gate.checksAtOnce], [0, 4]);
  });
});

describe('While status checks are paused, the gate', () => {
  it('allows only one import at a time, without an extra slot, even if an import that started before the pause is accepted', () => {
    const { gate, begin, check } = openGate({ allowed: 1 });
    const before = begin();
    check(busy());
    assert.equal(gate.room(true), 0);
    gate.end(before, accepted, true);
    assert.equal(gate.room(true), 1);
  });
});
