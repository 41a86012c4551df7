import assert from 'node:assert/strict';
import { reported } from './sending/importingService';
import { SendingWindows } from './sending/sendingWindows';
import { until } from './until';

const NAMES = Array.from({ length: 12 }, (_, index) => `${String(index).padStart(2, '0')}.txt`);

describe('Windows that import and follow', () => {
  it('check each task until it has ended, and write nothing after that', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    const ended = new Set<string>();
    service.report = (taskId) => ({ body: reported(ended.has(taskId) ? 'SUCCEEDED' : 'RUNNING') });
    await window.import(await all.write(...NAMES));
    await all.passUntil(async () => (await window.counts())['running'] === NAMES.length);
    for (const { number } of service.posts) ended.add(`task-${number}`);
    await all.passUntil(async () => (await window.counts())['succeeded'] === NAMES.length);
    await all.passUntil(() => window.serving.served.length === 0);
    const [checks, commits] = [service.checks.length, all.store.commits()];
    for (let seconds = 0; seconds < 100; seconds++) {
      all.clock.advance(1000);
      await window.serving.turn();
    }
    assert.deepEqual([service.checks.length, all.store.commits()], [checks, commits]);
    assert.deepEqual(window.errors, []);
  });

  it('check the tasks of a closed window, each in one window only', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    service.report = () => ({ body: reported('RUNNING') });
    const first = all.open('A');
    await first.import(await all.write(...NAMES));
    await all.passUntil(async () => (await first.counts())['running'] === NAMES.length);
    await first.close();
    const [second, third] = [all.open('B'), all.open('C')];
    service.checks.length = 0;
    service.report = () => ({ body: reported('SUCCEEDED') });
    await all.passUntil(async () => (await second.counts())['succeeded'] === NAMES.length);
    assert.deepEqual(service.checks.toSorted(), [...new Set(service.checks)].toSorted());
    assert.deepEqual([second.errors, third.errors], [[], []]);
  });

  it('check a task now if the user wants that in a window that does not serve', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const [serving, other] = [all.open('A'), all.open('B')];
    service.report = () => ({ body: reported('RUNNING') });
    await serving.import(await all.write('one.txt'));
    await all.passUntil(async () => (await other.counts())['running'] === 1);
    for (let seconds = 0; seconds < 3600; seconds += 10) {
      all.clock.advance(10_000);
      await serving.serving.turn();
    }
    service.report = () => ({ body: reported('SUCCEEDED') });
    const before = service.checks.length;
    assert.equal(await other.tasks.refreshStatus({}), 1);
    await serving.serving.turn();
    await until(() => service.checks.length === before + 1);
    await until(async () => (await other.counts())['succeeded'] === 1);
  });

  it('confirm a first failure after ten seconds, because some services go on', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    const statuses = ['FAILED', 'RUNNING', 'SUCCEEDED'];
    service.report = () => ({ body: reported(statuses.shift() ?? 'SUCCEEDED') });
    await window.import(await all.write('one.txt'));
    const seen = new Set<string>();
    await all.passUntil(async () => {
      for (const state of Object.keys(await window.counts())) seen.add(state);
      return seen.has('succeeded');
    });
    assert.equal(seen.has('failed'), false);
  });

  it('pause the checks of a destination, but not its imports, if the service is too busy for checks', async () => {
    await using all = await SendingWindows.make();
    const { service } = all;
    const window = all.open('A');
    service.report = () => ({ status: 429, body: 'later', headers: { 'retry-after': '600' } });
    await window.import(await all.write('one.txt'));
    await all.passUntil(() => service.checks.length === 1);
    const before = service.checks.length;
    await window.import(await all.write(...NAMES));
    await all.passUntil(async () => (await window.counts())['waiting'] === NAMES.length + 1);
    assert.equal(service.checks.length, before);
  });
});
