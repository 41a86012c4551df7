import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../e2e/waitUntil';
import { seeded } from '../unit/tasks/seeded';
import { account, haveEnded, type StoredImport, storedImports } from './account';
import { CountingService } from './countingService';
import { stopBetweenWrites } from './stopBetweenWrites';
import { Windows } from './windows';

/** Max concurrent uploads per window. */
const atOnce = 8;
/** Max imports marked as sending: the uploads in flight, plus up to 16 imports that are ready to be sent. */
const marked = atOnce + 16;
const kills = Number(process.env['KILLS'] ?? 8);
/** Roughly how long a window takes to send its first POST. Kills are spread over this time. */
const beginningMs = 1500;

// To kill windows at different times: KILL_SEED=… npm run test:kill
const seed = Number(process.env['KILL_SEED'] ?? 20_260_101);

describe(`With two windows (KILL_SEED=${seed}),`, () => {
  const random = seeded(seed);
  let service: CountingService;
  let windows: Windows;
  let [first, second] = [0, 0];
  let known = 0;

  before(async () => {
    service = await CountingService.start(seeded(seed + 1));
    windows = await Windows.start(service);
    first = await windows.openForOrders();
    // In a browser, a window reads secrets only when it opens, so store the key first.
    await service.until('the first window', () => service.count('waiting', first) > 0);
    second = await windows.openForOrders();
    await service.until('the second window', () => service.count('waiting', second) > 0);
  });

  after(async () => {
    await windows.close();
    await service.close();
  });

  it('a window that was suspended until its lease expired does not overwrite the results of the window that took over', async () => {
    const folder = filesIn('stopped', 100);
    const began = service.posts.length;
    const ended = service.count('ended', first);
    await service.order(first, { folder, tasks: known + 100 });
    await service.until('POSTs', () => service.posts.length >= began + 30);
    await stopBetweenWrites(first, storePath());
    await waitUntil('the other window to send the rest', async () => haveEnded(stored(folder)) || undefined);
    const before = stored(folder);
    process.kill(first, 'SIGCONT');
    await service.until('the first window to report the end', () => service.count('ended', first) > ended);
    // An import may have failed with ConnectionLostError, because the service may have closed an idle connection just
    // before we used it.
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
    account(late, service.posts.slice(began), 100);
    known += 100;
  });

  it('if one window is killed, the other takes over, and interrupted uploads become unconfirmed', async () => {
    const folder = filesIn('left', 100);
    const began = service.posts.length;
    await service.order(first, { folder, tasks: known + 100 });
    await service.until('POSTs', () => service.posts.length >= began + 30 + 30 * random());
    process.kill(first, 'SIGKILL');
    const posts = service.posts.length;
    // The killed window can't have had this many POSTs in flight, so the other window must be sending.
    await service.until('the other window to go on', () => service.posts.length > posts + atOnce);
    await untilEnded(folder);
    const { unconfirmed } = account(stored(folder), service.posts.slice(began), 100);
    assert.ok(unconfirmed <= marked);
    assert.deepEqual(service.pids, [first, second], 'another extension host has started');
    known += 100;
  });

  it(`no file in a batch is lost or uploaded twice, even if windows are killed ${kills} times at random moments`, async () => {
    // Each kill may leave up to `marked` files without a POST.
    const files = 150 + kills * marked;
    const folder = filesIn('batch', files);
    const began = service.posts.length;
    const points = Array.from({ length: kills }, () => Math.floor(150 * random())).sort((a, b) => a - b);
    const posted = () => service.posts.length - began;
    const untilMoment = async (point: number) => {
      const isPast = posted() >= point;
      await service.until('POSTs', () => posted() >= point);
      await delay(random() * (isPast ? beginningMs : 30));
    };

    const queuedBefore = service.count('queued', second);
    await service.order(second, { folder, tasks: known + files });
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
    const { unconfirmed } = account(stored(folder), service.posts.slice(began), files);
    assert.ok(unconfirmed <= marked * kills);
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
