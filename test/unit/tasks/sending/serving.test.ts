import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { FileRow } from '../../../../src/tasks/store/model';
import { CLOSED_PID } from '../store/storeWindows';
import { until } from '../until';
import { type Answer, accepted, type ImportingService, rejected } from './importingService';
import { type SendingWindow, SendingWindows } from './sendingWindows';

const NAMES = Array.from({ length: 40 }, (_, index) => `${String(index).padStart(2, '0')}.txt`);

function accepting({ number }: { readonly number: number }): Answer {
  return { body: accepted(`t${number}`) };
}

/** Holds back responses until the test releases them. */
class Held {
  readonly #waiting: (() => void)[] = [];
  isOpen = false;

  get count(): number {
    return this.#waiting.length;
  }

  async pass(): Promise<void> {
    if (this.isOpen) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets the service accept the first file at once, so that the gate opens, and holds back all others. */
  static afterFirst(service: ImportingService): Held {
    const held = new Held();
    service.answer = async ({ number }) => {
      if (number > 1) await held.pass();
      return accepting({ number });
    };
    return held;
  }

  open(): void {
    this.isOpen = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

async function unconfirmed(window: SendingWindow): Promise<FileRow[]> {
  return (await window.rows()).filter(({ state }) => state === 'unconfirmed');
}

/** Empties a file as an editor does just before it saves. */
function emptyAsWhenSaving(path: string): void {
  writeFileSync(path, '');
  const later = Date.now() / 1000 + 3600;
  utimesSync(path, later, later);
}

describe('The serving window', () => {
  it('uploads each file of a folder once: the first alone, then as many at once as allowed', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    const held = new Held();
    service.answer = async ({ number }) => {
      await held.pass();
      return accepting({ number });
    };
    await window.import(await all.write(...NAMES));
    await until(() => held.count === 1);
    held.open();
    held.isOpen = false;
    await until(() => held.count === 8);
    assert.equal(service.mostInFlight, 8);
    held.open();
    await until(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.names.toSorted(), NAMES);
    assert.deepEqual(
      service.posts.map(({ content }) => content).toSorted(),
      NAMES.map((name) => `I am ${name}.\n`),
    );
    assert.deepEqual([window.errors, window.faults, window.paused], [[], [], []]);
    all.store.checkRows();
  });

  it('keeps imports queued and unmarked during an outage, and resumes on its own', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    let isDown = true;
    service.answer = ({ number }) => (isDown ? { status: 429, body: 'later' } : accepting({ number }));
    await window.import(await all.write(...NAMES));
    await all.passUntil(() => service.posts.length === 4);
    await until(async () => (await window.counts())['queued'] === NAMES.length);
    assert.equal(window.serving.served[0]?.pause?.reason, 'busy');
    isDown = false;
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.equal(service.posts.length, NAMES.length + 4);
    assert.equal(window.serving.served[0]?.pause ?? null, null);
  });

  it('waits for another key after a 401, even after a restart, and resumes once the key is replaced', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    service.answer = () => ({ status: 401, body: rejected('no key') });
    const first = all.open('A');
    await first.import(await all.write(...NAMES));
    await until(() => first.paused.length === 1);
    await first.close();
    const second = all.open('B');
    await all.passUntil(() => second.paused.length === 1);
    assert.deepEqual(
      [...first.paused, ...second.paused].map(({ reason, untilMs }) => [reason, untilMs]),
      [
        ['badKey', null],
        ['badKey', null],
      ],
    );
    assert.equal(service.posts.length, 2);
    service.answer = accepting;
    second.target = second.target && { ...second.target, accessKey: 'another-key-0123456789' };
    await second.serving.targetsChanged();
    await all.passUntil(async () => (await second.counts())['waiting'] === NAMES.length);
  });

  it('rejects a file that gets a 403 while others are accepted, and waits for another key if all get a 403', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    service.answer = ({ number, file }) =>
      file === '00.txt' ? { status: 403, body: 'blocked' } : accepting({ number });
    await window.import(await all.write(...NAMES));
    await all.passUntil(async () => (await window.counts())['rejected'] === 1);
    await until(async () => (await window.counts())['waiting'] === NAMES.length - 1);
    const [blocked] = (await window.rows()).filter(({ state }) => state === 'rejected');
    assert.deepEqual([blocked?.name, blocked?.import.cause?.['blocked'], window.paused.length], ['00.txt', true, 0]);
    service.answer = () => ({ status: 403, body: 'blocked' });
    await window.import(await all.write('a.txt', 'b.txt', 'c.txt'));
    await all.passUntil(() => window.paused.length === 1);
    assert.deepEqual([window.paused[0]?.reason, (await window.counts())['queued']], ['badKey', 3]);
  });

  it('waits for Try Now after three lost connections in a row, even after a restart', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    service.answer = () => 'reset';
    const first = all.open('A');
    await first.import(await all.write(...NAMES));
    await all.passUntil(() => first.serving.served[0]?.pause?.untilMs === null);
    await first.close();
    const second = all.open('B');
    await all.passUntil(() => second.serving.served.length === 1);
    for (let seconds = 0; seconds < 10; seconds++) {
      all.clock.advance(1000);
      await second.serving.turn();
    }
    assert.deepEqual(await second.counts(), { unconfirmed: 3, queued: NAMES.length - 3 });
    service.answer = accepting;
    await second.serving.tryNow([1]);
    await until(async () => (await second.counts())['waiting'] === NAMES.length - 3);
    assert.deepEqual(service.twice, []);
  });

  it('asks the user after three equal rejections, even after a restart, until the key is replaced', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    service.answer = () => ({ body: rejected('E7') });
    const first = all.open('A');
    await first.import(await all.write(...NAMES));
    await until(() => first.paused.length === 1);
    await first.close();
    const second = all.open('B');
    await all.passUntil(() => second.serving.served.length === 1);
    assert.equal(second.serving.served[0]?.pause?.reason, 'rejections');
    // The machine sleeps, and the lease expires.
    all.clock.jump(3_600_000);
    for (let turns = 0; turns < 5; turns++) await second.serving.turn();
    // The settings change, but not this target.
    await second.serving.targetsChanged();
    assert.deepEqual([second.serving.served[0]?.pause?.reason, service.posts.length], ['rejections', 3]);
    const over: unknown[] = [];
    second.serving.events.on('rejectionsOver', (row, pause, change) => over.push([row.id, pause.cause?.code, change]));
    service.answer = accepting;
    second.target = second.target && { ...second.target, accessKey: 'another-key-0123456789' };
    await second.serving.targetsChanged();
    await until(async () => (await second.counts())['waiting'] === NAMES.length - 3);
    assert.deepEqual(over, [[1, 'E7', 'key']]);
  });

  it('cancels queued, marked and sending imports if the user cancels in another window', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const [sender, other] = [all.open('A'), all.open('B')];
    const held = Held.afterFirst(service);
    await sender.import(await all.write(...NAMES));
    await until(() => held.count === 8);
    await other.serving.cancel({});
    await all.passUntil(async () => (await other.counts())['unconfirmed'] === 8);
    await until(async () => (await other.counts())['notUploaded'] === NAMES.length - 9);
    assert.equal(service.posts.length, 9);
    held.open();
  });

  it('cancels a whole run even if only part of its files is queued yet', async () => {
    await using all = await SendingWindows.make();
    const window = all.open('A');
    window.target = undefined;
    const importing = window.import(Array.from({ length: 2500 }, (_, index) => `${index}.txt`));
    assert.equal(await window.serving.cancel({}), 2500);
    await importing;
    assert.deepEqual(await window.counts(), { notUploaded: 2500 });
  });

  it('starts no upload while the user cancels in its own window', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    const held = Held.afterFirst(service);
    await window.import(await all.write(...NAMES));
    await until(() => held.count === 8);
    const canceling = window.serving.cancel({});
    held.open();
    await canceling;
    await until(async () => (await window.counts())['sending'] === undefined);
    assert.equal(service.posts.length, 9);
    const { notUploaded = 0, ...rest } = await window.counts();
    assert.equal(notUploaded, NAMES.length - 9);
    assert.equal(
      Object.values(rest).reduce((sum, one) => sum + one, 0),
      9,
    );
  });

  it('puts back marked imports when it closes', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const first = all.open('A');
    const held = Held.afterFirst(service);
    await first.import(await all.write(...NAMES));
    await until(() => held.count === 8);
    await until(async () => ((await first.counts())['sending'] ?? 0) > 8);
    const closing = first.close();
    held.open();
    await closing;
    const second = all.open('B');
    assert.deepEqual(await second.counts(), { waiting: 9, queued: NAMES.length - 9 });
    await all.passUntil(async () => (await second.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
  });

  it('puts back marked imports when the gate pauses', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A', { allowed: 1 });
    const [held, probe] = [new Held(), new Held()];
    service.answer = async ({ number }) => {
      if (number === 2) await held.pass();
      if (number > 2) await probe.pass();
      return number === 2 ? { status: 403, body: 'blocked' } : accepting({ number });
    };
    await window.import(await all.write(...NAMES));
    await until(() => held.count === 1);
    await until(async () => ((await window.counts())['sending'] ?? 0) > 8);
    held.open();
    await until(() => service.posts.length === 3);
    await until(async () => (await window.counts())['sending'] === 1);
    probe.open();
  });

  it('closes at once while it is connecting, and leaves the import queued', async () => {
    await using all = await SendingWindows.make();
    const connecting = new Held();
    const first = all.open('A', { connecting: () => connecting.pass() });
    await first.import(await all.write('one.txt'));
    await until(() => connecting.count === 1);
    await first.close();
    const second = all.open('B');
    assert.deepEqual(await second.counts(), { queued: 1 });
    await all.passUntil(async () => (await second.counts())['waiting'] === 1);
    connecting.open();
    assert.equal(all.service.posts.length, 1);
  });

  it('goes on counting lost connections that an earlier window counted', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    service.answer = () => 'reset';
    const first = all.open('A');
    await first.import(await all.write(...NAMES));
    await all.passUntil(() => service.posts.length === 2);
    await until(async () => (await first.counts())['unconfirmed'] === 2);
    await first.close();
    const second = all.open('B');
    await all.passUntil(() => service.posts.length === 3);
    await until(() => second.serving.served[0]?.pause?.untilMs === null);
  });

  it('closes without waiting for a response that never comes, which leaves the import unconfirmed', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const first = all.open('A', { pid: CLOSED_PID });
    const held = new Held();
    service.answer = async ({ number }) => {
      await held.pass();
      return accepting({ number });
    };
    await first.import(await all.write('one.txt'));
    await until(() => held.count === 1);
    const closing = first.close();
    await until(() => all.clock.alarms > 0);
    all.clock.advance(3000);
    await closing;
    const second = all.open('B');
    await all.passUntil(async () => (await second.counts())['unconfirmed'] === 1);
    held.open();
    await until(async () => (await second.counts())['waiting'] === 1);
  });

  it('sends no marked import after it was stopped past its lease and another window took over', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const stopped = all.open('A', { pid: CLOSED_PID });
    const held = new Held();
    service.answer = async ({ number }) => {
      if (number > 1 && number < 10) await held.pass();
      return accepting({ number });
    };
    await stopped.import(await all.write(...NAMES));
    await until(() => held.count === 8);
    await until(async () => ((await stopped.counts())['sending'] ?? 0) > 8);
    const other = all.open('B');
    // The stopped window takes no turn.
    all.clock.advance(20_000);
    await other.serving.turn();
    await other.serving.turn();
    await until(async () => (await other.counts())['queued'] === undefined);
    held.open();
    await until(async () => (await other.counts())['unconfirmed'] !== undefined);
    await all.passUntil(async () => (await other.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
    all.store.checkRows();
  });

  it('sends no marked import after it was stopped past its lease, even if the window that took over has closed', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const stopped = all.open('A', { pid: CLOSED_PID });
    const held = new Held();
    service.answer = async ({ number, file }) => {
      if (number > 1 && number < 10) await held.pass();
      return file === 'last.txt' ? { status: 429, body: 'later' } : accepting({ number });
    };
    await stopped.import(await all.write(...NAMES));
    await until(() => held.count === 8);
    await until(async () => ((await stopped.counts())['sending'] ?? 0) > 8);
    const other = all.open('B');
    all.clock.advance(20_000);
    await other.serving.turn();
    await until(async () => (await other.counts())['waiting'] === NAMES.length - (await unconfirmed(other)).length);
    // Import Again there.
    const marked = (await unconfirmed(other)).filter(({ name }) => !service.names.includes(name));
    const [again = assert.fail('nothing was marked')] = marked;
    await other.import([again.name], { seen: again.import.id });
    await until(() => service.names.includes(again.name));
    await until(async () => (await unconfirmed(other)).every(({ id }) => id !== again.id));
    await other.import(await all.write('last.txt'));
    await until(() => service.names.includes('last.txt'));
    await other.close();
    service.answer = accepting;
    await stopped.serving.turn();
    held.open();
    await all.passUntil(async () => (await stopped.counts())['waiting'] === NAMES.length + 1);
    assert.deepEqual(
      service.twice.filter((name) => name !== 'last.txt'),
      [],
    );
  });

  it('puts back marked imports after the machine slept past the lease', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    const held = Held.afterFirst(service);
    await window.import(await all.write(...NAMES));
    await until(() => held.count === 8);
    await until(async () => ((await window.counts())['sending'] ?? 0) > 8);
    // The monotonic clock may stop while the machine sleeps.
    all.clock.jump(3_600_000);
    held.open();
    await until(async () => (await window.counts())['waiting'] === 9);
    await until(async () => (await window.counts())['queued'] === NAMES.length - 9);
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
  });

  it('sends nothing over a connection that was made after the lease expired', async () => {
    await using all = await SendingWindows.make();
    const connecting = new Held();
    const slow = all.open('A', { pid: CLOSED_PID, connecting: () => connecting.pass() });
    await slow.import(await all.write('one.txt'));
    await until(() => connecting.count === 1);
    const other = all.open('B');
    all.clock.advance(20_000);
    await other.serving.turn();
    await until(async () => (await other.counts())['unconfirmed'] === 1);
    connecting.open();
    await until(async () => (await other.counts())['queued'] === 1);
    assert.deepEqual(all.service.posts, []);
    await all.passUntil(async () => (await other.counts())['waiting'] === 1);
    assert.equal(all.service.posts.length, 1);
  });

  it('uploads the other files while the first eight are in use, then those eight', async () => {
    await using all = await SendingWindows.make();
    const window = all.open('A');
    await all.write(...NAMES);
    const inUse = NAMES.slice(0, 8);
    for (const name of inUse) emptyAsWhenSaving(all.folder.at(name).path);
    await window.import(NAMES);
    await until(async () => (await window.counts())['waiting'] === NAMES.length - 8);
    assert.deepEqual(await window.counts(), { queued: 8, waiting: NAMES.length - 8 });
    const tries = all.read.filter((name) => inUse.includes(name)).length;
    for (let turns = 0; turns < 5; turns++) await window.serving.turn();
    assert.equal(all.read.filter((name) => inUse.includes(name)).length, tries);
    for (const name of inUse) writeFileSync(all.folder.at(name).path, 'Saved.\n');
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
    const last = all.service.posts.slice(-8);
    assert.deepEqual(last.map(({ file }) => file).toSorted(), inUse);
    assert.deepEqual([...new Set(last.map(({ content }) => content))], ['Saved.\n']);
  });

  it('gives up on a file that is being written for a minute, and says so', async () => {
    await using all = await SendingWindows.make();
    const window = all.open('A');
    emptyAsWhenSaving(all.folder.at('log.txt').path);
    await window.import(['log.txt']);
    await all.passUntil(async () => (await window.counts())['notUploaded'] === 1);
    assert.equal((await window.rows())[0]?.import.cause?.reason, 'changing');
    assert.deepEqual(all.service.posts, []);
  });

  it('ends the import of a missing file as not uploaded, and uploads the others', async () => {
    await using all = await SendingWindows.make();
    const window = all.open('A');
    await all.write('one.txt', 'two.txt');
    await window.import(['one.txt', 'gone.txt', 'two.txt']);
    await all.passUntil(async () => (await window.counts())['waiting'] === 2);
    await until(async () => (await window.counts())['notUploaded'] === 1);
    const gone = (await window.rows()).find(({ name }) => name === 'gone.txt');
    assert.deepEqual([gone?.import.cause?.name, gone?.import.cause?.reason], ['SourceError', 'missing']);
    assert.deepEqual(window.faults, []);
  });

  it('reads a file again that changed since it was prepared', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A', { allowed: 1 });
    const held = new Held();
    service.answer = async ({ number }) => {
      if (number === 2) await held.pass();
      return accepting({ number });
    };
    await window.import(await all.write('1.txt', '2.txt', '3.txt'));
    await until(() => held.count === 1);
    await until(async () => (await window.counts())['sending'] === 2);
    await all.folder.write('3.txt', 'Written since.\n');
    all.clock.advance(2000);
    held.open();
    await until(async () => (await window.counts())['waiting'] === 3);
    assert.equal(service.posts[2]?.content, 'Written since.\n');
    const [row] = (await window.rows()).filter(({ name }) => name === '3.txt');
    assert.equal(row?.import.sizeBytes, 15);
  });

  it('starts no upload while the store is locked, and stores outcomes later', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    const held = Held.afterFirst(service);
    await window.import(await all.write(...NAMES));
    await until(() => held.count === 8);
    await until(async () => ((await window.counts())['sending'] ?? 0) > 8);
    const lock = new DatabaseSync(all.store.path);
    lock.exec('BEGIN EXCLUSIVE');
    held.open();
    await until(() => window.faults.length > 0);
    const { length } = service.posts;
    lock.exec('ROLLBACK');
    lock.close();
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
    assert.ok(length < NAMES.length, 'it went on');
  });

  it('does not serve a destination without its key or dataset', async () => {
    await using all = await SendingWindows.make();
    const window = all.open('A');
    const { target } = window;
    window.target = undefined;
    await window.import(await all.write('one.txt'), {});
    await window.serving.turn();
    await until(async () => (await window.counts())['queued'] === 1);
    assert.equal(all.service.posts.length, 0);
    window.target = target;
    await window.serving.targetsChanged();
    await all.passUntil(async () => (await window.counts())['waiting'] === 1);
  });

  it('keeps imports queued if the dataset moves to another origin', async () => {
    await using all = await SendingWindows.make();
    const window = all.open('A', { allowed: 1 });
    const held = Held.afterFirst(all.service);
    const { target } = window;
    await window.import(await all.write(...NAMES));
    await until(() => held.count === 1);
    window.target = target && { ...target, baseUrl: new URL('http://elsewhere.test:1') };
    await window.serving.targetsChanged();
    held.open();
    await until(async () => (await window.counts())['queued'] === NAMES.length - 2);
    for (let turns = 0; turns < 5; turns++) await window.serving.turn();
    assert.deepEqual(await window.counts(), { waiting: 2, queued: NAMES.length - 2 });
    window.target = target;
    await window.serving.targetsChanged();
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
  });

  it('uploads each file once if two windows import the same folder at the same time', async () => {
    await using all = await SendingWindows.make();
    const [one, two] = [all.open('A'), all.open('B')];
    await all.write(...NAMES);
    await Promise.all([one.import(NAMES), two.import(NAMES)]);
    await all.passUntil(async () => (await one.counts())['waiting'] === NAMES.length);
    assert.deepEqual([all.service.posts.length, all.service.twice], [NAMES.length, []]);
  });

  it('ends its pause if the user chooses Try Now in another window', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const [sender, other] = [all.open('A'), all.open('B')];
    service.answer = () => ({ status: 429, body: 'later', headers: { 'retry-after': '3000' } });
    await sender.import(await all.write('one.txt'));
    await until(() => sender.paused.length === 1);
    await sender.serving.turn();
    await other.serving.turn();
    assert.equal(other.serving.destinations[0]?.pause?.reason, 'busy');
    service.answer = accepting;
    await other.serving.tryNow([1]);
    await sender.serving.turn();
    await until(async () => (await other.counts())['waiting'] === 1);
  });

  it('uploads a single file beside a folder whose uploads take long', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A', { allowed: 2 });
    const held = Held.afterFirst(service);
    await window.import(await all.write(...NAMES));
    await until(() => held.count === 2);
    await until(async () => ((await window.counts())['sending'] ?? 0) >= 10);
    await window.import(await all.write('single.txt'));
    await until(() => service.names.includes('single.txt'));
    assert.equal(held.count, 3);
    held.open();
  });
});
