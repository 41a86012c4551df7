import assert from 'node:assert/strict';
import { type Action, commandTitle } from '../../../../src/editor/platform/actions';
import { Announcer, PauseMessages, type StepAction } from '../../../../src/editor/tasksView/announcements';
import type { Pause } from '../../../../src/tasks/store/model';
import { beforeEachOpenedStore, opened, rejected, unconfirmed, uploaded } from './openedStore';

describe('The message after an import', () => {
  let announcer: Announcer;
  let shown: { kind: string; text: string; actions: readonly Action[] }[];
  let steps: Parameters<StepAction>[];

  beforeEachOpenedStore();

  beforeEach(() => {
    [shown, steps] = [[], []];
    const show =
      (kind: string) =>
      async (text: string, ...actions: Action[]) =>
        void shown.push({ kind, text, actions });
    const note = (text: string) => void shown.push({ kind: 'status bar', text, actions: [] });
    const messages = { done: show('done'), warn: show('warn'), note };
    announcer = new Announcer(opened.store, messages, noting(steps), Date.now);
  });

  async function announced(): Promise<string[]> {
    shown.splice(0);
    await announcer.announce(await opened.store.destinations(null), [1]);
    return shown.map(({ kind, text, actions }) =>
      [`${kind}: ${text}`, ...actions.map(({ label }) => `[${label}]`)].join(' '),
    );
  }

  async function ends(name: string, meaning: 'succeeded' | 'failed', message?: string): Promise<void> {
    await opened.reportRow(await opened.row(name), meaning, meaning.toUpperCase(), message);
  }

  it('names the reason if all failures have the same one, and offers Retry Failed and Show Batch', async () => {
    const no = rejected('Title already exists');
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': no, 'c.md': no }, { skipped: { binary: 2, empty: 1 } });
    assert.deepEqual(await announced(), [
      'warn: Uploaded 1 of 3 to Manuals · rejected: 2 · code 42: Title already exists · skipped: 3 [Retry Failed] [Show Batch]',
    ]);
    const [retry, show] = shown[0]?.actions ?? [];
    await retry?.run();
    await show?.run();
    assert.deepEqual(steps, [
      ['retryFailed', { group: '', filter: { run: 'run 1' } }],
      ['showBatch', { group: '', filter: { batch: 1 } }],
    ]);
    assert.deepEqual(await announced(), []);
  });

  it("offers Edit Request… first if the service's message names a field", async () => {
    const no = rejected("Missing field 'title'");
    await opened.import({ 'a.md': no, 'b.md': no });
    assert.deepEqual(await announced(), [
      "warn: Uploaded 0 of 2 to Manuals · rejected: 2 · code 42: Missing field 'title' [Edit Request…] [Retry Failed] [Show Batch]",
    ]);
  });

  it('counts a file that was imported again by the result of the last import, and names failed tasks, but no reason if there are several', async () => {
    await opened.import({ 'a.md': rejected('No.'), 'b.md': uploaded('T1'), 'c.md': unconfirmed });
    await ends('b.md', 'failed', 'Torn page');
    await opened.import({ 'a.md': uploaded('T2') }, { batch: 1 });
    assert.deepEqual(await announced(), [
      'warn: Uploaded 2 of 3 to Manuals · failed: 1 · unconfirmed: 1 [Retry Failed] [Show Batch]',
      'status bar: Uploaded 1 of 1 to Manuals',
    ]);
  });

  it('offers Set Access Key if the key was rejected, not if a gateway blocked a file, and never mapping commands', async () => {
    const cause = { name: 'Rejected', by: 'status', status: 403, excerpt: 'Forbidden' };
    await opened.import({ 'a.md': { outcome: 'rejected', cause }, 'b.md': uploaded('T1') });
    await opened.import({
      'f.md': { outcome: 'rejected', cause: { ...cause, blocked: true } },
      'g.md': uploaded('T3'),
    });
    assert.deepEqual(await announced(), [
      'warn: Uploaded 1 of 2 to Manuals · rejected: 1 · HTTP 403: Forbidden [Set Access Key…] [Retry Failed] [Show Batch]',
      'warn: Uploaded 1 of 2 to Manuals · rejected: 1 · HTTP 403: Forbidden [Retry Failed] [Show Batch]',
    ]);
    await opened.import({ 'c.md': uploaded('T2'), 'd.md': uploaded() }, { batch: { label: 'other', folder: null } });
    assert.deepEqual(await announced(), ['status bar: Uploaded 2 of 2 to Manuals · task ID not recognized: 1']);
    await opened.import({ 'e.md': uploaded() });
    assert.match(
      (await announced()).join(),
      /^status bar: 'e.md' at Manuals: Task ID not recognized\. The service accepted the file\./,
    );
  });

  it('offers Set Access Key if uploads are paused after repeated rejections', async () => {
    const no = rejected('This key has expired', '40101');
    await opened.import({ 'a.md': no, 'b.md': no, 'c.md': no });
    const cause = { name: 'Rejected', by: 'envelope', status: 200, code: '40101' };
    await opened.store.pause({ destination: 1, pause: { reason: 'rejections', untilMs: null, cause } });
    assert.deepEqual(await announced(), [
      'warn: Uploaded 0 of 3 to Manuals · rejected: 3 · code 40101: This key has expired [Set Access Key…] [Retry Failed] [Show Batch]',
    ]);
  });

  it('appears in the status bar once all files are uploaded, and as a notification once all tasks have succeeded', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': uploaded('T2') });
    assert.deepEqual(await announced(), ['status bar: Uploaded 2 of 2 to Manuals']);
    await ends('a.md', 'succeeded');
    assert.deepEqual(await announced(), []);
    await ends('b.md', 'succeeded');
    assert.deepEqual(await announced(), ["done: 'notes' at Manuals: 2 of 2 succeeded [Show Batch]"]);
  });

  it('reports uploads and tasks together if they end at the same time', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': uploaded('T2'), 'c.md': rejected('No.') });
    await ends('a.md', 'succeeded');
    await ends('b.md', 'failed', 'Torn page');
    assert.deepEqual(await announced(), [
      "warn: 'notes' at Manuals: 1 of 3 succeeded · failed: 1 · rejected: 1 [Retry Failed] [Show Batch]",
    ]);
  });

  it('reports a rejected file, and offers to show its batch, even if the batch of another file ends at the same time', async () => {
    await opened.import({ 'a/1.md': uploaded('T1') }, { batch: { label: 'a', folder: '/notes/a' } });
    await opened.import({ 'b/2.md': rejected('No.') }, { batch: { label: 'b', folder: '/notes/b' } });
    await announced();
    const chosen = { batch: { label: '2 files', folder: null } };
    await opened.import({ 'a/1.md': uploaded('T2'), 'b/2.md': rejected('Too big') }, chosen);
    await ends('1.md', 'succeeded');
    assert.deepEqual(await announced(), [
      "done: 'a' at Manuals: 1 of 1 succeeded [Show Batch]",
      'warn: Uploaded 1 of 2 to Manuals · rejected: 1 · code 42: Too big [Retry Failed] [Show Batch]',
    ]);
    await shown[1]?.actions.at(-1)?.run();
    assert.deepEqual(steps, [['showBatch', { group: '', filter: { batch: 2 } }]]);
  });

  it('is a warning about canceled files only if the service may have received them', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': undefined });
    await opened.store.cancel({});
    assert.deepEqual(await announced(), [
      'done: Uploaded 1 of 2 to Manuals · not uploaded: 1 · canceled [Retry Failed] [Show Batch]',
    ]);
    await ends('a.md', 'succeeded');
    assert.match(
      (await announced()).join(),
      /^done: 'notes' at Manuals: 1 of 2 succeeded · not uploaded: 1 · canceled /,
    );
    await opened.import({ 'c.md': { ...unconfirmed, cause: { name: 'CanceledError' } } });
    assert.match((await announced()).join(), /^warn: 'c\.md' at Manuals: Unconfirmed · Canceled\. /);
  });

  it('is not a warning if the user removed all files with problems from the list', async () => {
    await opened.import({ 'a.md': uploaded('T1'), 'b.md': undefined, 'c.md': rejected('No.') });
    await opened.store.remove({ states: ['queued', 'rejected'] });
    // There will be a separate question about this status.
    await opened.reportRow(await opened.row('a.md'), 'unknown', 'ODD');
    assert.deepEqual(await announced(), ['done: Uploaded 1 of 2 to Manuals · rejected: 1 [Show Batch]']);
    await opened.import({ 'd.md': undefined, 'e.md': undefined });
    await opened.store.remove({ states: ['queued'] });
    assert.deepEqual(await announced(), []);
  });

  it('of a single file shows the full reason and the next steps', async () => {
    await opened.import({ 'a.md': rejected('Title already exists') });
    await opened.import({ 'b.md': unconfirmed });
    const [one = '', other = ''] = await announced();
    assert.equal(
      one,
      "warn: 'a.md' at Manuals: Rejected · code 42: Title already exists [Import Again] [Edit Request…] [Show Details]",
    );
    assert.match(other, /^warn: 'b\.md' at Manuals: Unconfirmed · .*\. The service may have received the file\./);
    assert.match(other, /\[Attach Task ID…\] \[Mark as Uploaded\] \[Show Details\]$/);
    await shown[0]?.actions[0]?.run();
    assert.deepEqual(steps, [['importAgain', { file: (await opened.row('a.md')).id }]]);
  });

  it('of a single file appears only after its task has ended', async () => {
    await opened.import({ 'a.md': uploaded('T1') });
    await opened.import({ 'b.md': uploaded('T2') });
    assert.deepEqual(await announced(), []);
    await ends('a.md', 'failed', 'Torn page');
    await ends('b.md', 'succeeded');
    assert.deepEqual((await announced()).toSorted(), [
      "status bar: 'b.md' at Manuals: Succeeded",
      "warn: 'a.md' at Manuals: Failed · Torn page [Import Again] [Open Source File] [Show Details]",
    ]);
  });

  it('reports that another import of the same files started first', async () => {
    await opened.import({}, { batch: { label: 'notes', folder: '/notes' }, skipped: { 'already uploaded': 3 } });
    assert.deepEqual(await announced(), [
      'done: Nothing was imported, because another import of the same files started first.',
    ]);
  });
});

/** Creates buttons that note their steps instead of running them. */
function noting(steps: unknown[]): StepAction {
  return (...step) => ({ label: commandTitle(step[0]), run: () => steps.push(step) });
}

describe('The message about a pause', () => {
  const NOW = 1_000_000;
  let shown: { text: string; actions: readonly Action[] }[];
  let ran: unknown[];
  let messages: PauseMessages;

  beforeEach(() => {
    [shown, ran] = [[], []];
    const warn = async (text: string, ...actions: Action[]) => void shown.push({ text, actions });
    messages = new PauseMessages({ warn }, noting(ran));
  });

  const update = (pause: Pause | null, busy = true) =>
    messages.update([{ id: 7, dataset: 'Manuals', busy, why: pause ?? undefined }], NOW);
  const texts = () => shown.map(({ text }) => text);

  it('appears once for each pause of more than 10 seconds while imports are waiting', () => {
    update({ reason: 'busy', untilMs: NOW + 10_000 });
    update({ reason: 'busy', untilMs: null }, false);
    assert.deepEqual(texts(), []);
    update({ reason: 'busy', untilMs: NOW + 16_000 });
    update({ reason: 'busy', untilMs: NOW + 32_000 });
    assert.deepEqual(texts(), ['Uploads to Manuals are paused: the service is busy, retrying']);
  });

  it('appears again for a later pause, but not if the same pause continues after a brief interruption', () => {
    const pause = { reason: 'busy', untilMs: NOW + 16_000 };
    update(pause);
    for (let second = 0; second < 4; second++) update(null);
    update(pause);
    assert.equal(shown.length, 1);
    for (let second = 0; second < 5; second++) update(null);
    update(pause);
    assert.equal(shown.length, 2);
    update(null, false);
    update(pause);
    assert.equal(shown.length, 3);
  });

  it('appears again if the new access key is also rejected', () => {
    update({ reason: 'badKey', untilMs: null });
    messages.forget();
    update({ reason: 'badKey', untilMs: null });
    assert.equal(shown.length, 2);
  });

  it('offers the most helpful command first', () => {
    const labels = (reason: string) => {
      update(null, false);
      update({ reason, untilMs: null });
      return shown.at(-1)?.actions.map(({ label }) => label);
    };
    assert.deepEqual(labels('badKey'), ['Set Access Key…', 'Try Now']);
    assert.deepEqual(labels('noKey'), ['Set Access Key…']);
    assert.deepEqual(labels('rejections'), ['Set Access Key…', 'Edit Request…', 'Continue Anyway']);
    assert.deepEqual(labels('unreachable'), ['Try Now']);
    shown.at(-1)?.actions[0]?.run();
    assert.deepEqual(ran, [['tryNow', { group: '', filter: { destinations: [7] } }]]);
  });

  it('appears again when the reason or the rejection code changes, or when only the user can end the pause', () => {
    const byCode = (code: string) => ({ name: 'Rejected', by: 'envelope', status: 200, code, message: code });
    const byStatus = (status: number) => ({ name: 'Rejected', by: 'status', status, excerpt: '' });
    update({ reason: 'unreachable', untilMs: NOW + 16_000 });
    update({ reason: 'unreachable', untilMs: NOW + 1000 });
    update({ reason: 'unreachable', untilMs: null });
    for (const cause of [byCode('41'), byCode('42'), byStatus(400), byStatus(422)])
      update({ reason: 'rejections', untilMs: null, cause });
    update({ reason: 'badKey', untilMs: null });
    const reasons = texts().map((text) => text.replace(/.*paused: /, ''));
    assert.deepEqual(reasons, [
      'the service reports errors, retrying',
      'the service reports errors',
      'code 41: 41',
      'code 42: 42',
      'HTTP 400',
      'HTTP 422',
      'access key rejected',
    ]);
  });

  it('does not appear again if the reason stays the same and only the underlying error changes', () => {
    const cause = { name: 'BadResponseError', reason: 'serverError', status: 503 };
    update({ reason: 'unconfirmed', untilMs: null, cause });
    update({ reason: 'unconfirmed', untilMs: null, cause: null });
    assert.equal(shown.length, 1);
    for (const code of ['SLOW', 'BUSY'])
      update({ reason: 'busy', untilMs: NOW + 16_000, cause: { name: 'Rejected', by: 'envelope', status: 200, code } });
    assert.equal(shown.length, 2);
  });
});
