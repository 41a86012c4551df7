import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { env, window } from 'vscode';
import { COMMANDS } from '../../../../src/editor/commands';
import { importFiles } from '../../../../src/editor/importing/importFiles';
import type { Services } from '../../../../src/editor/services';
import { APPLICABLE, chooseRows } from '../../../../src/editor/tasksView/chooseRows';
import * as commands from '../../../../src/editor/tasksView/rowCommands';
import type { TasksNode } from '../../../../src/editor/tasksView/shownRows';
import { Serving } from '../../../../src/tasks/sending/serving';
import type { Filter } from '../../../../src/tasks/store/model';
import { wire } from '../../../unit/service/wire';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { closeEditors } from '../../settled';
import { beforeEachUploads, own, uploads } from '../importing/uploads';

const NONE = { name: 'UserError', message: 'There are no tasks to which this command applies.' };
const OTHER = { dataset: 'Other', origin: 'https://other.example' };

describe('A row command', () => {
  beforeEachUploads('chosen');

  it('applies to the clicked or selected rows and to all rows in selected groups', async () => {
    await own.queue(['one/a.txt', 'one/b.txt']);
    await own.inState('rejected');
    const a = await own.row('a.txt');
    const rejected = await own.row('rejected.txt');
    const batch: TasksNode = { group: `batch ${a.batch}`, filter: { batch: a.batch } };
    assert.deepEqual(await choose([{ file: a.id }]), { files: [a.id] });
    assert.deepEqual(await choose([batch]), { batch: a.batch });
    const b = await own.row('b.txt');
    assert.deepEqual(await choose([{ file: rejected.id }, batch]), { files: [rejected.id, a.id, b.id] });
    assert.deepEqual(uploads.asked, []);
  });

  it('lets the user pick all rows, a batch or an individual row if nothing is selected', async () => {
    await own.queue(['one/a.txt', 'one/b.txt']);
    await own.queue(['two/b.txt'], { destination: OTHER });
    await own.inState('rejected');
    const a = await own.row('a.txt');
    const offered: string[] = [];
    const one: typeof uploads.services.picks.one = async (items, { title }) => {
      offered.push(title ?? '', ...items.map(({ label, description = '' }) => `${label} (${description})`));
      return items[1];
    };
    const services = { ...uploads.services, picks: { ...uploads.services.picks, one } };
    const filter = { states: APPLICABLE.cancelImport };
    assert.deepEqual(await chooseRows(services, [], 'Cancel Import', filter), { ...filter, batch: a.batch });
    assert.deepEqual(offered, [
      'Cancel Import',
      'All (files: 3)',
      'notes (files: 2 · Manuals)',
      'b.txt (two · queued · Other · just now)',
      'b.txt (one · queued · Manuals · just now)',
      'a.txt (queued · Manuals · just now)',
    ]);
  });

  it('applies to all rows only if the user picks All', async () => {
    await own.inState('rejected');
    await own.inState('failed');
    assert.equal(await choose([]), undefined);
    assert.deepEqual(uploads.asked, ['Retry Failed', 'All', 'failed.txt', 'rejected.txt']);
    uploads.picked.push('All');
    assert.deepEqual(await choose([]), { states: APPLICABLE.retryFailed });
  });

  it('lets the user pick rows if it does not apply to the selected row, but fails on a clicked row', async () => {
    await own.inState('succeeded');
    await own.inState('rejected');
    const row = { file: (await own.row('succeeded.txt')).id };
    const retry = async (args: unknown[], selection: unknown[]) =>
      COMMANDS.retryFailed(uploads.services as unknown as Services, { name: 'retryFailed', args, selection });
    await retry([], [row]);
    assert.deepEqual(uploads.asked, ['Retry Failed', 'rejected.txt']);
    await assert.rejects(retry([row], [row]), NONE);
  });

  function choose(nodes: readonly TasksNode[]): Promise<Filter | undefined> {
    return chooseRows(uploads.services, nodes, 'Retry Failed', { states: APPLICABLE.retryFailed });
  }
});

describe('In the Tasks view,', () => {
  afterEach(closeEditors);
  beforeEachUploads('commands');

  it('Retry Failed reimports only the files that failed, were rejected or were not uploaded', async () => {
    for (const state of ['failed', 'rejected', 'notUploaded', 'unconfirmed', 'succeeded'] as const)
      await own.inState(state);
    await own.inState('rejected', 'other.txt');
    const { id } = await own.row('other.txt');
    await commands.reimport(uploads.services, { files: [id] }, APPLICABLE.retryFailed);
    assert.deepEqual(await uploads.queued(), ['other.txt']);
    await commands.reimport(uploads.services, { states: ['failed', 'succeeded'] }, APPLICABLE.retryFailed);
    assert.deepEqual(await uploads.queued(), ['failed.txt', 'other.txt']);
    await commands.reimport(uploads.services, {}, APPLICABLE.retryFailed);
    assert.deepEqual(await uploads.queued(), ['failed.txt', 'notUploaded.txt', 'other.txt', 'rejected.txt']);
    await assert.rejects(commands.reimport(uploads.services, {}, APPLICABLE.retryFailed), NONE);
    assert.deepEqual(uploads.asked, []);
  });

  it('Retry Failed reports a text that is no longer stored, because the service accepted it, after it reimports the other files', async () => {
    await importFiles(uploads.services, { texts: [{ name: 'text', bytes: Buffer.from('text') }] });
    await uploads.send();
    await uploads.report('failed');
    await own.inState('rejected');
    const reimporting = commands.reimport(uploads.services, {}, APPLICABLE.retryFailed);
    await assert.rejects(reimporting, /The text of 'text' is no longer stored/);
    assert.deepEqual(await uploads.queued(), ['rejected.txt']);
  });

  it('Cancel Import cancels queued imports and stops uploads, and fails if there is nothing to cancel', async () => {
    const serving = servingOf();
    await own.inState('queued');
    await own.inState('sending');
    await own.inState('rejected');
    await commands.cancelImport(serving, {});
    const states = (await uploads.rows()).map(({ name, state, import: { cancel } }) => [name, state, !!cancel]);
    assert.deepEqual(states, [
      ['queued.txt', 'notUploaded', false],
      ['rejected.txt', 'rejected', false],
      ['sending.txt', 'sending', true],
    ]);
    const { id } = await own.row('rejected.txt');
    await assert.rejects(commands.cancelImport(serving, { files: [id] }), NONE);
  });

  it("Try Now resumes paused uploads only for the selected rows' datasets", async () => {
    const serving = servingOf();
    await own.queue(['a.txt']);
    await own.queue(['b.txt'], { destination: OTHER });
    const all = await own.store.destinations(null);
    for (const { id } of all)
      await own.store.pause({ destination: id, pause: { reason: 'unreachable', untilMs: null } });
    await serving.turn();
    const { store } = own;
    const services = { ...uploads.services, serving };
    await commands.tryNow(services, { files: [(await own.row('b.txt')).id] });
    await serving.turn();
    const paused = (await store.destinations(null)).filter(({ pause }) => pause !== null);
    assert.equal(paused.map(({ dataset }) => dataset).join(), 'Manuals');
    await assert.rejects(commands.tryNow(services, { files: [(await own.row('b.txt')).id] }), NONE);
  });

  it("Try Now sends queued files to a dataset's new base URL, except files that another window is already uploading", async () => {
    const { datasets, keys } = uploads.services;
    await uploads.importAndSend(uploads.write('in/c.txt', 'uploaded before'));
    await uploads.report('succeeded');
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) uploads.write(`in/${name}`);
    mkdirSync(uploads.uri('notes').fsPath, { recursive: true });
    symlinkSync(uploads.write('e.txt').fsPath, uploads.uri('notes/e.txt').fsPath);
    for (const folder of ['in', 'notes']) await importFiles(uploads.services, { uris: [uploads.uri(folder)] });
    rmSync(uploads.uri('in/d.txt').fsPath);
    await datasets.remove(datasets.find('Manuals') ?? assert.fail());
    await datasets.add({ name: 'Manuals', baseUrl: 'https://moved.example' });
    const { queue } = uploads.services.serving;
    const facts = { destinations: await own.store.destinations(null), pauseOf: () => null, queue };
    const services = { ...uploads.services, serving: Object.assign(Object.create(own.store), facts) };
    const queued = async () =>
      (await uploads.rows()).flatMap(({ name, state, origin }) => (state === 'queued' ? `${name} ${origin}` : []));
    const before = await queued();
    // The user declines, then enters no access key.
    uploads.answers.push(false);
    uploads.typed.push(undefined);
    for (const _ of [1, 2]) await commands.tryNow(services, {});
    assert.deepEqual(await queued(), before);
    await keys.set(datasets.find('Manuals') ?? assert.fail(), 'new key');
    const { id } = (await own.row('b.txt')).import;
    await commands.tryNow({ ...services, confirm: async () => (await own.begin(id)) !== '' }, {});
    const moved = ['a', 'c', 'e'].map((name) => `${name}.txt https://moved.example`);
    assert.deepEqual((await queued()).toSorted(), [...moved, 'd.txt https://import.example'].toSorted());
    assert.equal((await uploads.rows()).length, 5);
    // The new batches have the same folders. The old ones no longer count these files.
    const batches = await own.store.batches([1, 2, 3, 4]);
    const pages = await Promise.all(batches.map(({ id }) => own.store.batchPage(id)));
    assert.deepEqual(
      pages.map((page) => [page?.batch.label, page?.runs[0]?.sums]),
      [
        ['in', { notUploaded: 0, queued: 1, sending: 1 }],
        ['notes', { notUploaded: 0 }],
        ['in', { queued: 2 }],
        ['notes', { queued: 1 }],
      ],
    );
  });

  it('Refresh Status checks unfinished tasks even if another dataset cannot be queried', async () => {
    await own.inState('running');
    await own.inState('succeeded');
    const gone = { dataset: 'Gone', origin: 'https://gone.example' };
    const [lost = 0] = await own.queue(['lost.txt'], { destination: gone });
    await own.accept(lost, 'task of lost.txt');
    const refreshStatus = own.store.checkNow;
    const refreshing = commands.refreshStatus({ ...uploads.services, refreshStatus }, {});
    await assert.rejects(refreshing, /Dataset 'Gone' no longer exists/);
    const checked = await Promise.all(
      ['running.txt', 'succeeded.txt'].map(async (name) => (await own.row(name)).tasks[0]?.checkedMs !== null),
    );
    assert.deepEqual(checked, [false, true]);
    const { id } = await own.row('succeeded.txt');
    await assert.rejects(commands.refreshStatus({ ...uploads.services, refreshStatus }, { files: [id] }), NONE);
  });

  it('Mark as Uploaded asks for confirmation only if it applies to more than one file', async () => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await own.inState('unconfirmed', name);
    const { services } = uploads;
    await commands.markAsUploaded(services, { files: [(await own.row('a.txt')).id] });
    assert.deepEqual([await states(), uploads.asked], [['uploaded', 'unconfirmed', 'unconfirmed'], []]);
    uploads.answers.push(false);
    await commands.markAsUploaded(services, {});
    assert.deepEqual(await states(), ['uploaded', 'unconfirmed', 'unconfirmed']);
    await commands.markAsUploaded(services, {});
    assert.deepEqual(await states(), ['uploaded', 'uploaded', 'uploaded']);
    const question =
      'Mark 2 unconfirmed files as uploaded? [Mark as Uploaded] Use this only if the service has all of them.';
    assert.deepEqual(uploads.asked, [question, question]);
    await assert.rejects(commands.markAsUploaded(services, {}), NONE);
  });

  it('Stop Tracking asks for confirmation and ignores finished tasks', async () => {
    await own.inState('running');
    await own.inState('succeeded');
    const { services } = uploads;
    uploads.answers.push(false);
    await commands.stopTracking(services, {});
    assert.deepEqual(await states(), ['running', 'succeeded']);
    await commands.stopTracking(services, {});
    assert.deepEqual(await states(), ['untracked', 'succeeded']);
    assert.ok(uploads.asked[0]?.startsWith("Stop tracking 'running.txt'? [Stop Tracking]"));
    await assert.rejects(commands.stopTracking(services, {}), NONE);
  });

  it('Mark as Uploaded and Stop Tracking change only the files and imports that the user confirmed', async () => {
    const { store } = own;
    const [a = 0, b = 0, c = 0, d = 0] = await own.queue(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
    await own.loseConnection(a);
    await own.loseConnection(b);
    const change = async () => {
      const [again = 0] = await own.queue(['a.txt'], { file: { seen: a } });
      await own.loseConnection(again);
      await own.loseConnection(c);
      return true;
    };
    await commands.markAsUploaded({ store, confirm: change }, {});
    const marked = (await store.page({ filter: { states: ['uploaded'] }, limit: 9 })).rows;
    const names = marked.map(({ name }) => name);
    assert.deepEqual(names, ['b.txt']);
    await own.inState('running');
    const confirm = async () => (await own.accept(d, 'task of d.txt')).length > 0;
    await commands.stopTracking({ store, confirm }, {});
    assert.equal((await own.row('d.txt')).state, 'waiting');
    assert.equal((await own.row('running.txt')).state, 'untracked');
  });

  it('Open Source File opens a file at the given line and column, and fails if the file is missing after opening the others', async () => {
    const uri = uploads.write('a.txt', 'one\ntwo three\n');
    await own.queue(['a.txt'], { file: { path: uri.fsPath } });
    const { services } = uploads;
    await commands.openSourceFile(services, {}, { line: 2, column: 5 });
    const { document, selection } = window.activeTextEditor ?? assert.fail('no editor');
    assert.equal(document.uri.toString(), uri.toString());
    assert.deepEqual([selection.start.line, selection.start.character], [1, 4]);
    await closeEditors();
    rmSync(uri.fsPath);
    const other = uploads.write('b.txt');
    await own.queue(['b.txt'], { file: { path: other.fsPath } });
    const missing = commands.openSourceFile(services, {});
    await assert.rejects(missing, { name: 'UserError', message: `'a.txt' is no longer at ${uri.fsPath}.` });
    assert.equal(window.activeTextEditor?.document.uri.toString(), other.toString());
  });

  it('Open Source File asks for confirmation before it opens many files', async () => {
    await own.queue(Array.from({ length: 11 }, (_, index) => `${index}.txt`));
    uploads.answers.push(false);
    await commands.openSourceFile(uploads.services, {});
    assert.deepEqual(uploads.asked, ['Open 11 files? [Open] ']);
  });

  it('Copy Task ID copies the task IDs of all selected rows, one per line', async () => {
    const [a = 0, b = 0] = await own.queue(['a.txt', 'b.txt']);
    await own.accept(a, 'T-1', 'T-2');
    await own.accept(b, 'T-3');
    await commands.copyTaskId({ store: own.store }, {});
    assert.equal(await env.clipboard.readText(), 'T-1\nT-2\nT-3');
    await own.inState('rejected');
    await assert.rejects(commands.copyTaskId({ store: own.store }, { states: ['rejected'] }), NONE);
  });

  async function states(): Promise<string[]> {
    return (await uploads.rows()).map(({ state }) => state);
  }

  /** Simulates a window that can't upload to any dataset. */
  function servingOf(): Serving {
    return new Serving({
      store: own.store,
      window: { id: 'W', machine: 'here', pid: process.pid },
      service: wire(),
      files: sharedFiles,
      textsFolder: uploads.textsFolder,
      clock: uploads.clock,
      findTarget: async () => undefined,
      gateOf: () => assert.fail('served'),
      exists: () => true,
      canServe: () => false,
      checking: () => [],
      onError: (error) => assert.fail(error as Error),
    });
  }
});
