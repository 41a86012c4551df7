import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../e2e/waitUntil';
import { type Account, account, haveEnded, type StoredImport, storedImports } from './account';
import { CountingService } from './countingService';
import { seeded } from './random';
import { stopBetweenWrites } from './stopBetweenWrites';
import { Windows } from './windows';

/** How many imports a window sends at once. */
const atOnce = 8;
/** Max imports that are marked as being sent: beside those on a connection, the group that was prepared. */
const marked = atOnce + 16;
const kills = Number(process.env['KILLS'] ?? 8);
/** How long a window may need from its start to its first POST, so that kills meet all that it does until then. */
const beginningMs = 1500;

// The same moments in every run; KILL_SEED=… npm run test:kill tries others.
const seed = Number(process.env['KILL_SEED'] ?? 20_260_101);

describe(`Killed extension hosts (KILL_SEED=${seed})`, () => {
  const random = seeded(seed);
  let service: CountingService;
  let windows: Windows;
  let [first, second] = [0, 0];
  let known = 0;

  before(async () => {
    service = await CountingService.start(seeded(seed + 1));
    windows = await Windows.start(service);
    first = await windows.openForOrders();
    // In a browser, VS Code reads the secrets once, when a window opens: the key is there from here on.
    await service.until('the first window', () => service.count('waiting', first) > 0);
    second = await windows.openForOrders();
    await service.until('the second window', () => service.count('waiting', second) > 0);
  });

  after(async () => {
    await windows.close();
    await service.close();
  });

  it('are not needed for two windows to send each of their imports once, and to see the end of both', async () => {
    const names = ['one', 'two'];
    const [one = '', two = ''] = names.map((name) => filesIn(name, 100));
    const began = service.posts.length;
    await service.order(
      new Map([
        [first, { folder: one, isViewOpen: true, tasks: 200 }],
        [second, { folder: two, isViewOpen: true, tasks: 200 }],
      ]),
    );
    await service.until(
      'both windows to show the end',
      () => service.count('ended', first) === 1 && service.count('ended', second) === 1,
    );
    for (const [index, folder] of [one, two].entries()) {
      const its = service.posts.slice(began).filter(({ file }) => file?.startsWith(`${names[index]}-`));
      const { accepted, posts } = account(stored(folder), its, 100);
      assert.deepEqual({ accepted, posts }, { accepted: 100, posts: 100 });
    }
    known += 200;
  });

  it('that are stopped past their lease leave their queue to the other window, and change only what they were sending when they continue', async () => {
    const folder = filesIn('stopped', 100);
    const began = service.posts.length;
    const ended = service.count('ended', first);
    await service.order(new Map([[first, { folder, isViewOpen: false, tasks: known + 100 }]]));
    await service.until('POSTs', () => service.posts.length >= began + 30);
    await stopBetweenWrites(first, storePath());
    await waitUntil('the other window to send the rest', async () => haveEnded(stored(folder)) || undefined);
    const before = stored(folder);
    process.kill(first, 'SIGCONT');
    await service.until('the first window to see what became of it', () => service.count('ended', first) > ended);
    // A first byte that was about to be sent may find that the service has closed the connection.
    const isKnown = ({ outcome, cause }: StoredImport) =>
      outcome === 'accepted' || (outcome === 'unconfirmed' && cause === 'ConnectionLostError');
    const unknown = () => stored(folder).flatMap((one) => (isKnown(one) ? [] : JSON.stringify(one)));
    const allKnown = waitUntil('the late responses', async () => unknown().length === 0 || undefined);
    await allKnown.catch((cause) => assert.fail(`${cause.message}: ${unknown()}`));
    const late = stored(folder);
    const others = before.filter(({ outcome }) => outcome === 'accepted');
    const ids = new Set(others.map(({ id }) => id));
    assert.deepEqual(
      late.filter(({ id }) => ids.has(id)),
      others,
    );
    assert.ok(before.length - others.length <= marked);
    const summary = account(late, service.posts.slice(began), 100);
    print('a window that was stopped', 0, summary);
    known += 100;
  });

  it('leave what was queued to the other window, within seconds, and what they were sending is unconfirmed', async () => {
    const folder = filesIn('left', 100);
    const began = service.posts.length;
    await service.order(new Map([[first, { folder, isViewOpen: false, tasks: known + 100 }]]));
    await service.until('POSTs', () => service.posts.length >= began + 30 + 30 * random());
    process.kill(first, 'SIGKILL');
    const killed = performance.now();
    const posts = service.posts.length;
    // More than the killed one may have had on its way.
    await service.until('the other window to go on', () => service.posts.length > posts + atOnce);
    const tookMs = performance.now() - killed;
    await untilEnded(folder);
    const summary = account(stored(folder), service.posts.slice(began), 100);
    print(`one of two windows (the other one went on after ${(tookMs / 1000).toFixed(1)} s)`, 1, summary);
    assert.ok(summary.unconfirmed <= marked);
    assert.deepEqual(service.pids, [first, second], 'another extension host has started');
    known += 100;
  });

  it(`lose no file of a batch and send none twice, at ${kills} random moments of it`, async () => {
    // Each kill may keep as many files as were marked from ever being sent.
    const files = 150 + kills * marked;
    const folder = filesIn('batch', files);
    const began = service.posts.length;
    const points = Array.from({ length: kills }, () => Math.floor(150 * random())).sort((a, b) => a - b);
    const come = () => service.posts.length - began;
    const untilMoment = async (point: number) => {
      const isPast = come() >= point;
      await service.until('POSTs', () => come() >= point);
      await delay(random() * (isPast ? beginningMs : 30));
    };

    const queuedBefore = service.count('queued', second);
    await service.order(new Map([[second, { folder, isViewOpen: false, tasks: known + files }]]));
    await service.until('the batch to be queued', () => service.count('queued', second) > queuedBefore);
    const [beginning = 0, ...others] = points;
    await untilMoment(beginning);
    process.kill(second, 'SIGKILL');
    const window = await windows.open();
    for (const point of others) {
      await untilMoment(point);
      await window.killHost();
    }
    await untilEnded(folder);
    const summary = account(stored(folder), service.posts.slice(began), files);
    print(`a batch of ${files} files`, kills, summary);
    assert.ok(summary.unconfirmed <= marked * kills);
  });

  function filesIn(name: string, count: number): string {
    const folder = join(windows.filesFolder, name);
    mkdirSync(folder, { recursive: true });
    for (let number = 1; number <= count; number++) {
      writeFileSync(join(folder, `${name}-${number}.txt`), `file ${number} of ${name}\n`.repeat(number));
    }
    return folder;
  }

  function stored(folder: string) {
    return storedImports(storePath(), folder);
  }

  function storePath(): string {
    return join(windows.storageFolder, 'imports.sqlite');
  }

  async function untilEnded(folder: string): Promise<void> {
    await waitUntil('all imports to end', async () => haveEnded(stored(folder)) || undefined);
  }
});

function print(what: string, times: number, { accepted, unconfirmed, withoutPost, posts }: Account): void {
  const of = `${unconfirmed} unconfirmed (${withoutPost} of them without a POST)`;
  console.log(`      ${what}: ${times} kills, ${posts} POSTs, ${accepted} accepted, ${of}`);
}
