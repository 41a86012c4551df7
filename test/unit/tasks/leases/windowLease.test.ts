import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LEASE_MS, LeaseWatch, type ListedWindow, thisWindow } from '../../../../src/tasks/leases/windowLease';

describe('A window', () => {
  const here = thisWindow();
  const other: ListedWindow = { ...thisWindow(), beat: 1 };
  let nowMs = 0;
  let watch: LeaseWatch;

  beforeEach(() => {
    nowMs = 0;
    watch = new LeaseWatch(here, () => nowMs);
  });

  /** Looks every five seconds for so long, and once more; gives who is gone by then. */
  function lookFor(ms: number, window: ListedWindow): string[] {
    const endMs = nowMs + ms;
    for (; nowMs < endMs; nowMs += LEASE_MS / 3) assert.deepEqual(watch.goneAmong([window]), []);
    return watch.goneAmong([window]);
  }

  it('has an id of its own, in one process too', () => {
    assert.notEqual(here.id, other.id);
    assert.deepEqual([here.pid, here.machine], [other.pid, other.machine]);
  });

  it('is never gone for itself, however long it slept', () => {
    const self = { ...here, beat: 1, pid: 2 ** 31 - 1 };
    assert.deepEqual(lookFor(10 * LEASE_MS, self), []);
  });

  it('whose process is there is gone after two leases without a beat', () => {
    assert.deepEqual(lookFor(2 * LEASE_MS, other), [other.id]);
  });

  it('is there for as long as it beats, however rarely', () => {
    for (let beat = 1; beat < 5; beat++) assert.deepEqual(lookFor(1.5 * LEASE_MS, { ...other, beat }), []);
  });

  it('is there though this one slept for an hour between two looks', () => {
    lookFor(LEASE_MS, other);
    nowMs += 3_600_000;
    assert.deepEqual(watch.goneAmong([other]), []);
  });

  it('is gone as soon as its process is, though it has just beaten', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const window = { ...thisWindow(), pid: child.pid ?? 0, beat: 1 };
    assert.deepEqual(watch.goneAmong([window]), []);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.deepEqual(watch.goneAmong([{ ...window, beat: 2 }]), [window.id]);
  });

  it('of another machine is gone after a lease without a beat, as its process cannot be seen', () => {
    for (const pid of [process.pid, 2 ** 31 - 1]) {
      const far = { ...other, id: `far ${pid}`, machine: 'elsewhere', pid };
      assert.deepEqual(lookFor(LEASE_MS, far), [far.id]);
    }
  });
});
