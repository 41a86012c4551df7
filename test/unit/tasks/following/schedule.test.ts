import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { type Question, Schedule } from '../../../../src/tasks/following/schedule';
import { seeded } from '../../../kill/random';
import { HandClock } from '../handClock';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const INTERVAL_MS = 100;

const questionOf = (key: number): Question => ({ key, taskId: typedTaskId(`T${key}`, 'string') });

/** A schedule for so many tasks of this age. */
function scheduleOf(count: number, ageMs = 0): { clock: HandClock; schedule: Schedule } {
  const clock = new HandClock(seeded(3));
  const schedule = new Schedule(clock);
  const bornMs = clock.monotonicMs() - ageMs;
  for (let key = 1; key <= count; key++) schedule.set(questionOf(key), { bornMs, changedMs: bornMs });
  return { clock, schedule };
}

/** When the only task is asked about from now on, in seconds; each query is `answered` at once. */
function timesOf(schedule: Schedule, clock: HandClock, count: number): number[] {
  const beganMs = clock.monotonicMs();
  return Array.from({ length: count }, () => {
    clock.advance(schedule.waitMs ?? assert.fail('nothing is due'));
    schedule.asked(schedule.next() ?? assert.fail('not due'), 'responded');
    return Math.round((clock.monotonicMs() - beganMs) / SECOND);
  });
}

/** Asks all that is due now, one after another; returns the keys. */
function askDue(schedule: Schedule, most = Number.POSITIVE_INFINITY): number[] {
  const keys: number[] = [];
  for (let question = schedule.next(); question !== undefined; question = schedule.next()) {
    keys.push(question.key);
    schedule.asked(question, 'responded');
    if (keys.length >= most) break;
  }
  return keys;
}

describe('The schedule of a destination', () => {
  it('asks about a new task after 2 s, then in intervals that grow with the root of its age', () => {
    const { schedule, clock } = scheduleOf(1);
    assert.deepEqual(timesOf(schedule, clock, 8), [2, 4, 6, 8, 11, 15, 19, 23]);
  });

  it('lets no more than 60 s pass, however old a task is that still changes', () => {
    const { schedule, clock } = scheduleOf(1, 10 * HOUR);
    assert.deepEqual(timesOf(schedule, clock, 3), [0, 60, 120]);
  });

  it('asks hourly after a day without a change, never gives up, and is back with the first change', () => {
    const { schedule, clock } = scheduleOf(1, 30 * DAY);
    assert.deepEqual(timesOf(schedule, clock, 3), [0, 3600, 7200]);
    const nowMs = clock.monotonicMs();
    schedule.set(questionOf(1), { bornMs: nowMs - 30 * DAY, changedMs: nowMs });
    assert.deepEqual(timesOf(schedule, clock, 2), [60, 120]);
  });

  it('leaves a task alone after a failed query, ever longer up to an hour, unless what failed may be mended', () => {
    const { schedule, clock } = scheduleOf(1);
    clock.advance(2 * SECOND);
    const waits = Array.from({ length: 6 }, () => {
      schedule.asked(schedule.next() ?? assert.fail(), 'failed');
      const { waitMs = 0 } = schedule;
      clock.advance(waitMs);
      return waitMs / SECOND;
    });
    assert.deepEqual(waits, [30, 120, 480, 1920, 3600, 3600]);
    schedule.asked(schedule.next() ?? assert.fail(), 'failed');
    clock.advance(SECOND);
    schedule.retryFailed();
    assert.equal(schedule.next()?.key, 1);
  });

  it('asks again about a query that was not sent, as if it had not been tried', () => {
    const { schedule, clock } = scheduleOf(1);
    clock.advance(2 * SECOND);
    const question = schedule.next() ?? assert.fail();
    assert.equal(schedule.next(), undefined, 'asked twice at once');
    schedule.asked(question, 'dropped');
    assert.deepEqual(schedule.next(), question);
  });

  it('takes a query of a person for one of its own', () => {
    const { schedule, clock } = scheduleOf(1, HOUR);
    schedule.asked(questionOf(1), 'responded');
    assert.equal(schedule.waitMs, 60 * SECOND);
    assert.deepEqual(schedule.nextCheck(questionOf(1), INTERVAL_MS), { inMs: 60 * SECOND, isLatest: false });
    clock.advance(20 * SECOND);
    assert.deepEqual(schedule.nextCheck(questionOf(1), INTERVAL_MS), { inMs: 40 * SECOND, isLatest: false });
  });

  it('asks no more about a task that ended or went, while it was asked about or not', () => {
    const { schedule } = scheduleOf(4, HOUR);
    const asking = [schedule.next() ?? assert.fail(), schedule.next() ?? assert.fail()];
    const waiting = [1, 2, 3, 4].filter((key) => !asking.some((question) => question.key === key)).map(questionOf);
    schedule.end(asking[0] ?? assert.fail());
    schedule.remove(asking[1] ?? assert.fail());
    schedule.end(waiting[0] ?? assert.fail());
    schedule.remove(waiting[1] ?? assert.fail());
    for (const question of asking) schedule.asked(question, 'responded');
    assert.deepEqual([schedule.size, schedule.waitMs, schedule.next()], [0, undefined, undefined]);
    assert.equal(schedule.nextCheck(questionOf(1), INTERVAL_MS), undefined);
  });

  it('looks again 10 s after the first report of a failure, ahead of all others', () => {
    const { schedule, clock } = scheduleOf(1000, HOUR);
    const question = schedule.next() ?? assert.fail();
    schedule.set(question, { bornMs: 0, changedMs: clock.monotonicMs(), isUnverified: true });
    schedule.asked(question, 'responded');
    clock.advance(10 * SECOND - 1);
    assert.notEqual(schedule.next()?.key, question.key);
    clock.advance(1);
    assert.equal(schedule.next()?.key, question.key);
  });

  it('asks about each of many within one interval where the budget allows it, and about none twice', () => {
    const { schedule, clock } = scheduleOf(300, HOUR);
    clock.advance(2 * SECOND);
    const keys = askDue(schedule);
    assert.deepEqual([keys.length, new Set(keys).size, schedule.next()], [300, 300, undefined]);
  });

  it('tells of a task among many when it is checked at the latest', () => {
    const { schedule } = scheduleOf(3000, HOUR);
    assert.deepEqual(schedule.nextCheck(questionOf(1), INTERVAL_MS), { inMs: 300 * SECOND, isLatest: true });
  });

  it('keeps up with tasks that end one after another, the oldest first', () => {
    const { ends, queries } = followed(2000, (key) => 1000 * SECOND + key * 200);
    // These ends take 180 s, in which 1800 queries are sent.
    assert.ok(ends === 900 && queries < 1.1 * 1800, `${queries} queries`);
  });

  it('asks all in turn, but for one query of three, where the oldest never end', () => {
    const { ends, queries } = followed(2000, (key) => (key <= 1000 ? Number.POSITIVE_INFINITY : 0), 900);
    assert.ok(ends === 900 && queries <= 1.5 * 1900, `${queries} queries`);
  });

  /** Asks ten times a second about tasks that end at these times, until 900 ends are known. */
  function followed(count: number, endedAt: (key: number) => number, wanted = 900) {
    const clock = new HandClock(seeded(3));
    const schedule = new Schedule(clock);
    for (let key = 1; key <= count; key++) schedule.set(questionOf(key), { bornMs: key, changedMs: key });
    clock.advance(1000 * SECOND);
    let [ends, queries] = [0, 0];
    while (ends < wanted) {
      clock.advance(100);
      const question = schedule.next();
      if (question === undefined) continue;
      queries += 1;
      if (endedAt(question.key) > clock.monotonicMs()) schedule.asked(question, 'responded');
      else {
        ends += 1;
        schedule.end(question);
      }
    }
    return { ends, queries };
  }
});
