import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { Begin, FileRow } from '../../../../src/tasks/store/model';
import { StoreFault } from '../../../../src/tasks/store/storeFault';
import { fileOf, requestOf } from '../store/storeRequests';
import { CLOSED_PID } from '../store/storeWindows';
import { until } from '../until';
import { type Answer, accepted, rejected } from './importingService';
import { all, beforeEachWindows, fileNames, type SendingSetup, type SendingWindow, service } from './sendingWindows';

const NAMES = fileNames(40);

function accepting({ number }: { readonly number: number }): Answer {
  return { body: accepted(`t${number}`) };
}

/** Delays responses until the test opens it. */
class Barrier {
  readonly #waiting: (() => void)[] = [];
  isOpen = false;

  get count(): number {
    return this.#waiting.length;
  }

  async pass(): Promise<void> {
    if (this.isOpen) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  open(): void {
    this.isOpen = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/**
 * Opens a window that imports all of `NAMES`, and waits until it has claimed more files than it may send at once. The
 * service accepts the first file right away. The barrier delays the next `delayed` responses, or all of them by
 * default.
 */
async function sending(setup: SendingSetup = {}, delayed = Number.POSITIVE_INFINITY) {
  const window = all.open('A', setup);
  const barrier = new Barrier();
  service.answer = async ({ number }) => {
    if (number > 1 && number <= 1 + delayed) await barrier.pass();
    return accepting({ number });
  };
  const { allowed = 8 } = setup;
  await window.import(await all.write(...NAMES));
  await until(() => barrier.count === allowed);
  await until(async () => ((await window.counts())['sending'] ?? 0) > allowed);
  return { window, barrier };
}

async function unconfirmed(window: SendingWindow): Promise<FileRow[]> {
  return (await window.rows()).filter(({ state }) => state === 'unconfirmed');
}

/** Empties a file, as an editor does just before it saves. */
function emptyAsWhenSaving(path: string): void {
  writeFileSync(path, '');
  const later = Date.now() / 1000 + 3600;
  utimesSync(path, later, later);
}

/** Opens a window that imports all of `NAMES`, and waits until it has paused after three rejections. */
async function pausedByRejections(): Promise<SendingWindow> {
  service.answer = () => ({ body: rejected('E7') });
  const window = all.open('A');
  await window.import(await all.write(...NAMES));
  await until(() => window.paused.length === 1);
  return window;
}

/** Like {@link pausedByRejections}, but the user then cancels all files, so that the window serves nothing anymore. */
async function pausedAndCanceled(): Promise<SendingWindow> {
  const window = await pausedByRejections();
  await window.serving.cancel({});
  await all.passUntil(() => window.serving.served.length === 0);
  return window;
}

/** Collects why each window reports that a pause after identical rejections is over. */
function reportedEnds(...windows: readonly SendingWindow[]): unknown[] {
  const over: unknown[] = [];
  for (const { serving } of windows) serving.events.on('rejectionsOver', (_row, _pause, change) => over.push(change));
  return over;
}

/** Opens a window that can't read the access key at first. */
async function openLocked(): Promise<SendingWindow> {
  let isLocked = true;
  const window = all.open('B', { reading: () => assert.ok(!isLocked, 'the keyring is locked') });
  await all.passUntil(() => window.serving.served.length === 1);
  isLocked = false;
  await window.serving.targetsChanged();
  return window;
}

/** Changes settings that affect neither uploads nor rejections. */
async function changeMapping(window: SendingWindow): Promise<void> {
  const { contract, ...others } = window.target ?? assert.fail();
  const fileTask = { ...contract.fileTask, taskId: '/taskId' };
  const queryTask = { ...contract.queryTask, status: '/phase' };
  window.target = { ...others, contract: { ...contract, fileTask, queryTask } };
  await window.serving.targetsChanged();
}

/** Renames the dataset in the settings, and then in the store. */
async function rename(window: SendingWindow): Promise<void> {
  window.dataset = 'Handbooks';
  await window.serving.targetsChanged();
  await all.passUntil(async () => (await window.store.destinations(null))[0]?.window === null);
  await window.store.rename({ from: 'Manuals', to: 'Handbooks' });
  await window.serving.turn();
}

describe('The serving window', () => {
  beforeEachWindows();

  it('uploads each file in a folder exactly once, starting with one file and then as many at a time as allowed', async () => {
    const window = all.open('A');
    const barrier = new Barrier();
    service.answer = async ({ number }) => {
      await barrier.pass();
      return accepting({ number });
    };
    await window.import(await all.write(...NAMES));
    await until(() => barrier.count === 1);
    barrier.open();
    barrier.isOpen = false;
    await until(() => barrier.count === 8);
    assert.equal(service.mostInFlight, 8);
    barrier.open();
    await until(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.names.toSorted(), NAMES);
    assert.deepEqual(
      service.posts.map(({ content }) => content).toSorted(),
      NAMES.map((name) => `I am ${name}.\n`),
    );
    assert.deepEqual([window.errors, window.faults, window.paused], [[], [], []]);
    all.store.checkRows();
  });

  it('pauses after a 401, stays paused across a restart, and resumes once the key is replaced', async () => {
    service.answer = () => ({ status: 401, body: rejected('no key') });
    const first = all.open('A');
    await first.import(await all.write(...NAMES));
    await until(() => first.paused.length === 1);
    await first.close();
    const second = all.open('B');
    await all.passUntil(() => second.paused.length === 1);
    for (const pause of [...first.paused, ...second.paused])
      assert.deepEqual([pause.reason, pause.untilMs], ['badKey', null]);
    assert.equal(service.posts.length, 2);
    service.answer = accepting;
    second.target = second.target && { ...second.target, accessKey: 'another-key-0123456789' };
    await second.serving.targetsChanged();
    await all.passUntil(async () => (await second.counts())['waiting'] === NAMES.length);
  });

  it('rereads a rejected key that another window has replaced, and then resumes uploads and failed status checks', async () => {
    const window = all.open('A');
    service.report = () => ({ status: 401, body: rejected('no key') });
    await window.import(await all.write('one.txt'));
    await all.passUntil(() => service.checks.length > 0);
    service.answer = ({ number }) => {
      service.answer = accepting;
      service.report = () => ({ body: { code: '0', data: { status: 'succeeded' } } });
      window.target = window.target && { ...window.target, accessKey: 'another-key-0123456789' };
      return number === 2 ? { status: 401, body: rejected('no key') } : accepting({ number });
    };
    const checks = service.checks.length;
    await window.import(await all.write('two.txt'));
    await until(() => service.posts.length === 3);
    // On a busy machine, the first task may already be checked again.
    await all.passUntil(async () => {
      const { waiting = 0, succeeded = 0 } = await window.counts();
      return waiting + succeeded === 2;
    });
    all.clock.advance(1000);
    await until(() => service.checks.length > checks);
  });

  it('marks a file as rejected if only that file gets a 403, but pauses if every file does', async () => {
    const window = all.open('A');
    service.answer = ({ number, file }) =>
      file === '00.txt' ? { status: 403, body: 'blocked' } : accepting({ number });
    await window.import(await all.write(...NAMES));
    await all.passUntil(async () => (await window.counts())['rejected'] === 1);
    await until(async () => (await window.counts())['waiting'] === NAMES.length - 1);
    const [blocked] = (await window.rows()).filter(({ state }) => state === 'rejected');
    assert.deepEqual([blocked?.name, blocked?.import.cause?.['blocked'], window.paused.length], ['00.txt', true, 0]);
    const sent = service.posts.length;
    // If one file is rejected twice before the others are answered, its rejection is final.
    const { promise: areSent, resolve } = Promise.withResolvers<void>();
    service.answer = async ({ number }) => {
      if (number === sent + 3) resolve();
      await areSent;
      return { status: 403, body: 'blocked' };
    };
    await window.import(await all.write('a.txt', 'b.txt', 'c.txt'));
    await all.passUntil(() => window.paused.length === 1);
    assert.equal(window.paused[0]?.reason, 'badKey');
    await until(async () => (await window.counts())['queued'] === 3);
  });

  it('stays paused after three lost connections in a row until the user clicks Try Now, even if the mapping changes', async () => {
    service.answer = () => 'reset';
    const first = all.open('A');
    await first.import(await all.write(...NAMES));
    await all.passUntil(() => first.serving.served[0]?.pause?.untilMs === null);
    await first.close();
    const second = await openLocked();
    await changeMapping(second);
    await second.passSeconds(10);
    assert.equal(second.serving.served[0]?.pause?.reason, 'unconfirmed');
    assert.deepEqual(await second.counts(), { unconfirmed: 3, queued: NAMES.length - 3 });
    service.answer = accepting;
    await second.serving.tryNow([1]);
    await until(async () => (await second.counts())['waiting'] === NAMES.length - 3);
    assert.deepEqual(service.twice, []);
  });

  it('sends one file per Try Now after three lost connections in a row, even if the dataset was renamed', async () => {
    service.answer = () => 'reset';
    const window = all.open('A');
    const isHeld = () => window.serving.served[0]?.pause?.untilMs === null;
    await window.import(await all.write(...NAMES));
    await all.passUntil(isHeld);
    await rename(window);
    await window.serving.tryNow([1]);
    await all.passUntil(() => service.posts.length > 3 && isHeld());
    assert.deepEqual(await window.counts(), { unconfirmed: 4, queued: NAMES.length - 4 });
  });

  it('stays paused until the user clicks Try Now, even if the access key is temporarily unreadable', async () => {
    service.answer = () => 'reset';
    const window = all.open('A');
    await window.import(await all.write(...NAMES));
    await all.passUntil(() => window.serving.served[0]?.pause?.untilMs === null);
    const { target } = window;
    window.target = undefined;
    await window.tasks.targetsChanged();
    window.target = target;
    await window.tasks.targetsChanged();
    assert.equal(window.serving.served[0]?.pause?.reason, 'unconfirmed');
    assert.deepEqual(await window.counts(), { unconfirmed: 3, queued: NAMES.length - 3 });
  });

  it('keeps files queued if the database cannot be read right after queueing them', async () => {
    const window = all.open('A');
    const { serve } = window.store;
    await window.passSeconds(1);
    let reads = 0;
    const failing: typeof serve = async (request) => {
      reads += 1;
      if (reads > 1) throw new StoreFault('unusable', 'disk is full');
      return serve(request);
    };
    Object.assign(window.store, { serve: failing });
    await window.import(await all.write('one.txt'));
    Object.assign(window.store, { serve });
    await all.passUntil(async () => (await window.counts())['waiting'] === 1);
  });

  it('stays paused after three identical rejections until the key is replaced, even if the mapping changes', async () => {
    await (await pausedByRejections()).close();
    const second = await openLocked();
    assert.equal(second.serving.served[0]?.pause?.reason, 'rejections');
    // The machine sleeps until the lease has expired.
    all.clock.jump(3_600_000);
    for (let turns = 0; turns < 5; turns++) await second.serving.turn();
    await changeMapping(second);
    assert.deepEqual([second.serving.served[0]?.pause?.reason, service.posts.length], ['rejections', 3]);
    const over: unknown[] = [];
    second.serving.events.on('rejectionsOver', (row, pause, change) => over.push([row.id, pause.cause?.code, change]));
    service.answer = accepting;
    second.target = second.target && { ...second.target, accessKey: 'another-key-0123456789' };
    // VS Code may report the change more than once.
    await Promise.all([second.serving.targetsChanged(), second.serving.targetsChanged()]);
    await until(async () => (await second.counts())['waiting'] === NAMES.length - 3);
    assert.deepEqual(over, [[1, 'E7', 'key']]);
    await all.passUntil(async () => (await second.store.destinations(null))[0]?.pause === null);
  });

  it('ignores the rejection code if the user clicks Continue Anyway after a restart', async () => {
    await (await pausedByRejections()).close();
    const second = all.open('B');
    await all.passUntil(() => second.serving.served.length === 1);
    await second.serving.tryNow([1]);
    await all.passUntil(async () => (await second.counts())['rejected'] === NAMES.length);
  });

  for (const restarts of [false, true])
    it(`sends new files${restarts ? ' after a restart' : ''} if all files that were paused after three identical rejections were canceled`, async () => {
      const first = await pausedAndCanceled();
      if (restarts) await first.close();
      else {
        // One more rejection pauses again, so that a new key applies to all of the rejected files.
        await first.import(await all.write('rejected.txt'));
        await all.passUntil(() => service.posts.length === 4 && first.serving.served.length === 0);
        assert.equal((await first.store.destinations(null))[0]?.pause?.reason, 'rejections');
      }
      service.answer = accepting;
      const window = restarts ? all.open('B') : first;
      await window.import(await all.write('new.txt'));
      await all.passUntil(async () => (await window.counts())['waiting'] === 1);
      assert.equal(window.serving.pauseOf(1), null);
    });

  it('ends a pause after identical rejections if the key is deleted and another one is set', async () => {
    const window = await pausedByRejections();
    const over = reportedEnds(window);
    service.answer = accepting;
    const { target } = window;
    for (const accessKey of [undefined, 'another-key-0123456789']) {
      window.target = target && accessKey ? { ...target, accessKey } : undefined;
      await window.serving.targetsChanged();
      await all.passUntil(() => window.serving.served.length === (accessKey ? 1 : 0));
    }
    await until(() => over.length > 0);
    assert.deepEqual(over, ['key']);
    await until(async () => (await window.counts())['waiting'] === NAMES.length - 3);
  });

  it('ends a pause after identical rejections as soon as the key is replaced, even if nothing is queued', async () => {
    const window = await pausedAndCanceled();
    const over = reportedEnds(window);
    service.answer = accepting;
    window.target = window.target && { ...window.target, accessKey: 'another-key-0123456789' };
    await window.serving.targetsChanged();
    assert.deepEqual(over, ['key']);
    // Checking a task claims the lease again.
    await window.store.track({ destination: all.destination, id: typedTaskId('1', 'string'), name: '' });
    await all.passUntil(() => window.serving.served.length === 1);
    assert.equal(window.serving.pauseOf(1), null);
    await window.import(await all.write('new.txt'));
    await all.passUntil(async () => (await window.counts())['waiting'] === 2);
    assert.deepEqual(over, ['key']);
  });

  it('reports that a pause after identical rejections ends if the key is replaced after a restart, even if nothing is queued', async () => {
    await (await pausedAndCanceled()).close();
    const second = all.open('B');
    const over = reportedEnds(second);
    await second.serving.turn();
    for (const accessKey of ['another-key-0123456789', 'a-third-key-0123456789']) {
      second.target = second.target && { ...second.target, accessKey };
      await second.serving.targetsChanged();
    }
    assert.deepEqual(over, ['key']);
  });

  it('ends a pause after identical rejections as soon as the key of a renamed dataset is replaced', async () => {
    const window = await pausedAndCanceled();
    await rename(window);
    const over = reportedEnds(window);
    window.target = window.target && { ...window.target, accessKey: 'another-key-0123456789' };
    await window.serving.targetsChanged();
    assert.deepEqual(over, ['key']);
  });

  it('ends the pause after three 500s in a row once the access key is replaced, even if nothing is queued', async () => {
    const window = all.open('A');
    service.answer = () => ({ status: 500, body: 'no' });
    await window.import(await all.write('1.txt', '2.txt', '3.txt'));
    await all.passUntil(async () => (await window.counts())['unconfirmed'] === 3);
    await all.passUntil(() => window.serving.served.length === 0);
    service.answer = accepting;
    window.target = window.target && { ...window.target, accessKey: 'another-key-0123456789' };
    await window.serving.targetsChanged();
    await window.import(await all.write('new.txt'));
    await all.passUntil(async () => (await window.counts())['waiting'] === 1);
  });

  it('reports the end of a pause after rejections in one window only', async () => {
    const windows = [await pausedAndCanceled(), all.open('B')] as const;
    const over = reportedEnds(...windows);
    await windows[1].serving.turn();
    for (const one of windows) one.target = one.target && { ...one.target, accessKey: 'another-key-0123456789' };
    await Promise.all(windows.map((one) => one.serving.targetsChanged()));
    assert.deepEqual(over, ['key']);
  });

  it('keeps a pause that another window has stored since its last turn', async () => {
    service.answer = accepting;
    const [first, second] = [all.open('A'), all.open('B')];
    await first.import(await all.write('done.txt'));
    await all.passUntil(async () => (await first.counts())['waiting'] === 1);
    await first.store.stopTracking({});
    await all.passUntil(() => first.serving.served.length === 0);
    service.answer = () => ({ body: rejected('E7') });
    await second.import(await all.write('1.txt', '2.txt', '3.txt'));
    await until(() => second.paused.length === 1);
    for (let turn = 0; turn < 5 && second.serving.served.length > 0; turn++) await second.serving.turn();
    await first.store.track({ destination: all.destination, id: typedTaskId('9', 'string'), name: '' });
    await all.passUntil(() => first.serving.served.length === 1);
    assert.equal(first.serving.pauseOf(1)?.reason, 'rejections');
  });

  it('does not show a pause that a closed window stored, once its own imports are accepted', async () => {
    const first = all.open('A');
    service.answer = () => ({ status: 429, body: 'later', headers: { 'retry-after': '3000' } });
    await first.import(await all.write('one.txt'));
    const pause = async () => (await first.store.destinations(null))[0]?.pause;
    await all.passUntil(async () => (await pause())?.reason === 'busy');
    await first.close();
    service.answer = accepting;
    const second = all.open('B');
    await all.passUntil(async () => (await second.counts())['waiting'] === 1);
    await all.passUntil(async () => (await pause()) === null);
  });

  it('stops all its imports, including uploads in flight, if the user cancels them in another window', async () => {
    const { barrier } = await sending();
    const other = all.open('B');
    await other.serving.cancel({});
    await all.passUntil(async () => (await other.counts())['unconfirmed'] === 8);
    await until(async () => (await other.counts())['notUploaded'] === NAMES.length - 9);
    assert.equal(service.posts.length, 9);
    barrier.open();
  });

  it('cancels all files that the user is importing, even if only some of them have been queued so far', async () => {
    const window = all.open('A');
    window.target = undefined;
    const importing = window.import(Array.from({ length: 2500 }, (_, index) => `${index}.txt`));
    assert.equal(await window.serving.cancel({}), 2500);
    await importing;
    assert.deepEqual(await window.counts(), { notUploaded: 2500 });
    // One import of two folders.
    const requests = ['a', 'b'].map((name) => ({ ...requestOf(name, [fileOf(name)]), destination: all.destination }));
    const queueing = window.serving.queue(...requests);
    assert.equal(await window.serving.cancel({}), 2);
    assert.equal((await queueing).imports.length, 2);
  });

  it('does not send imports that the user cancels at the last moment', async () => {
    const window = all.open('A');
    let canceling: Promise<number> | undefined;
    const begin = window.store.begin;
    Object.assign(window.store, {
      begin: (attempts: readonly Begin[]) => {
        const marking = begin(attempts);
        // The store receives this `cancel` call right after the `begin` call, and responds to both at the same time.
        if (attempts.length > 1) canceling ??= window.serving.cancel({});
        return marking;
      },
    });
    await window.import(await all.write(...NAMES));
    await until(() => canceling !== undefined);
    await until(async () => (await window.counts())['notUploaded'] === NAMES.length - 1);
    assert.equal(service.posts.length, 1);
  });

  it('queues all files of an import before it closes', async () => {
    const window = all.open('A');
    window.target = undefined;
    void window.import(Array.from({ length: 5000 }, (_, index) => `${index}.txt`));
    await window.close();
    assert.deepEqual(await window.counts(), { queued: 5000 });
  });

  it('requeues claimed imports when it closes', async () => {
    const { window: first, barrier } = await sending();
    const closing = first.close();
    barrier.open();
    await closing;
    const second = all.open('B');
    assert.deepEqual(await second.counts(), { waiting: 9, queued: NAMES.length - 9 });
    await all.passUntil(async () => (await second.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
  });

  it('requeues claimed imports if a 403 makes it send one import at a time', async () => {
    const window = all.open('A', { allowed: 1 });
    const [barrier, probe] = [new Barrier(), new Barrier()];
    service.answer = async ({ number }) => {
      if (number === 2) await barrier.pass();
      if (number > 2) await probe.pass();
      return number === 2 ? { status: 403, body: 'blocked' } : accepting({ number });
    };
    await window.import(await all.write(...NAMES));
    await until(() => barrier.count === 1);
    await until(async () => ((await window.counts())['sending'] ?? 0) > 8);
    barrier.open();
    await until(() => service.posts.length === 3);
    await until(async () => (await window.counts())['sending'] === 1);
    probe.open();
  });

  it('leaves an import queued if it closes while connecting', async () => {
    const connecting = new Barrier();
    const first = all.open('A', { connecting: () => connecting.pass() });
    await first.import(await all.write('one.txt'));
    await until(() => connecting.count === 1);
    await first.close();
    const second = all.open('B');
    assert.deepEqual(await second.counts(), { queued: 1 });
    await all.passUntil(async () => (await second.counts())['waiting'] === 1);
    connecting.open();
    assert.equal(service.posts.length, 1);
  });

  it('does not start uploads for files that are queued while it closes', async () => {
    const window = all.open('A');
    const closing = window.close();
    await window.import(await all.write('one.txt'));
    await closing;
    assert.deepEqual([window.serving.served, await window.counts()], [[], { queued: 1 }]);
  });

  it('closes even if a response never arrives, and leaves the import unconfirmed', async () => {
    const first = all.open('A', { pid: CLOSED_PID });
    const barrier = new Barrier();
    service.answer = async ({ number }) => {
      await barrier.pass();
      return accepting({ number });
    };
    await first.import(await all.write('one.txt'));
    await until(() => barrier.count === 1);
    const closing = first.close();
    await until(() => all.clock.alarms > 0);
    all.clock.advance(3000);
    await closing;
    const second = all.open('B');
    await all.passUntil(async () => (await second.counts())['unconfirmed'] === 1);
    barrier.open();
    await until(async () => (await second.counts())['waiting'] === 1);
  });

  it('does not send claimed imports if another window took over while this one was suspended', async () => {
    const { barrier } = await sending({ pid: CLOSED_PID }, 8);
    const other = all.open('B');
    // While the window is suspended, the test doesn't call its `turn()`.
    all.clock.advance(20_000);
    await other.serving.turn();
    await other.serving.turn();
    await until(async () => (await other.counts())['queued'] === undefined);
    barrier.open();
    await until(async () => (await other.counts())['unconfirmed'] !== undefined);
    await all.passUntil(async () => (await other.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
    all.store.checkRows();
  });

  it('does not send claimed imports after being suspended, even if the window that took over has closed', async () => {
    const { window: stopped, barrier } = await sending({ pid: CLOSED_PID }, 8);
    service.answer = ({ number, file }) =>
      file === 'last.txt' ? { status: 429, body: 'later' } : accepting({ number });
    const other = all.open('B');
    all.clock.advance(20_000);
    await other.serving.turn();
    await until(async () => (await other.counts())['waiting'] === NAMES.length - (await unconfirmed(other)).length);
    // The user chooses Import Again in the other window.
    const marked = (await unconfirmed(other)).filter(({ name }) => !service.names.includes(name));
    const [again = assert.fail('no import was marked')] = marked;
    await other.import([again.name], { seen: again.import.id });
    await until(() => service.names.includes(again.name));
    await until(async () => (await unconfirmed(other)).every(({ id }) => id !== again.id));
    await other.import(await all.write('last.txt'));
    await until(() => service.names.includes('last.txt'));
    await other.close();
    service.answer = accepting;
    await stopped.serving.turn();
    barrier.open();
    await all.passUntil(async () => (await stopped.counts())['waiting'] === NAMES.length + 1);
    assert.deepEqual(
      service.twice.filter((name) => name !== 'last.txt'),
      [],
    );
  });

  it('requeues claimed imports if the machine slept until the lease expired', async () => {
    const { window, barrier } = await sending();
    // The monotonic clock may stop while the machine sleeps.
    all.clock.jump(3_600_000);
    barrier.open();
    await until(async () => (await window.counts())['waiting'] === 9);
    await until(async () => (await window.counts())['queued'] === NAMES.length - 9);
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
  });

  it('sends nothing if its lease expired while it was connecting', async () => {
    const connecting = new Barrier();
    const slow = all.open('A', { pid: CLOSED_PID, connecting: () => connecting.pass() });
    await slow.import(await all.write('one.txt'));
    await until(() => connecting.count === 1);
    const other = all.open('B');
    all.clock.advance(20_000);
    await other.serving.turn();
    await until(async () => (await other.counts())['unconfirmed'] === 1);
    connecting.open();
    await until(async () => (await other.counts())['queued'] === 1);
    assert.deepEqual(service.posts, []);
    await all.passUntil(async () => (await other.counts())['waiting'] === 1);
    assert.equal(service.posts.length, 1);
  });

  it('does not send a file that is still connecting when uploads are paused', async () => {
    const connecting = new Barrier();
    let connections = 0;
    const window = all.open('A', {
      allowed: 2,
      connecting: async () => {
        if (++connections === 2) await connecting.pass();
      },
    });
    service.answer = ({ number }) => (number === 1 ? accepting({ number }) : { status: 401, body: 'wrong key' });
    await window.import(await all.write(...fileNames(3)));
    await until(() => window.paused.length === 1);
    connecting.open();
    await until(async () => (await window.counts())['queued'] === 2);
    assert.equal(service.posts.length, 2);
  });

  it('uploads other files while an editor is saving the first eight, and then uploads those eight', async () => {
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
    const last = service.posts.slice(-8);
    assert.deepEqual(last.map(({ file }) => file).toSorted(), inUse);
    assert.deepEqual([...new Set(last.map(({ content }) => content))], ['Saved.\n']);
  });

  it('gives up after a minute on a file that is still being written', async () => {
    const window = all.open('A');
    emptyAsWhenSaving(all.folder.at('log.txt').path);
    await window.import(['log.txt']);
    await all.passUntil(async () => (await window.counts())['notUploaded'] === 1);
    assert.equal((await window.rows())[0]?.import.cause?.reason, 'changing');
    assert.deepEqual(service.posts, []);
  });

  it('retries a file that is being written for a full minute, even if an earlier import of it was canceled', async () => {
    const window = all.open('A');
    emptyAsWhenSaving(all.folder.at('log.txt').path);
    await window.import(['log.txt']);
    await all.passUntil(() => all.read.length === 6);
    await window.serving.cancel({});
    const [row] = await window.rows();
    await window.import(['log.txt'], { seen: row?.import.id ?? 0 });
    await all.passUntil(async () => (await window.counts())['notUploaded'] === 1);
    assert.equal(all.read.length, 6 + 7);
  });

  it('marks a missing file as not uploaded, and uploads the other files', async () => {
    const window = all.open('A');
    await all.write('one.txt', 'two.txt');
    await window.import(['one.txt', 'gone.txt', 'two.txt']);
    await all.passUntil(async () => (await window.counts())['waiting'] === 2);
    await until(async () => (await window.counts())['notUploaded'] === 1);
    const gone = (await window.rows()).find(({ name }) => name === 'gone.txt');
    assert.deepEqual([gone?.import.cause?.name, gone?.import.cause?.reason], ['SourceError', 'missing']);
    assert.deepEqual(window.faults, []);
  });

  it('reads a file again if it has changed since it was prepared, or if it was missing when it was read ahead', async () => {
    const window = all.open('A', { allowed: 1 });
    const barrier = new Barrier();
    service.answer = async ({ number }) => {
      if (number === 2) await barrier.pass();
      return accepting({ number });
    };
    await all.write(...NAMES.filter((name) => name !== '20.txt'));
    await window.import(NAMES);
    await until(() => barrier.count === 1);
    await until(() => all.read.includes('20.txt'));
    await all.write('20.txt');
    await all.folder.write('02.txt', 'Written since.\n');
    all.clock.advance(2000);
    barrier.open();
    await until(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.equal(service.posts[2]?.content, 'Written since.\n');
    const [row] = (await window.rows()).filter(({ name }) => name === '02.txt');
    assert.equal(row?.import.sizeBytes, 15);
  });

  it('does not start new uploads while the store is locked, and stores earlier outcomes once it is unlocked', async () => {
    const { window, barrier } = await sending();
    const lock = new DatabaseSync(all.store.path);
    lock.exec('BEGIN EXCLUSIVE');
    barrier.open();
    await until(() => window.faults.length > 0);
    const { length } = service.posts;
    lock.exec('ROLLBACK');
    lock.close();
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
    assert.deepEqual(service.twice, []);
    assert.ok(length < NAMES.length, 'uploads continued');
  });

  it('does not serve a destination whose key or dataset is missing', async () => {
    const window = all.open('A');
    const { target } = window;
    window.target = undefined;
    await window.import(await all.write('one.txt'), {});
    await window.serving.turn();
    await until(async () => (await window.counts())['queued'] === 1);
    assert.equal(service.posts.length, 0);
    window.target = target;
    await window.serving.targetsChanged();
    await all.passUntil(async () => (await window.counts())['waiting'] === 1);
  });

  it("keeps imports queued if the dataset's URL changes to a different origin", async () => {
    const { window, barrier } = await sending({ allowed: 1 });
    const { target } = window;
    window.target = target && { ...target, baseUrl: new URL('http://elsewhere.test:1') };
    await window.serving.targetsChanged();
    barrier.open();
    await until(async () => (await window.counts())['queued'] === NAMES.length - 2);
    for (let turns = 0; turns < 5; turns++) await window.serving.turn();
    assert.deepEqual(await window.counts(), { waiting: 2, queued: NAMES.length - 2 });
    window.target = target;
    await window.serving.targetsChanged();
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length);
  });

  it('uploads each file exactly once if two windows import the same folder at the same time', async () => {
    const [one, two] = [all.open('A'), all.open('B')];
    await all.write(...NAMES);
    await Promise.all([one.import(NAMES), two.import(NAMES)]);
    await all.passUntil(async () => (await one.counts())['waiting'] === NAMES.length);
    assert.deepEqual([service.posts.length, service.twice], [NAMES.length, []]);
  });

  it('resumes if the user clicks Try Now in another window', async () => {
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

  it('uploads a single file without waiting for a slow folder import to finish', async () => {
    const { window, barrier } = await sending({ allowed: 2 });
    await window.import(await all.write('single.txt'));
    await until(() => service.names.includes('single.txt'));
    assert.equal(barrier.count, 3);
    barrier.open();
  });
});
