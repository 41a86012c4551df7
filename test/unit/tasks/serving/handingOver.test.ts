import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { readRow } from '../../../../src/tasks/rows/taskRow';
import { isOpen, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { OtherProcess } from '../otherProcess';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

/** How many files each window imports; set for a long run by hand. */
const FILES = Number(process.env['HANDOVER_FILES'] ?? 60);
/** How many windows are killed, or stopped past their lease. */
const INCIDENTS = Number(process.env['HANDOVER_INCIDENTS'] ?? 6);
/** How many imports a window sends at once. */
const AT_ONCE = 4;

/** A service that takes up to 40 ms for each file, and counts how often each arrived whole or in part. */
async function countingServer(): Promise<{ server: Server; url: URL; posts: Map<string, number> }> {
  const posts = new Map<string, number>();
  const server = createServer((request, response) => {
    let name: string | undefined;
    request.on('data', (chunk: Buffer) => {
      if (name !== undefined) return;
      name = /filename="([^"]*)"/.exec(chunk.toString('latin1'))?.[1];
      if (name !== undefined) posts.set(name, (posts.get(name) ?? 0) + 1);
    });
    request.on('error', () => {});
    request.on('end', async () => {
      await setTimeout(Math.random() * 40);
      response.end(`{"code":"0","message":null,"data":{"taskId":"task of ${name}"}}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), posts };
}

function stored({ path }: TemporaryStore): TrackedTask[] {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 20_000 });
  try {
    return db.prepare('SELECT * FROM tasks').all().map(readRow);
  } finally {
    db.close();
  }
}

/** Stops a window while it does not hold the store, and lets it count as gone, as its lease had run out. */
async function stopBetweenWrites({ path }: TemporaryStore, window: OtherProcess): Promise<void> {
  await until(() => {
    window.signal('SIGSTOP');
    const db = new DatabaseSync(path, { timeout: 500 });
    try {
      db.prepare('DELETE FROM windows WHERE pid = ?').run(window.pid);
      return true;
    } catch {
      window.signal('SIGCONT');
      return false;
    } finally {
      db.close();
    }
  });
}

describe('Windows that import into one destination, and are killed or stopped past their lease', () => {
  it('send each file once and lose none; unconfirmed is at most what was being sent', async function () {
    this.timeout(600_000);
    await using store = await TemporaryStore.make();
    const { server, url, posts } = await countingServer();
    const windows: OtherProcess[] = [];
    const open = async (...paths: string[]) => {
      const window = await OtherProcess.start('importFiles', store.path, url.href, ...paths);
      // It ends by itself only where it has nothing more to do.
      window.go().catch(() => {});
      windows.push(window);
    };
    const names = ['a', 'b', 'c'].map((of) => Array.from({ length: FILES }, (_, index) => `${of}${index}.txt`));
    for (const some of names) {
      const files = await Promise.all(some.map((name) => store.files.write(name, `the text of ${name}\n`)));
      await open(...files.map(({ path }) => path));
    }
    await until(() => posts.size > 0);
    for (let incident = 0; incident < INCIDENTS; incident++) {
      await setTimeout(Math.random() * 400);
      const window = windows.splice(Math.floor(Math.random() * windows.length), 1)[0];
      assert.ok(window);
      if (incident % 2 === 0) {
        await window.kill();
        await open();
      } else {
        await stopBetweenWrites(store, window);
        await setTimeout(1500);
        window.signal('SIGCONT');
        windows.push(window);
      }
    }
    // Whatever a killed window had not stored yet is not there.
    await until(() => stored(store).every(({ phase }) => !isOpen(phase)));
    const tasks = stored(store);
    const kinds = Map.groupBy(tasks, ({ phase }) => phase.kind);
    const [accepted = [], unconfirmed = []] = [kinds.get('accepted'), kinds.get('unconfirmed')];
    assert.equal(accepted.length + unconfirmed.length, tasks.length, [...kinds.keys()].join());
    assert.deepEqual(
      [...posts].filter(([, count]) => count > 1),
      [],
      'sent twice',
    );
    for (const { source } of accepted) assert.equal(posts.get(source?.name ?? ''), 1);
    assert.ok(unconfirmed.length <= AT_ONCE * INCIDENTS, `${unconfirmed.length} unconfirmed`);
    assert.ok(tasks.length >= FILES, `${tasks.length} in the store`);
    for (const window of windows) await window.kill();
    server.closeAllConnections();
    server.close();
  });
});
