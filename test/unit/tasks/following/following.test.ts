import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { DEFAULT_CONTRACT, type KnownMeaning } from '../../../../src/service/contract/contract';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { Report } from '../../../../src/tasks/store/model';
import { StoreFault } from '../../../../src/tasks/store/storeFault';
import { rejected, reported } from '../sending/importingService';
import { all, beforeEachWindows, fileNames, type SendingWindow, service } from '../sending/sendingWindows';
import { until } from '../until';

const NAMES = fileNames(12);
const DAY_S = 24 * 3600;
const HOUR_S = 3600;
const HOUR_MS = 1000 * HOUR_S;

/** Opens a window, imports files, and waits until their tasks are running. */
async function running(...names: readonly string[]): Promise<SendingWindow> {
  const window = all.open('A');
  service.report = () => ({ body: reported('RUNNING') });
  await window.import(await all.write(...names));
  await all.passUntil(async () => (await window.counts())['running'] === names.length);
  return window;
}

describe('The tracking window', () => {
  beforeEachWindows();

  it('checks each task until it ends, and then stops sending requests and writing to the database', async () => {
    const window = await running(...NAMES);
    service.report = () => ({ body: reported('SUCCEEDED') });
    await all.passUntil(async () => (await window.counts())['succeeded'] === NAMES.length);
    await all.passUntil(() => window.serving.served.length === 0);
    const [checks, commits] = [service.checks.length, all.store.commits()];
    await window.passSeconds(100);
    assert.deepEqual([service.checks.length, all.store.commits()], [checks, commits]);
    assert.deepEqual(window.errors, []);
  });

  it('takes over the tasks of a closed window, and is the only window to check them', async () => {
    await (await running(...NAMES)).close();
    const [second, third] = [all.open('B'), all.open('C')];
    service.checks.length = 0;
    service.report = () => ({ body: reported('SUCCEEDED') });
    await all.passUntil(async () => (await second.counts())['succeeded'] === NAMES.length);
    assert.deepEqual(service.checks.toSorted(), [...new Set(service.checks)].toSorted());
    assert.deepEqual([second.errors, third.errors], [[], []]);
  });

  it("does not update a row if the task's status and progress are unchanged", async () => {
    const window = await running('one.txt');
    let progress = 10;
    let checks = 0;
    service.report = () => ({ body: { code: '0', data: { status: 'RUNNING', progress, at: ++checks } } });
    const changedAt = async () => (await window.rows())[0]?.changedMs;
    await all.passUntil(async () => (await window.rows())[0]?.tasks[0]?.progress === 0.1);
    const before = await changedAt();
    await all.passUntil(() => checks >= 5);
    assert.equal(await changedAt(), before);
    progress = 20;
    await all.passUntil(async () => (await changedAt()) !== before);
  });

  it("checks a task less and less if its checks fail for changing reasons while the file's other task makes progress", async () => {
    const window = all.open('A');
    service.answer = () => ({ body: { code: '0', message: null, data: { taskIds: ['bad', 'good'] } } });
    service.report = (id) => {
      const [message, progress] = [`trace ${service.checks.length}`, service.checks.length % 90];
      if (id === 'bad') return { status: 404, body: { code: '1003', message, data: null } };
      return { body: { code: '0', data: { status: 'RUNNING', progress } } };
    };
    await window.import(await all.write('one.txt'));
    await window.passSeconds(HOUR_S);
    assert.equal(service.checks.filter((id) => id === 'bad').length, 5);
  });

  it('checks a task right away if the user refreshes its status in another window', async () => {
    const serving = await running('one.txt');
    const other = all.open('B');
    await serving.passSeconds(3600, 10);
    service.report = () => ({ body: reported('SUCCEEDED') });
    const before = service.checks.length;
    assert.equal(await other.tasks.refreshStatus({}), 1);
    await serving.serving.turn();
    await until(() => service.checks.length === before + 1);
    await until(async () => (await other.counts())['succeeded'] === 1);
  });

  it('checks a task right away if the user refreshes its status, even after days without a change', async () => {
    const window = await running('one.txt');
    await window.passSeconds(2 * DAY_S, 60);
    await all.passUntil(() => window.serving.served.length === 0);
    service.report = () => ({ body: reported('SUCCEEDED') });
    await window.tasks.refreshStatus({});
    await all.passUntil(async () => (await window.counts())['succeeded'] === 1);
    const [row] = await window.rows();
    assert.equal(row?.tasks[0]?.checkedMs, row?.changedMs);
  });

  it('does not show a failure until a second check confirms it', async () => {
    const window = await running('one.txt');
    const statuses = ['FAILED', 'RUNNING', 'SUCCEEDED'];
    service.report = () => ({ body: reported(statuses.shift() ?? 'SUCCEEDED') });
    const states = new Set<string>();
    await all.passUntil(async () => {
      for (const state of Object.keys(await window.counts())) states.add(state);
      return states.has('succeeded');
    });
    assert.equal(states.has('failed'), false);
  });

  it('does not confirm a failure that it saw before another window took over and found the task running', async () => {
    const first = await running('one.txt');
    const check = async (status: string) => {
      const { length } = service.checks;
      service.report = () => ({ body: reported(status) });
      await all.passUntil(() => service.checks.lastIndexOf('task-1') >= length);
    };
    await check('FAILED');
    const second = all.open('B');
    await second.import(await all.write('two.txt'));
    await check('RUNNING');
    await second.close();
    await check('FAILED');
    await check('SUCCEEDED');
    await all.passUntil(async () => (await first.counts())['succeeded'] === 2);
  });

  it('pauses status checks, but not uploads, if the service is too busy for checks', async () => {
    const window = all.open('A');
    service.report = () => ({ status: 429, body: 'later', headers: { 'retry-after': '600' } });
    await window.import(await all.write('one.txt'));
    await all.passUntil(() => service.checks.length === 1);
    const before = service.checks.length;
    await window.import(await all.write(...NAMES));
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length + 1);
    assert.equal(service.checks.length, before);
    // Refresh Status ends the pause, even if it is used on a task that has never been checked.
    const [row] = await window.rows();
    await window.tasks.refreshStatus({ files: [row?.id ?? 0] });
    await window.serving.turn();
    await until(() => service.checks.length > before);
  });

  for (const [status, isRefreshed] of [
    ['RUNNING', false],
    ['RUNNING', true],
    ['SUCCEEDED', true],
  ] as const)
    it(`waits as long as the service asks, even if another task of the same file is ${status}${isRefreshed ? ' after Refresh Status' : ''}`, async () => {
      const window = all.open('A');
      service.answer = () => ({ body: { code: '0', message: null, data: { taskIds: ['a', 'b'] } } });
      const { promise, resolve } = Promise.withResolvers<void>();
      service.report = async (id) => {
        if (id === 'b') return { status: 429, body: 'later', headers: { 'retry-after': '600' } };
        await promise;
        return { body: reported(status) };
      };
      await window.import(await all.write('one.txt'));
      await until(async () => (await window.counts())['waiting'] === 1);
      if (isRefreshed) await window.tasks.refreshStatus({});
      const pauseMs = () => window.serving.served[0]?.gate.checkPauseMs ?? 0;
      await all.passUntil(() => pauseMs() > 0);
      resolve();
      await all.passUntil(async () => (await window.rows())[0]?.tasks[0]?.status === status);
      await window.passSeconds(5);
      assert.ok(pauseMs() > 0);
    });

  for (const status of [404, 401])
    it(`shows a ${status} with a Retry-After header${status === 404 ? ', and checks other tasks as usual' : ''}`, async () => {
      const window = await running('one.txt', 'two.txt');
      const answer = { status, body: rejected('1003'), headers: { 'retry-after': '3600' } };
      service.report = (id) => (id === 'task-1' ? answer : { body: reported('SUCCEEDED') });
      await window.passSeconds(120);
      const tasks = (await window.rows()).flatMap((row) => row.tasks);
      assert.equal(tasks.find(({ id }) => id === '"task-1"')?.cause?.['status'], status);
      if (status === 404) assert.equal((await window.counts())['succeeded'], 1);
    });

  it('checks a task at the usual intervals while a gateway responds with 502', async () => {
    const window = await running('one.txt');
    service.report = () => ({ status: 502, body: 'Bad gateway' });
    const [checks, startMs] = [service.checks.length, all.clock.now()];
    await all.passUntil(() => service.checks.length >= checks + 20);
    assert.ok(all.clock.now() - startMs < 600_000);
    assert.equal((await window.rows())[0]?.tasks[0]?.cause?.status, 502);
  });

  it('does not check tasks whose rows were deleted while the access key was missing', async () => {
    const window = await running(...NAMES);
    const { target } = window;
    window.target = undefined;
    await window.tasks.targetsChanged();
    await window.store.remove({});
    all.clock.advance(2 * HOUR_MS);
    const elsewhere = { dataset: 'Other', origin: 'https://other.example' };
    await window.store.track({ destination: elsewhere, id: typedTaskId('1', 'string'), name: '1' });
    assert.equal(await window.store.clear({ days: 90, rows: 1000 }), NAMES.length);
    window.target = target;
    await window.tasks.targetsChanged();
    service.checks.length = 0;
    await window.import(await all.write('new.txt'));
    await all.passUntil(() => service.checks.includes(`task-${NAMES.length + 1}`));
    assert.deepEqual(new Set(service.checks), new Set([`task-${NAMES.length + 1}`]));
  });

  it('checks a task again if the result of the check could not be stored', async () => {
    const window = await running('one.txt');
    const { report } = window.store;
    let isFull = true;
    const reportOrFail = (one: Report) =>
      isFull ? Promise.reject(new StoreFault('full', 'The disk is full.')) : report(one);
    Object.assign(window.store, { report: reportOrFail });
    service.report = () => ({ body: reported('SUCCEEDED') });
    await all.passUntil(() => window.errors.length > 0);
    assert.deepEqual(await window.counts(), { running: 1 });
    isFull = false;
    await all.passUntil(async () => (await window.counts())['succeeded'] === 1);
  });

  for (const status of [undefined, '/status'])
    it(`treats an unrecognized status ${status ?? ''} as running once another task has moved on from that status, even after a restart`, async () => {
      const read = (window: SendingWindow) => {
        const { contract, ...target } = window.target ?? assert.fail();
        window.target = { ...target, contract: { ...contract, queryTask: { ...contract.queryTask, status } } };
      };
      const first = await running('one.txt');
      read(first);
      await first.tasks.targetsChanged();
      const reports = async (window: SendingWindow, status: string, meaning: string) => {
        service.report = () => ({ body: reported(status) });
        await all.passUntil(async () =>
          (await window.rows()).some(({ tasks: [task] }) => task?.status === status && task.meaning === meaning),
        );
      };
      await reports(first, 'W', 'unknown');
      await reports(first, 'SUCCEEDED', 'succeeded');
      await first.close();
      const second = all.open('B');
      read(second);
      await second.import(await all.write('two.txt'));
      await reports(second, 'W', 'running');
    });

  it('applies a corrected status mapping, even if another window gets the new settings first', async () => {
    const serving = all.open('A');
    const other = all.open('B');
    service.report = () => ({ body: reported('ODD') });
    for (const window of [serving, other]) mapOdd(window, 'succeeded');
    await serving.import(await all.write('one.txt'));
    await all.passUntil(async () => (await serving.counts())['succeeded'] === 1);
    await other.serving.turn();
    const before = service.checks.length;
    mapOdd(other, 'failed');
    await other.tasks.targetsChanged();
    await all.passUntil(() => service.checks.length === before + 1);
    await all.passUntil(async () => (await serving.counts())['succeeded'] === 1);
    mapOdd(serving, 'failed');
    await serving.tasks.targetsChanged();
    await all.passUntil(async () => (await serving.counts())['failed'] === 1);
  });

  it('attaches task IDs to imports that lack one once the settings point to the IDs', async () => {
    const first = all.open('A');
    const read = (window: typeof first, taskId: string) => {
      const { contract, ...target } = window.target ?? assert.fail();
      window.target = { ...target, contract: { ...contract, fileTask: { ...contract.fileTask, taskId } } };
    };
    const names = ['one', 'two'];
    service.answer = () => ({ body: { code: '0', message: null, data: { [`${names[0]}`]: `R-${names.shift()}` } } });
    for (const name of ['one.txt', 'two.txt']) await first.import(await all.write(name));
    await all.passUntil(async () => (await first.counts())['noId'] === 2);
    read(first, '/one');
    await first.tasks.targetsChanged();
    await all.passUntil(() => service.checks.includes('R-one'));
    // The setting changes while no window is open.
    await first.close();
    const second = all.open('B');
    read(second, '/two');
    await second.serving.turn();
    await all.passUntil(() => service.checks.includes('R-two'));
  });

  it('applies a new mapping once the database can be written again', async () => {
    const window = all.open('A');
    service.report = () => ({ body: reported('ODD') });
    mapOdd(window, 'succeeded');
    await window.import(await all.write('one.txt'));
    await all.passUntil(async () => (await window.counts())['succeeded'] === 1);
    const { checkAgain } = window.store;
    Object.assign(window.store, { checkAgain: () => Promise.reject(new StoreFault('full', 'The disk is full.')) });
    mapOdd(window, 'failed');
    await window.tasks.targetsChanged().catch(() => {});
    await window.passSeconds(10);
    assert.deepEqual(await window.counts(), { succeeded: 1 });
    Object.assign(window.store, { checkAgain });
    await all.passUntil(async () => (await window.counts())['failed'] === 1);
  });

  it('applies a new mapping even if the next check gets a login page, a redirect or a rejected key', async () => {
    const window = all.open('A');
    const isNow = (meaning: KnownMeaning) => all.passUntil(async () => (await window.counts())[meaning] === 1);
    service.report = () => ({ body: reported('ODD') });
    mapOdd(window, 'failed');
    await window.import(await all.write('one.txt'));
    await isNow('failed');
    for (const [meaning, answer] of [
      ['succeeded', { body: '<html>Log in</html>' }],
      ['failed', { status: 307, body: '', headers: { location: '/login' } }],
      ['succeeded', { body: rejected('E1') }],
    ] as const) {
      const before = service.checks.length;
      service.report = () => (service.checks.length === before + 1 ? answer : { body: reported('ODD') });
      mapOdd(window, meaning);
      await window.tasks.targetsChanged();
      await isNow(meaning);
    }
  });

  it('switches to a new database if the old one is damaged', async () => {
    const window = await running(...NAMES);
    writeFileSync(all.store.path, 'no database '.repeat(1000));
    await all.passUntil(() => all.store.asides.length > 0);
    await window.import(await all.write('one.txt'));
    service.report = () => ({ body: reported('SUCCEEDED') });
    await all.passUntil(async () => (await window.counts())['succeeded'] === 1);
    const checks = service.checks.length;
    await window.passSeconds(100);
    assert.equal(service.checks.length, checks);
  });
});

/** In a window's settings, maps the status ODD to the given meaning, and declares that E1 means a bad key. */
function mapOdd(window: SendingWindow, meaning: KnownMeaning): void {
  const { target } = window;
  assert.ok(target);
  const queryTask = { ...DEFAULT_CONTRACT.queryTask, statusMeanings: { ODD: meaning } };
  const codes = { badKey: ['E1'], tryLater: [] };
  window.target = { ...target, contract: { ...target.contract, queryTask, codes } };
}
