import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isGone, LEASE_MS, thisWindow } from '../../../src/tasks/windowLife';
import { NOON } from './temporaryStore';

describe('A window', () => {
  const here = thisWindow();
  const other = thisWindow();

  it('has an id of its own, in one process too', () => {
    assert.notEqual(here.id, other.id);
    assert.deepEqual([here.pid, here.machine], [other.pid, other.machine]);
  });

  it('is never gone for itself, however long it slept', () => {
    assert.equal(isGone(here, 0, here, Number.MAX_SAFE_INTEGER), false);
  });

  it('whose process is there is given ten leases more, as it may have slept', () => {
    assert.equal(isGone(other, NOON, here, NOON + 10 * LEASE_MS - 1), false);
    assert.equal(isGone(other, NOON, here, NOON + 10 * LEASE_MS), true);
  });

  it('is gone as soon as its process is, though its lease goes on', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const window = { ...thisWindow(), pid: child.pid ?? 0 };
    assert.equal(isGone(window, NOON + LEASE_MS, here, NOON), false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(isGone(window, NOON + LEASE_MS, here, NOON), true);
  });

  it('of another machine is gone when its lease has run out, as its process cannot be seen', () => {
    for (const pid of [process.pid, 2 ** 31 - 1]) {
      const far = { ...other, machine: 'elsewhere', pid };
      assert.equal(isGone(far, NOON, here, NOON - 1), false);
      assert.equal(isGone(far, NOON, here, NOON), true);
    }
  });
});
