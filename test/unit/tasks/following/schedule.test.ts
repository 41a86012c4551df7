import assert from 'node:assert/strict';
import { type CheckResult, Schedule, type Scheduled } from '../../../../src/tasks/following/schedule';
import { HandClock } from '../handClock';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const INTERVAL_MS = 100;

/** A schedule of tasks that all have the same age. Their keys are "1", "2" and so on. */
function scheduleOf(count: number, ageMs = 0): { clock: HandClock; schedule: Schedule<Scheduled> } {
  const clock = new HandClock();
  const schedule = new Schedule<Scheduled>(clock);
  const queuedMs = clock.monotonicMs() - ageMs;
  const times = { queuedMs, changedMs: queuedMs };
  for (let number = 1; number <= count; number++) schedule.add({ key: `${number}`, ...times, isFailing: false });
  return { clock, schedule };
}

/** Returns the key of the task to check now. */
function due(schedule: Schedule<Scheduled>): string {
  return schedule.next()?.key ?? assert.fail('No task is due.');
}

/**
 * Checks the only task `count` times, always with the same result. Returns how many seconds after the call each check
 * was made.
 */
function timesOf(
  { schedule, clock }: ReturnType<typeof scheduleOf>,
  count: number,
  result: CheckResult = 'unfinished',
): number[] {
  const startMs = clock.monotonicMs();
  return Array.from({ length: count }, () => {
    clock.advance(schedule.waitMs ?? assert.fail('There is no task.'));
    schedule.done(due(schedule), result);
    return Math.round((clock.monotonicMs() - startMs) / SECOND);
  });
}

/** Checks all tasks that are due now. Returns their keys. */
function checkDue(schedule: Schedule<Scheduled>): string[] {
  const keys: string[] = [];
  for (let task = schedule.next(); task !== undefined; task = schedule.next()) {
    keys.push(task.key);
    schedule.done(task.key, 'unfinished');
  }
  return keys;
}

describe('The status check scheduler', () => {
  it('checks a new task after 2 s, and then at intervals that grow with the square root of its age', () => {
    assert.deepEqual(timesOf(scheduleOf(1), 8), [2, 4, 6, 8, 11, 15, 19, 23]);
  });

  it('checks a task at least once a minute, even after ten hours without a change', () => {
    assert.deepEqual(timesOf(scheduleOf(1, 10 * HOUR), 3), [0, 60, 120]);
  });

  it('checks a task only once an hour if it has not changed for a day', () => {
    const { schedule, clock } = scheduleOf(1, 30 * DAY);
    assert.deepEqual(timesOf({ schedule, clock }, 3), [0, 3600, 7200]);
    const nowMs = clock.monotonicMs();
    schedule.add({ key: '1', queuedMs: nowMs - 30 * DAY, changedMs: nowMs, isFailing: false });
    assert.deepEqual(timesOf({ schedule, clock }, 2), [60, 120]);
  });

  it('checks a task less and less often while its checks fail, but at least once an hour', () => {
    assert.deepEqual(timesOf(scheduleOf(1), 7, 'failed'), [2, 32, 152, 632, 2552, 6152, 9752]);
  });

  it('retries failed checks right away after retryFailed is called', () => {
    const { schedule, clock } = scheduleOf(1);
    timesOf({ schedule, clock }, 5, 'failed');
    schedule.retryFailed();
    assert.equal(due(schedule), '1');
  });

  it('checks a task as usual again once another window has found out more about it', () => {
    const { schedule, clock } = scheduleOf(1);
    timesOf({ schedule, clock }, 5, 'failed');
    clock.advance(60 * SECOND);
    const nowMs = clock.monotonicMs();
    schedule.add({ key: '1', queuedMs: nowMs - HOUR, changedMs: nowMs, isFailing: false });
    assert.equal(due(schedule), '1');
  });

  it('checks even an old task again soon if the service was busy, but as usual if it stays busy, even while a failure is not confirmed', () => {
    assert.deepEqual(timesOf(scheduleOf(1, 30 * DAY), 5, 'busy'), [0, 2, 4, 3604, 7204]);
    const { schedule, clock } = scheduleOf(1, 30 * DAY);
    schedule.done(due(schedule), 'failedOnce');
    assert.deepEqual(timesOf({ schedule, clock }, 4, 'busy'), [10, 12, 14, 3614]);
  });

  it('checks a task at the usual intervals during an outage, but less and less often if other tasks are answered', () => {
    assert.deepEqual(timesOf(scheduleOf(1), 5, 'unreachable'), timesOf(scheduleOf(1), 5, 'busy'));
    const { schedule, clock } = scheduleOf(2, HOUR);
    const times: number[] = [];
    while (times.length < 7) {
      clock.advance(SECOND);
      for (let task = schedule.next(); task !== undefined; task = schedule.next()) {
        if (task.key === '1') times.push(Math.round(clock.monotonicMs() / SECOND));
        schedule.done(task.key, task.key === '1' ? 'unreachable' : 'unfinished');
      }
    }
    const intervals = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    assert.deepEqual(intervals, [2, 2, 60, 60, 120, 480]);
  });

  it('checks a task again if the previous check was dropped', () => {
    const { schedule, clock } = scheduleOf(1);
    clock.advance(2 * SECOND);
    const key = due(schedule);
    assert.equal(schedule.next(), undefined, 'checked twice at once');
    schedule.done(key, 'dropped');
    assert.equal(due(schedule), key);
  });

  it('forgets a finished or removed task, even while it is being checked', () => {
    const { schedule } = scheduleOf(4, HOUR);
    const inFlight = [due(schedule), due(schedule)];
    schedule.remove(inFlight[1] ?? '');
    schedule.remove('3');
    schedule.done('4', 'finished');
    for (const key of inFlight) schedule.done(key, 'finished');
    assert.deepEqual([schedule.waitMs, schedule.next()], Array(2).fill(undefined));
  });

  it('checks a task again 10 s after it is first reported as failed, ahead of all other tasks', () => {
    const { schedule, clock } = scheduleOf(1000, HOUR);
    const key = due(schedule);
    assert.ok(!schedule.confirmsFailure(key));
    schedule.done(key, 'failedOnce');
    clock.advance(10 * SECOND - 1);
    assert.ok(!schedule.confirmsFailure(key));
    const other = due(schedule);
    clock.advance(1);
    assert.deepEqual([due(schedule), other === key, schedule.confirmsFailure(key)], [key, false, true]);
  });

  it('confirms a failure even if the service was busy between the two checks, but not if it found the task unfinished', () => {
    for (const between of ['busy', 'unfinished'] as const) {
      const { schedule, clock } = scheduleOf(1, HOUR);
      schedule.done(due(schedule), 'failedOnce');
      clock.advance(HOUR);
      schedule.done(due(schedule), between);
      clock.advance(HOUR);
      assert.equal(schedule.confirmsFailure('1'), between === 'busy');
    }
  });

  it('checks each due task exactly once, even if many tasks are due', () => {
    const { schedule } = scheduleOf(300, HOUR);
    const keys = checkDue(schedule);
    assert.deepEqual([keys.length, new Set(keys).size], [300, 300]);
  });

  it('checks tasks from oldest to newest as long as every check finds that the task has finished', () => {
    const { schedule } = scheduleOf(100, HOUR);
    const keys = Array.from({ length: 50 }, () => {
      const key = due(schedule);
      schedule.done(key, 'finished');
      return Number(key);
    });
    assert.deepEqual(
      keys,
      keys.map((_, index) => index + 1),
    );
  });

  it('checks the other tasks as usual while the service stays busy for the oldest one', () => {
    const { schedule, clock } = scheduleOf(300, HOUR);
    let busy = 0;
    for (let checks = 0; checks < 300; checks++) {
      clock.advance(INTERVAL_MS);
      const key = due(schedule);
      if (key === '1') busy += 1;
      schedule.done(key, key === '1' ? 'busy' : 'unfinished');
    }
    assert.equal(busy, 1);
  });

  it('reaches every task with at most 12.5% more checks than round robin, even if the oldest tasks never finish', () => {
    const { schedule, clock } = scheduleOf(2000, HOUR);
    const finished = new Set<string>();
    let checks = 0;
    for (; finished.size < 1000; checks++) {
      clock.advance(INTERVAL_MS);
      const key = due(schedule);
      if (Number(key) > 1000) finished.add(key);
      schedule.done(key, Number(key) > 1000 ? 'finished' : 'unfinished');
    }
    assert.ok(checks <= 1.125 * 2000 + 1, `${checks} checks`);
  });
});
