import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../editor/temporaryFolder';
import { until } from '../unit/tasks/until';
import { CountingService } from './countingService';
import { seeded } from './random';
import { Sender } from './senders';
import { stopBetweenWrites } from './stopBetweenWrites';

const seed = Number(process.env['KILL_SEED'] ?? 20_260_101);
/** At most this many imports of a killed window are unconfirmed: those being sent, and those that it has read ahead. */
const MOST_UNCONFIRMED = 8 + 16;

describe(`Three windows that import at once (KILL_SEED=${seed})`, () => {
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

  it('upload each of their files once', async () => {
    await importAll(200);
    await untilEnded(600);
    assert.deepEqual(account(), { accepted: 600 });
    assert.equal(service.posts.length, 600);
  });

  it('lose no file and upload none twice if they are killed at random moments', async () => {
    await importAll(200);
    const killed = 6;
    for (let kill = 0; kill < killed; kill++) {
      const from = service.posts.length;
      await until(() => service.posts.length > from + 60 * random(), 'more POSTs');
      await delay(30 * random());
      const index = Math.floor(3 * random());
      await senders[index]?.kill();
      senders[index] = await Sender.start(storePath, service.url);
    }
    await untilEnded(600);
    const { accepted = 0, unconfirmed = 0 } = account();
    assert.equal(accepted + unconfirmed, 600);
    assert.ok(unconfirmed <= killed * MOST_UNCONFIRMED, `${unconfirmed} are unconfirmed`);
    assert.deepEqual(twice(), []);
  });

  it('put back what they have marked if they are closed at random moments', async () => {
    await importAll(200);
    for (let close = 0; close < 6; close++) {
      const from = service.posts.length;
      await until(() => service.posts.length > from + 60 * random(), 'more POSTs');
      const index = Math.floor(3 * random());
      await senders[index]?.order({ kind: 'close' });
      senders[index] = await Sender.start(storePath, service.url);
    }
    await untilEnded(600);
    assert.deepEqual(account(), { accepted: 600 });
    assert.equal(service.posts.length, 600);
  });

  it('continue without one that is stopped past its lease, which then records its late responses and sends nothing more', async () => {
    await importAll(200);
    await until(() => service.posts.length > 100, 'POSTs');
    const serving = senders.find(({ pid }) => leaseHolders().includes(pid));
    assert.ok(serving, 'no window holds the lease');
    await stopBetweenWrites(serving.pid, storePath);
    await until(() => ended() === 600, 'the other windows to send the rest');
    serving.signal('SIGCONT');
    await untilEnded(600);
    await until(() => (account()['unconfirmed'] ?? 0) <= 1, 'the late responses');
    assert.deepEqual(twice(), []);
  });

  async function importAll(count: number): Promise<void> {
    const orders = senders.map((sender, index) => {
      const at = path.join(folder.path, `files ${index}`);
      mkdirSync(at);
      const names = Array.from({ length: count }, (_, number) => `${index}-${number}.txt`);
      for (const name of names) writeFileSync(path.join(at, name), `I am ${name}.\n`);
      return sender.order({ kind: 'import', run: `run ${index}`, folder: at, names });
    });
    await Promise.all(orders);
  }

  function query<Row>(sql: string): Row[] {
    const db = new DatabaseSync(storePath, { readOnly: true, timeout: 5000 });
    try {
      return db.prepare(sql).all() as Row[];
    } finally {
      db.close();
    }
  }

  function account(): Record<string, number> {
    const rows = query<{ outcome: string; count: number }>('SELECT outcome, count(*) AS count FROM imports GROUP BY 1');
    return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
  }

  function ended(): number {
    const { queued: _, sending: __, ...outcomes } = account();
    return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  }

  async function untilEnded(count: number): Promise<void> {
    await until(() => ended() === count, `${count} imports to end`);
    assert.deepEqual(
      senders.flatMap(({ errors }) => errors),
      [],
    );
  }

  /** The files that the service got whole more than once. */
  function twice(): string[] {
    const whole = service.posts.flatMap(({ isWhole, file }) => (isWhole && file ? [file] : []));
    return whole.filter((file, index) => whole.indexOf(file) !== index);
  }

  function leaseHolders(): number[] {
    const sql = 'SELECT w.pid FROM windows w JOIN destinations d ON d.window = w.id';
    return query<{ pid: number }>(sql).map(({ pid }) => pid);
  }
});
