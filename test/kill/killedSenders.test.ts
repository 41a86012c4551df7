import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../editor/temporaryFolder';
import { seeded } from '../unit/tasks/seeded';
import { until } from '../unit/tasks/until';
import { type Account, account, haveEnded, type StoredImport, storedImports } from './account';
import { CountingService } from './countingService';
import { Sender } from './senders';

const seed = Number(process.env['KILL_SEED'] ?? 20_260_101);
/**
 * Max unconfirmed imports per killed window: the uploads in flight, plus up to 16 imports that are ready to be sent.
 */
const MOST_UNCONFIRMED = 8 + 16;

describe(`With three windows importing at the same time (KILL_SEED=${seed}),`, () => {
  const random = seeded(seed);
  let service: CountingService;
  let folder: { readonly path: string; remove(): void };
  let storePath: string;
  let senders: Sender[];

  beforeEach(async () => {
    service = await CountingService.start(seeded(seed + 1));
    folder = temporaryFolder('di-senders');
    storePath = path.join(folder.path, 'storage/imports.sqlite');
    senders = await Promise.all([1, 2, 3].map(() => Sender.start(storePath, service.url)));
  });

  afterEach(async () => {
    for (const sender of senders) await sender.kill();
    await service.close();
    folder.remove();
  });

  it('no file is lost or uploaded twice, even if windows are killed at random moments', async () => {
    await importAll(600);
    const killed = 9;
    for (let kill = 0; kill < killed; kill++) {
      await untilMorePosts(250);
      await delay(30 * random());
      const index = Math.floor(3 * random());
      await senders[index]?.kill();
      senders[index] = await Sender.start(storePath, service.url);
    }
    await untilEnded(1800);
    const { unconfirmed } = summary();
    assert.ok(unconfirmed <= killed * MOST_UNCONFIRMED, `${unconfirmed} are unconfirmed`);
  });

  for (const [moment, { operation, when, isSent }] of Object.entries({
    'after its imports are marked as sending but before the first byte is sent': {
      operation: 'begin',
      when: 'after',
      isSent: false,
    },
    'after a response arrives but before its outcome is stored': { operation: 'end', when: 'before', isSent: true },
  } as const))
    it(`no file is lost or uploaded twice, even if a window is killed ${moment}`, async () => {
      const [sender = assert.fail()] = senders;
      // Skip the first call, because the first file is sent alone.
      await sender.order({ kind: 'dieAt', operation, when, call: 2 + Math.floor(4 * random()) });
      await importAll(100, [sender]);
      await untilEnded(100);
      assert.equal(sender.isAlive, false);
      const { unconfirmed, withoutPost } = summary();
      assert.ok(unconfirmed > 0 && unconfirmed <= MOST_UNCONFIRMED, `${unconfirmed} are unconfirmed`);
      assert.ok(isSent ? withoutPost < unconfirmed : withoutPost > 0, `${withoutPost} were not sent`);
    });

  it('each file is uploaded exactly once, even if windows are closed at random moments', async () => {
    await importAll(200);
    for (let close = 0; close < 6; close++) {
      await untilMorePosts(60);
      const index = Math.floor(3 * random());
      await senders[index]?.order({ kind: 'close' });
      senders[index] = await Sender.start(storePath, service.url);
    }
    await untilEnded(600);
    const { accepted, posts } = summary();
    assert.deepEqual([accepted, posts], [600, 600]);
  });

  /** Has each window import its own folder. */
  async function importAll(count: number, windows: readonly Sender[] = senders): Promise<void> {
    const orders = windows.map((sender, index) => {
      const at = path.join(files(), `of ${index}`);
      mkdirSync(at, { recursive: true });
      const names = Array.from({ length: count }, (_, number) => `${index}-${number}.txt`);
      for (const name of names) writeFileSync(path.join(at, name), `I am ${name}.\n`);
      return sender.order({ kind: 'import', run: `run ${index}`, folder: at, names });
    });
    await Promise.all(orders);
  }

  function files(): string {
    return path.join(folder.path, 'files');
  }

  async function untilMorePosts(most: number): Promise<void> {
    const from = service.posts.length;
    await until(() => service.posts.length > from + most * random(), 'more POSTs');
  }

  function imports(): StoredImport[] {
    return storedImports(storePath, files());
  }

  async function untilEnded(count: number): Promise<void> {
    await until(() => imports().length === count && haveEnded(imports()), `${count} imports to end`);
  }

  /** Asserts that all imports and POSTs match, and returns their counts. */
  function summary(): Account {
    const errors = senders.flatMap((sender) => sender.errors);
    assert.deepEqual(errors, []);
    const all = imports();
    return account(all, service.posts, all.length);
  }
});
