import assert from 'node:assert/strict';
import {
  CanceledError,
  ConnectError,
  ConnectionLostError,
  SourceError,
  UnexpectedError,
} from '../../../../src/service/errors';
import type { Outcome } from '../../../../src/service/response/outcome';
import { Gate } from '../../../../src/tasks/serving/gate';
import { HandClock } from '../handClock';

const lost: Outcome<never> = {
  kind: 'unconfirmed',
  cause: new ConnectionLostError('reset', 'a.example'),
  sentBytes: 1,
  totalBytes: 2,
};
const unreachable: Outcome<never> = {
  kind: 'notSent',
  cause: new ConnectError('refused', 'a.example', { cause: 'x' }),
};
const accepted: Outcome<undefined> = {
  kind: 'accepted',
  response: { envelope: {}, deviations: [] },
  value: undefined,
};

interface Rejection {
  readonly status?: number;
  readonly badKey?: boolean;
  readonly tryLater?: boolean;
  readonly retryAfterMs?: number;
}

function rejected({ status = 400, ...facts }: Rejection = {}): Outcome<never> {
  return {
    kind: 'rejected',
    refusal: { by: 'status', status, excerpt: '' },
    badKey: false,
    tryLater: false,
    ...facts,
  };
}

/** A gate for 8 imports at once, whose clock stands still until the test moves it on. */
function made(random?: () => number) {
  const clock = new HandClock(random);
  const gate = new Gate(clock, () => 8);
  return {
    clock,
    gate,
    record: (outcome: Outcome<unknown>, round = gate.round) => gate.record(round, outcome, 1),
    endPause: () => clock.advance(gate.pauseMs),
    /** How many imports may begin where none is under way. */
    room: () => gate.room([]),
  };
}

describe('The gate of a destination', () => {
  it('lets one import through until one was accepted, then as many as are allowed', () => {
    const { gate, record, room } = made();
    assert.deepEqual([room(), gate.room([{ round: gate.round }])], [1, 0]);
    record(accepted);
    assert.deepEqual([room(), gate.room([{ round: gate.round }])], [8, 7]);
  });

  it('pauses where a destination cannot be reached, tries one then, and goes on with its success', () => {
    const { gate, record, room, endPause } = made();
    record(accepted);
    assert.equal(record(unreachable), true, 'the import is queued again');
    assert.deepEqual([room(), gate.pause?.reason.kind], [0, 'unreachable']);
    endPause();
    assert.deepEqual([room(), gate.room([{ round: gate.round }])], [1, 0]);
    record(accepted);
    assert.deepEqual([room() > 1, gate.pause], [true, undefined]);
  });

  it('tries ever less often, at most a minute apart, for as long as it takes', () => {
    const { gate, record, endPause } = made(() => 1);
    const pauses = Array.from({ length: 12 }, () => {
      assert.equal(record(unreachable), true);
      const { pauseMs } = gate;
      endPause();
      return pauseMs;
    });
    record(accepted);
    record(unreachable);
    assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 16_000, 32_000, ...Array(6).fill(60_000)]);
    assert.equal(gate.pauseMs, 1000);
  });

  it('counts incidents and not casualties: what began before a pause is neither another failure nor a success', () => {
    const { gate, record, endPause } = made();
    record(accepted);
    const { round } = gate;
    for (let casualty = 0; casualty < 8; casualty++) record(lost, round);
    assert.equal(gate.pauseMs, 750);
    record(accepted, round);
    assert.equal(gate.pause?.reason.kind, 'unconfirmed');
    endPause();
    record(accepted);
    record(lost, round);
    assert.equal(gate.pauseMs, 750, 'once it is over, any failure counts');
  });

  it('waits for Try Now after the second 407 of a proxy in a row, because wrong passwords lock accounts', () => {
    const { gate, record, endPause, room } = made();
    const cause = new ConnectError('proxyLogin', 'proxy.example:3128', { cause: 'x' });
    record({ kind: 'notSent', cause });
    assert.ok(Number.isFinite(gate.pauseMs));
    endPause();
    record({ kind: 'notSent', cause });
    assert.equal(gate.pauseMs, Number.POSITIVE_INFINITY);
    gate.tryNow();
    assert.equal(room(), 1);
  });

  it('lets status checks wait for Try Now too after the second 407, and for a check that the user wants', () => {
    const { gate, clock } = made();
    const login = {
      kind: 'notSent',
      cause: new ConnectError('proxyLogin', 'proxy.example:3128', { cause: 'x' }),
    } as const;
    const query = (outcome: Outcome<unknown>) => gate.recordQuery(gate.queryRound, 1, outcome);
    query(login);
    assert.ok(gate.queryPauseMs > 0 && Number.isFinite(gate.queryPauseMs));
    clock.advance(gate.queryPauseMs);
    query(login);
    assert.deepEqual([gate.queryPauseMs, gate.pauseMs], [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    gate.probe();
    assert.equal(gate.queryPauseMs, 0);
    query(login);
    assert.equal(gate.queryPauseMs, Number.POSITIVE_INFINITY);
    gate.tryNow();
    assert.equal(gate.queryPauseMs, 0);
    query(accepted);
    query(login);
    assert.ok(Number.isFinite(gate.queryPauseMs));
  });

  it('waits for a person after three unconfirmed imports in a row, and asks again after one more', () => {
    const { gate, record, endPause, room } = made();
    for (let count = 1; count <= 3; count++) {
      assert.notEqual(gate.pauseMs, Number.POSITIVE_INFINITY);
      endPause();
      assert.equal(record(lost), false, 'the import has ended');
    }
    assert.deepEqual([gate.pauseMs, gate.pause?.untilMs, room()], [Number.POSITIVE_INFINITY, gate.pauseMs, 0]);
    gate.tryNow();
    assert.equal(room(), 1);
    record(lost);
    assert.equal(gate.pauseMs, Number.POSITIVE_INFINITY);
    gate.tryNow();
    record(accepted);
    record(lost);
    assert.equal(gate.pauseMs, 750);
  });

  it('queues an import again and waits for a new access key if the key is rejected', () => {
    const { gate, record } = made();
    assert.equal(record(rejected({ badKey: true, status: 401 })), true);
    assert.deepEqual([gate.pauseMs, gate.pause?.reason.kind], [Number.POSITIVE_INFINITY, 'badKey']);
  });

  describe('after a 403', () => {
    const forbidden = rejected({ status: 403 });

    it('queues the import again and tries another one alone', () => {
      const { gate, record, room } = made();
      record(accepted);
      assert.equal(record(forbidden), true);
      assert.deepEqual([gate.pause, room(), gate.room([{ round: gate.round }])], [undefined, 1, 0]);
    });

    it('goes on if the other one is accepted', () => {
      const { gate, record, room } = made();
      record(forbidden);
      record(accepted);
      assert.deepEqual([gate.pause, room() > 1], [undefined, true]);
    });

    it('waits for a new access key if the other one gets a 403, too', () => {
      const { gate, record } = made();
      record(accepted);
      record(forbidden);
      assert.equal(record(forbidden), true);
      assert.deepEqual([gate.pauseMs, gate.pause?.reason.kind], [Number.POSITIVE_INFINITY, 'badKey']);
    });

    it('counts requests in flight once: the same cause hit all of them', () => {
      const { gate, record } = made();
      record(accepted);
      const { round } = gate;
      for (let count = 0; count < 4; count++) assert.equal(record(forbidden, round), true);
      assert.equal(gate.pause, undefined);
    });

    it('rejects the import if there is no other one to try', () => {
      const { gate } = made();
      assert.equal(gate.record(gate.round, forbidden, 1, false), false);
      assert.equal(gate.pause, undefined);
    });
  });

  describe('after rejections', () => {
    const why = ({ pause }: Gate) => pause?.reason.kind;
    const rejections = (record: (outcome: Outcome<unknown>) => boolean, ...statuses: number[]) => {
      for (const status of statuses) assert.equal(record(rejected({ status })), false);
    };

    for (const isAccepting of [false, true]) {
      it(`waits for the user after three in a row with the same code ${isAccepting ? 'in a dataset that has accepted files' : 'in a new dataset'}`, () => {
        const { gate, record, room } = made();
        if (isAccepting) record(accepted);
        rejections(record, 400, 422, 422);
        assert.equal(why(gate), undefined);
        rejections(record, 422);
        assert.deepEqual([why(gate), gate.pauseMs, room()], ['rejections', Number.POSITIVE_INFINITY, 0]);
      });
    }

    it('counts from the start after an acceptance', () => {
      const { gate, record } = made();
      for (let count = 0; count < 4; count++) {
        rejections(record, 422, 422);
        record(accepted);
      }
      assert.equal(why(gate), undefined);
    });

    it('ignores requests that were in flight when the pause began', () => {
      const { gate, record } = made();
      record(accepted);
      const { round } = gate;
      rejections(record, 422, 422, 422);
      for (let count = 0; count < 5; count++) record(rejected({ status: 422 }), round);
      assert.equal(why(gate), 'rejections');
      gate.reset();
      rejections(record, 422, 422);
      assert.equal(why(gate), undefined);
    });

    it('ignores that code, and only that one, after the user continued anyway', () => {
      const { gate, record } = made();
      rejections(record, 422, 422, 422);
      gate.tryNow();
      rejections(record, 422, 422, 422, 422);
      assert.equal(why(gate), undefined);
      rejections(record, 400, 400, 400);
      assert.equal(why(gate), 'rejections');
    });

    it('counts that code again after something was accepted', () => {
      const { gate, record } = made();
      rejections(record, 422, 422, 422);
      gate.tryNow();
      record(accepted);
      rejections(record, 422, 422, 422);
      assert.equal(why(gate), 'rejections');
    });
  });

  it('waits as long as the service asks, also where that comes late, and queues what it did not accept again', () => {
    const { gate, record } = made();
    const { round } = gate;
    assert.equal(record(rejected({ tryLater: true, retryAfterMs: 5000 }), round), true);
    record(rejected({ tryLater: true, retryAfterMs: 60_000 }), round);
    assert.deepEqual([gate.pauseMs, gate.pause?.reason.kind], [60_000, 'busy']);
  });

  it('keeps to what the service asked for where more is to be imported, and not where a person wants to try now', () => {
    const { gate, record } = made();
    record(rejected({ tryLater: true, retryAfterMs: 7000 }));
    gate.retry();
    assert.equal(gate.pauseMs, 7000);
    gate.tryNow();
    assert.equal(gate.pauseMs, 0);
  });

  it('lets others begin beside one that has been sending for a while, and still counts its failure', () => {
    const { gate, record, endPause } = made(() => 1);
    record(accepted);
    gate.record(gate.round, lost, 8);
    endPause();
    const underWay = [{ round: gate.round }];
    assert.equal(gate.room(underWay), 0);
    gate.endProbe();
    assert.ok(gate.room(underWay) > 0);
    record(lost);
    assert.equal(gate.pauseMs, 2000);
  });

  it('sends half as many at once after a pause, and more with each success', () => {
    const { gate, record, endPause, room } = made();
    record(accepted);
    gate.record(gate.round, unreachable, 8);
    endPause();
    record(accepted);
    assert.equal(room(), 4);
    for (let count = 0; count < 4; count++) record(accepted);
    assert.equal(room(), 5);
  });

  it('starts anew for another service, access key or request', () => {
    const { gate, record, room } = made();
    record(rejected({ badKey: true, status: 401 }));
    gate.reset();
    assert.deepEqual([gate.pause, gate.pauseMs, room()], [undefined, 0, 1]);
  });

  it('waits for a person after three unconfirmed imports in a row, however many queries fail beside them', () => {
    const { gate, record, endPause } = made();
    for (let count = 1; count <= 3; count++) {
      const { round } = gate;
      for (const key of [1, 2, 3]) gate.recordQuery(gate.queryRound, key, lost);
      record(lost, round);
      if (count < 3) endPause();
    }
    assert.deepEqual([gate.pauseMs, gate.pause?.reason.kind], [Number.POSITIVE_INFINITY, 'unconfirmed']);
    gate.recordQuery(gate.queryRound, 1, unreachable);
    gate.recordQuery(gate.queryRound, 1, accepted);
    assert.equal(gate.pauseMs, Number.POSITIVE_INFINITY);
  });

  it('lets imports go one at a time after a pause that queries began, which an import from before does not end', () => {
    const { gate, record, room, endPause } = made();
    record(accepted);
    const underWay = { round: gate.round };
    gate.recordQuery(gate.queryRound, 1, rejected({ tryLater: true, retryAfterMs: 7000 }));
    assert.equal(gate.queriesAtOnce, 1);
    record(accepted, underWay.round);
    assert.deepEqual([gate.pauseMs, gate.queryPauseMs, gate.pause?.reason.kind], [7000, 7000, 'checks']);
    endPause();
    assert.deepEqual([room(), gate.room([underWay])], [1, 0]);
    record(accepted);
    assert.deepEqual([room(), gate.pause], [8, undefined]);
  });

  it('goes on with each import that is accepted, however many queries fail beside them', () => {
    const { gate, record, room } = made();
    for (let count = 0; count < 5; count++) {
      for (const key of [1, 2, 3]) gate.recordQuery(gate.queryRound, key, lost);
      assert.deepEqual([room(), gate.pause?.reason.kind], [0, 'checks']);
      record(accepted);
      assert.deepEqual([room(), gate.pause], [8, undefined]);
    }
  });

  it('goes on where a query shows that the service can be reached again', () => {
    const { gate, record } = made();
    record(unreachable);
    const before = gate.queryRound - 1;
    gate.recordQuery(before, 1, accepted);
    assert.equal(gate.pauseMs, 750, 'that query began before the pause');
    gate.recordQuery(gate.queryRound, 1, accepted);
    assert.equal(gate.pauseMs, 0);
  });

  it('checks tasks ever less often while a rejected access key waits for a person', () => {
    const { clock, gate, record } = made();
    record(rejected({ badKey: true, status: 401 }));
    const waits = Array.from({ length: 8 }, () => {
      gate.recordQuery(gate.queryRound, 1, rejected({ badKey: true, status: 401 }));
      const waitMs = gate.queryPauseMs;
      clock.advance(waitMs);
      return waitMs;
    });
    assert.ok(
      waits.every((waitMs, index) => waitMs >= (waits[index - 1] ?? 0)) && (waits[7] ?? 0) > 30_000,
      `${waits}`,
    );
    assert.equal(gate.pauseMs, Number.POSITIVE_INFINITY);
  });

  it('has a reason for each pause, also where a query that began before asks for it', () => {
    const { gate, record } = made();
    record(accepted);
    const round = gate.queryRound;
    gate.recordQuery(round, 1, rejected({ tryLater: true }));
    record(accepted);
    assert.deepEqual([gate.pause], [undefined]);
    gate.recordQuery(round, 2, rejected({ tryLater: true, retryAfterMs: 1_800_000 }));
    assert.deepEqual([gate.pauseMs, gate.pause?.reason.kind], [1_800_000, 'checks']);
  });

  it('counts nothing that began with another service, access key or request', () => {
    const { gate, record, room } = made();
    record(accepted);
    const { round, queryRound } = gate;
    gate.reset();
    assert.equal(record(rejected({ badKey: true, status: 401 }), round), true, 'the import is queued again');
    record(lost, round);
    record(rejected({ tryLater: true, retryAfterMs: 60_000 }), round);
    gate.recordQuery(queryRound, 1, rejected({ tryLater: true, retryAfterMs: 60_000 }));
    record(accepted, round);
    assert.deepEqual([gate.pause, gate.pauseMs, room()], [undefined, 0, 1]);
  });

  it('never gives up on our own store, nor on a dataset whose key cannot be read', () => {
    const { gate, room, endPause } = made();
    for (let count = 0; count < 20; count++) {
      gate.storeFailed(gate.round, 1);
      assert.equal(room(), 0);
      endPause();
      assert.equal(room(), 1);
    }
    gate.targetMissing(gate.round, 'no key ring');
    assert.deepEqual(gate.pause, {
      reason: { kind: 'noTarget', detail: 'no key ring' },
      untilMs: Number.POSITIVE_INFINITY,
    });
  });

  it('goes on after what was wrong with one import alone', () => {
    const notSent = (cause: Extract<Outcome<never>, { kind: 'notSent' }>['cause']) =>
      ({ kind: 'notSent', cause }) as const;
    const own: Outcome<unknown>[] = [
      rejected(),
      notSent(new SourceError('missing', 'a.txt')),
      notSent(new CanceledError()),
      notSent(new UnexpectedError({ cause: 'x' })),
      { ...lost, cause: new CanceledError() },
      { ...lost, cause: new SourceError('changed', 'a.txt') },
    ];
    for (const outcome of own) {
      const { gate, record } = made();
      assert.equal(record(outcome), false);
      assert.equal(gate.pause, undefined);
    }
  });
});
