import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { TrackedTask } from '../../../src/tasks/trackedTask';
import type { Peer } from '../service/rawServer';
import { until } from '../tasks/until';
import { toldPhase } from './endedImport';
import { ImportWindow } from './importWindow';
import { staysSilent } from './script';

const COUNT = 40;
const SIZE_BYTES = 512 * 1024;

/** How many files and sockets this process has open. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** The name of the file that a connection brings. */
function nameOf({ received }: Peer): string {
  return /filename="([^"]*)"/.exec(received.toString('latin1'))?.[1] ?? '';
}

describe('Many canceled uploads', () => {
  it('leave no file and no socket open, wherever each was canceled, and arrive once at most', async function () {
    if (process.platform !== 'linux') this.skip();
    const keys = new Map<string, number>();
    const cancel = (name: string) => window.queue.cancel(({ key }) => key === keys.get(name));
    await using window = await ImportWindow.open(
      {
        script: async (peer, count) => {
          // Some before they have a connection.
          const isEarly = ({ key, phase }: TrackedTask) => phase.kind === 'queued' && key % 7 === 0;
          void cancel(window.list.held.find(isEarly)?.source?.name ?? '');
          // From the first bytes of the body to all of it.
          if (!(await peer.readRequest(1024 + ((SIZE_BYTES + 512) * ((count - 1) % 10)) / 9))) return;
          await cancel(nameOf(peer));
          await staysSilent(peer);
        },
      },
      { allowed: 8 },
    );
    const files = [];
    for (let index = 0; index < COUNT; index++) {
      files.push(await window.check(`${index}.txt`, Buffer.alloc(SIZE_BYTES, `${index} `)));
    }
    await window.list.loaded();
    const before = openDescriptors();
    const run = await window.add(...files);
    for (const { key, source } of window.list.held) keys.set(source?.name ?? '', key);
    await window.toEnd(run);
    await until(() => openDescriptors() <= before);
    const ends = Map.groupBy(window.stored.map(toldPhase), (end) => end);
    assert.deepEqual([...ends.keys()].sort(), ['notSent: CanceledError', 'unconfirmed: CanceledError']);
    assert.equal(window.stored.length, COUNT);
    const arrived = window.faulty.server.peers.map(nameOf).filter((name) => name !== '');
    assert.equal(new Set(arrived).size, arrived.length);
  });
});
