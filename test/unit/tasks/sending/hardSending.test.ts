import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MIGRATIONS } from '../../../../src/tasks/store/schema';
import { StoreFault } from '../../../../src/tasks/store/storeFault';
import { until } from '../until';
import { accepted } from './importingService';
import { all, beforeEachWindows, fileNames, service } from './sendingWindows';

const NAMES = fileNames(40);

const asRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0 ? [true] : [];

/** Mounts a 4 MiB file system. */
function smallDisk(folder: string) {
  const filler = path.join(folder, 'filler');
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  return {
    fill() {
      assert.throws(() => writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024)), { code: 'ENOSPC' });
    },
    empty: () => rmSync(filler),
    [Symbol.asyncDispose]: async () => {
      execFileSync('umount', ['--lazy', folder]);
    },
  };
}

describe('The serving window', () => {
  beforeEachWindows();

  it('uploads each file exactly once after a ten-minute outage, even if windows close and open during the outage', async () => {
    await service.goDown();
    let window = all.open('0');
    await window.import(await all.write(...NAMES));
    for (let minute = 1; minute <= 10; minute++) {
      await window.passSeconds(60);
      if (minute % 3 === 0) {
        await window.close();
        window = all.open(String(minute));
      }
    }
    await until(async () => (await window.counts())['queued'] === NAMES.length);
    await service.goUp();
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.deepEqual([service.posts.length, window.faults.length], [NAMES.length, 0]);
  });

  it("treats an import as unconfirmed if the response contains another import's task ID", async () => {
    const window = all.open('A', { allowed: 1 });
    service.answer = ({ number }) => ({ body: accepted(number === 3 ? 'task-2' : `task-${number}`) });
    await window.import(await all.write('1.txt', '2.txt', '3.txt', '4.txt'));
    // Don't advance the clock, because idle connections close after half a second.
    await until(async () => (await window.counts())['waiting'] === 3);
    const [row] = (await window.rows()).filter(({ state }) => state === 'unconfirmed');
    assert.deepEqual([row?.name, row?.import.cause?.['file']], ['3.txt', 'notes/2.txt']);
    const [, second, third, fourth] = service.posts.map(({ from }) => from);
    assert.deepEqual([second === third, third === fourth], [true, false]);
    assert.deepEqual(window.paused, []);
  });

  it('uploads an editor selection from a temporary file, which can then be deleted', async () => {
    const window = all.open('A');
    const texts = path.join(path.dirname(all.store.path), 'texts');
    mkdirSync(texts, { recursive: true });
    writeFileSync(path.join(texts, 'one'), 'A selection.\n');
    await window.import(['Selection.txt'], { path: null, textFile: 'one' });
    await all.passUntil(async () => (await window.counts())['waiting'] === 1);
    assert.equal(service.posts[0]?.content, 'A selection.\n');
    assert.deepEqual(await window.store.textFiles(null), []);
  });

  it('starts a second upload once the first has taken longer than five seconds', async () => {
    const window = all.open('A');
    writeFileSync(all.folder.at('large.txt').path, 'x'.repeat(64 * 1024 * 1024));
    let chunks = 0;
    let isSlow = true;
    service.onChunk = async (name) => {
      if (name !== 'large.txt') return;
      chunks += 1;
      if (isSlow) await until(() => !isSlow, 'five seconds');
      if (chunks > 200) await until(() => service.names.includes('single.txt'), 'the single file');
    };
    const hasRead: boolean[] = [];
    service.answer = ({ number, file }) => {
      if (file === 'single.txt') hasRead.push(service.posts[0]?.content !== undefined);
      return { body: accepted(`task-${number}`) };
    };
    // Import Again queues the size of the last import.
    await window.import(['large.txt'], { sizeBytes: 5 });
    await until(() => service.names.includes('large.txt'));
    assert.equal((await window.rows())[0]?.import.sizeBytes, 64 * 1024 * 1024);
    await window.import(await all.write('single.txt'));
    assert.equal(service.posts.length, 1);
    all.clock.advance(5000);
    // The gate opens when the next bytes are sent.
    isSlow = false;
    await all.passUntil(async () => (await window.counts())['waiting'] === 2);
    assert.deepEqual(hasRead, [false]);
    const [row] = (await window.rows()).filter(({ name }) => name === 'large.txt');
    assert.match(row?.import.sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.ok((row?.import.sentBytes ?? 0) > 64 * 1024 * 1024);
  });

  it('waits as long as the service asked, even if the system clock is changed', async () => {
    const window = all.open('A');
    for (const hours of [-5, 5]) {
      service.answer = () => ({ status: 429, body: 'later', headers: { 'retry-after': '100' } });
      await window.import(await all.write(`${hours}.txt`));
      await until(() => window.serving.served[0]?.pause?.reason === 'busy');
      const { length } = service.posts;
      service.answer = ({ number }) => ({ body: accepted(`task-${number}`) });
      all.clock.jump(hours * 3_600_000);
      await window.passSeconds(95);
      assert.equal(service.posts.length, length);
      await all.passUntil(() => service.posts.length === length + 1);
      await until(async () => (await window.counts())['queued'] === undefined);
    }
  });

  it("continues with a new database if the old one is damaged, and doesn't upload anything twice", async () => {
    const window = all.open('A');
    await window.import(await all.write('1.txt', '2.txt'));
    await all.passUntil(async () => (await window.counts())['waiting'] === 2);
    writeFileSync(all.store.path, 'This is not a database. '.repeat(1000));
    await window.serving.turn().catch(() => {});
    await window.import(await all.write('3.txt', '4.txt'));
    await all.passUntil(async () => (await window.counts())['waiting'] === 2);
    assert.equal(all.store.asides.length, 1);
    assert.deepEqual(service.names.toSorted(), ['1.txt', '2.txt', '3.txt', '4.txt']);
  });

  for (const _ of asRootOnLinux)
    it('keeps imports queued while the disk is full, and resumes once there is space again', async () => {
      await using disk = smallDisk(path.dirname(all.store.path));
      const window = all.open('A');
      const { promise, resolve } = Promise.withResolvers<void>();
      service.answer = async ({ number }) => {
        if (number > 1) await promise;
        return { body: { code: '0', message: null, data: { taskId: `task-${number}`, text: 'x'.repeat(30_000) } } };
      };
      await window.import(await all.write(...NAMES));
      await until(() => service.inFlight === 8);
      const { sending: marked = 0 } = await window.counts();
      disk.fill();
      resolve();
      await until(() => window.serving.served[0]?.pause?.reason === 'store');
      await window.passSeconds(60);
      assert.deepEqual([...new Set(window.faults.map((fault) => (fault as StoreFault).reason))], ['full']);
      assert.ok(service.posts.length <= 1 + marked, 'uploads continued');
      assert.ok(((await window.counts())['queued'] ?? 0) >= NAMES.length - 1 - marked);
      disk.empty();
      await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
      assert.deepEqual([service.twice, window.serving.served[0]?.pause ?? null], [[], null]);
    });

  it('does not start new uploads while an outcome cannot be stored, even if the user clicks Try Now', async () => {
    const window = all.open('A');
    const { end } = window.store;
    let isFull = true;
    const endOrFail: typeof end = (ended) =>
      isFull ? Promise.reject(new StoreFault('full', 'The disk is full.')) : end(ended);
    Object.assign(window.store, { end: endOrFail });
    await window.import(await all.write(...NAMES));
    await until(() => window.faults.length > 0);
    for (let seconds = 0; seconds < 5; seconds++) {
      await window.serving.tryNow([1]);
      await window.passSeconds(1);
    }
    await until(async () => (await window.counts())['queued'] === NAMES.length - 1);
    assert.equal(service.posts.length, 1);
    // The next retry isn't due yet.
    isFull = false;
    await window.serving.tryNow([1]);
    await until(async () => ((await window.counts())['waiting'] ?? 0) > 0);
    isFull = true;
    const failures = window.faults.length;
    await all.passUntil(() => window.faults.length > failures);
    // Before the window closes, it retries once more, even if it lost its lease while the machine slept.
    all.clock.advance(60_000);
    await window.serving.turn();
    isFull = false;
    await window.close();
    const next = all.open('B');
    await all.passUntil(async () => (await next.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
  });

  it('does not start new uploads once a newer version of the extension is waiting to migrate the database', async () => {
    const window = all.open('A');
    const outdated: unknown[] = [];
    window.serving.events.on('outdated', () => outdated.push(true));
    const { promise, resolve } = Promise.withResolvers<void>();
    service.answer = async ({ number }) => {
      if (number > 1) await promise;
      return { body: accepted(`task-${number}`) };
    };
    await window.import(await all.write(...NAMES));
    await until(() => service.inFlight === 8);
    const newer = all.store.open('B', { migrations: [...MIGRATIONS, 'ALTER TABLE runs ADD COLUMN more TEXT'] });
    await assert.rejects(newer.counts(null), { reason: 'older' });
    await window.serving.turn();
    await window.serving.turn();
    resolve();
    await until(async () => (await window.counts())['sending'] === undefined);
    assert.deepEqual(await window.counts(), { waiting: 9, queued: NAMES.length - 9 });
    assert.deepEqual([outdated.length, service.posts.length], [1, 9]);
  });
});
