import assert from 'node:assert/strict';
import { formatCause, formatReason, formatWhy, type WhyWaits } from '../../../../src/editor/wording/causes';
import { messageSteps, type NextStep, nextSteps, nextStepsOf } from '../../../../src/editor/wording/nextSteps';
import { capitalized, formatRow, formatState, rowSentences } from '../../../../src/editor/wording/states';
import { type Cause, type FileRow, STATES, type State } from '../../../../src/tasks/store/model';
import { FAILURES } from '../../failures';
import { envelope, OwnImportStore, RESET } from '../../ownImportStore';

const HOUR = 3_600_000;

describe("A row's text", () => {
  let own: OwnImportStore;

  beforeEach(() => {
    own = new OwnImportStore();
  });

  afterEach(() => own[Symbol.asyncDispose]());

  const line = (row: FileRow, context = {}) => formatRow(row, { nowMs: row.changedMs, ...context });

  it('names the state and the reason, and includes advice if the state is unclear', async () => {
    const lines: Partial<Record<State, string>> = {};
    for (const state of STATES) {
      await own.inState(state);
      const row = await own.row(`${state}.txt`);
      assert.equal(row.state, state);
      lines[state] = line(row);
      const [first = '', ...advice] = rowSentences(row, { nowMs: row.changedMs });
      assert.ok(first.startsWith(capitalized(formatState(state))), first);
      assert.equal(advice.length, ['unconfirmed', 'noId', 'unknown'].includes(state) ? 1 : 0, state);
    }
    assert.deepEqual(lines, {
      failed: 'failed · Line 3 has no title.',
      rejected: 'rejected · code 42: No such dataset',
      unconfirmed: 'unconfirmed · connection closed',
      notUploaded: 'not uploaded · file not found',
      noId: 'task ID not recognized',
      unknown: "status not recognized · 'STAGE_2'",
      sending: 'uploading',
      queued: 'queued',
      running: 'running 40%',
      waiting: 'uploaded',
      untracked: 'no longer tracked',
      uploaded: 'marked as uploaded',
      succeeded: 'succeeded',
    });
  });

  it('shows how much of a file has been uploaded', async () => {
    await own.inState('sending');
    const row = await own.row('sending.txt');
    assert.equal(row.import.sizeBytes, 12);
    assert.equal(line(row, { sentBytes: 3 }), 'uploading 25% of 12 bytes');
    assert.equal(line(row, { sentBytes: 12 }), 'uploaded, waiting for the response');
  });

  it('shows how long an unfinished task has gone without progress', async () => {
    for (const state of ['running', 'waiting', 'succeeded'] as const) await own.inState(state);
    const [running, waiting, succeeded] = await Promise.all(
      ['running.txt', 'waiting.txt', 'succeeded.txt'].map((name) => own.row(name)),
    );
    assert.ok(running && waiting && succeeded);
    const later = (row: FileRow, hours: number) => formatRow(row, { nowMs: row.changedMs + hours * HOUR });
    assert.equal(later(running, 0.9), 'running 40%');
    assert.equal(later(running, 3.9), 'running 40% · no progress for 3 h');
    assert.equal(later(waiting, 50), 'uploaded · no progress for 2 days');
    assert.equal(later(succeeded, 3), 'succeeded');
  });

  it('mentions the last successful upload if the latest import failed', async () => {
    const [id = 0] = await own.queue(['a.txt']);
    await own.accept(id, 'task');
    const [again = 0] = await own.queue(['a.txt'], { file: { seen: id } });
    await own.reject(again);
    const row = await own.row('a.txt');
    const text = formatRow(row, { nowMs: (row.lastUploadedMs ?? 0) + 2 * HOUR });
    assert.equal(text, 'rejected · code 42: No such dataset · last successful upload 2 h ago');
  });

  it('combines the states of multiple tasks', async () => {
    const [id = 0] = await own.queue(['a.txt']);
    const [one, two] = await own.accept(id, 'one', 'two', 'three');
    assert.ok(one && two);
    await own.report(id, one, { meaning: 'succeeded' });
    await own.report(id, two, { meaning: 'running', progress: 0.5 });
    assert.equal(line(await own.row('a.txt')), 'running · 1 of 3 tasks ended');
  });

  it('still shows the state after a failed status check, and distinguishes failed checks from rejected ones', async () => {
    const id = await own.inState('running');
    const { tasks } = await own.row('running.txt');
    const taskId = tasks[0]?.id ?? assert.fail();
    for (const [cause, words, sentence] of [
      [RESET, 'status check failed · connection closed', 'status check failed · import.example closed the'],
      [envelope('7', 'Busy'), 'status check rejected · code 7: Busy', 'status check rejected · code 7: Busy'],
    ] as const) {
      await own.report(id, taskId, { cause });
      const row = await own.row('running.txt');
      assert.equal(line(row), `running 40% · ${words}`);
      const [first, advice] = rowSentences(row, { nowMs: row.changedMs });
      assert.ok(first?.startsWith(`Running 40% · ${sentence}`), first);
      assert.match(advice ?? '', /may have changed/);
    }
  });

  it('recommends Stop Tracking if the service rejects status checks', async () => {
    const id = await own.inState('running');
    const taskId = (await own.row('running.txt')).tasks[0]?.id ?? assert.fail();
    const byStatus = (status: number) => ({ name: 'Rejected', by: 'status', status, excerpt: '' });
    const steps = { 404: 'refreshStatus stopTracking editRequest', 401: 'setAccessKey refreshStatus stopTracking' };
    const forgotten = [byStatus(404), byStatus(410), { ...envelope('NOT_FOUND'), status: 404 }];
    for (const [cause, expected, isNamed] of [
      ...forgotten.map((cause) => [cause, steps[404], true] as const),
      [envelope('NO_SUCH_TASK'), 'editRequest refreshStatus stopTracking', true],
      [byStatus(401), steps[401], false],
      [RESET, 'refreshStatus stopTracking', false],
    ] as const) {
      await own.report(id, taskId, { status: 'INDEXING', cause });
      const row = await own.row('running.txt');
      assert.equal(nextSteps(row).join(' '), expected);
      const sentences = rowSentences(row, { nowMs: row.changedMs }).join(' ');
      assert.equal(sentences.includes('no longer knows the task, use Stop Tracking'), isNamed);
    }
  });

  it('explains why a queued import is paused or a task is not being checked', async () => {
    for (const state of STATES) await own.inState(state);
    const pause = { reason: 'unreachable', untilMs: 5000, cause: { name: 'ConnectError', reason: 'dns', host: 'h' } };
    for (const state of STATES) {
      const row = await own.row(`${state}.txt`);
      const isTracked = ['running', 'waiting', 'unknown'].includes(state);
      const [plain = '', paused, removed] = [undefined, pause, { reason: 'removed' }].map((why) => line(row, { why }));
      assert.equal(paused, state === 'queued' ? 'paused: cannot reach h, retrying' : plain);
      const words = isTracked ? 'not checked: dataset removed' : plain;
      assert.equal(removed, state === 'queued' ? 'paused: dataset removed' : words);
    }
  });

  it('explains why a queued import will be retried', async () => {
    const [id = 0] = await own.queue(['a.txt']);
    await own.store.putBack([{ attempt: await own.begin(id), tried: true, answer: envelope('7', 'Try later') }]);
    assert.equal(line(await own.row('a.txt')), 'queued, will be retried · code 7: Try later');
  });
});

describe("A row's next steps", () => {
  it('start with the most helpful one', async () => {
    await using own = new OwnImportStore();
    const first: Partial<Record<State, NextStep | undefined>> = {};
    for (const state of STATES) {
      await own.inState(state);
      const row = await own.row(`${state}.txt`);
      first[state] = nextSteps(row)[0];
      if (state === 'rejected') assert.equal(nextSteps(row, { reason: 'removed' }).includes('editRequest'), false);
      const repeated = { ...row, import: { ...row.import, cause: { name: 'RepeatedId' } } };
      if (state === 'unconfirmed') assert.equal(nextSteps(repeated)[0], 'mapResponses');
      if (state === 'queued') assert.equal(nextSteps(row, { reason: 'moved', host: 'h' })[0], 'tryNow');
      if (state === 'queued') assert.equal(nextSteps(row, { reason: 'busy', untilMs: null })[0], 'tryNow');
      if (state === 'queued') assert.equal(nextSteps(row, { reason: 'badKey', untilMs: null })[0], 'setAccessKey');
      if (state === 'rejected') {
        const pause = { reason: 'rejections', untilMs: null, cause: row.import.cause };
        assert.deepEqual(nextSteps(row, pause).slice(0, 2), ['setAccessKey', 'editRequest']);
        const other = { ...pause, cause: { ...row.import.cause, name: 'Rejected', code: 'other' } };
        assert.equal(nextSteps(row, other)[0], 'importAgain');
        const byStatus = (status: number) => ({ name: 'Rejected', by: 'status', status, excerpt: '' });
        const large = { ...row, import: { ...row.import, cause: byStatus(413) } };
        assert.equal(nextSteps(large, { ...pause, cause: byStatus(413) })[0], 'setAccessKey');
        assert.equal(nextSteps(large, { ...pause, cause: byStatus(415) })[0], 'importAgain');
        const saying = (message: string, why?: WhyWaits, status?: number) => {
          const cause = { name: 'Rejected', message, ...(status !== undefined && { status }) };
          return messageSteps({ ...row, import: { ...row.import, cause } }, why).slice(0, 2);
        };
        const missing = "Missing field 'datasetCode'";
        assert.deepEqual(saying(missing), ['editRequest', 'importAgain']);
        const byCode = { ...row, import: { ...row.import, cause: { name: 'Rejected', code: 'A0301' } } };
        assert.deepEqual(nextSteps(byCode), ['importAgain', 'editRequest', 'setAccessKey', 'openSourceFile']);
        assert.deepEqual(saying('Access-Key is not valid'), ['setAccessKey', 'importAgain']);
        assert.deepEqual(saying(missing, undefined, 403), ['setAccessKey', 'editRequest']);
        assert.equal(saying(missing, { reason: 'removed' }).includes('editRequest'), false);
        assert.equal(saying(`'${row.name}' is too large`)[0], 'importAgain');
      }
    }
    assert.deepEqual(first, {
      failed: 'importAgain',
      rejected: 'importAgain',
      unconfirmed: 'attachTaskId',
      notUploaded: 'importAgain',
      noId: 'mapResponses',
      unknown: 'mapStatuses',
      sending: 'cancelImport',
      queued: 'cancelImport',
      running: 'refreshStatus',
      waiting: 'refreshStatus',
      untracked: 'openSourceFile',
      uploaded: 'openSourceFile',
      succeeded: 'openSourceFile',
    });
  });
});

describe("A batch's next steps", () => {
  it('start with the ones that end a wait, followed by the ones that resolve problems', () => {
    const counts = { queued: 1, unconfirmed: 1, rejected: 1, unknown: 1, succeeded: 1 };
    const pause = { reason: 'busy', untilMs: null };
    assert.deepEqual(nextStepsOf(counts, pause), [
      'tryNow',
      'cancelImport',
      'retryFailed',
      'importAgain',
      'mapStatuses',
      'mapResponses',
    ]);
    assert.deepEqual(nextStepsOf({ noId: 1 }), ['mapResponses']);
    assert.deepEqual(nextStepsOf({ noId: 1, unknown: 1 }, { reason: 'removed' }), []);
    assert.deepEqual(nextStepsOf({ succeeded: 1 }), []);
  });
});

describe("The description of a failure's cause", () => {
  const causes: readonly Cause[] = [
    ...FAILURES,
    { name: 'CanceledError' },
    { name: 'UnexpectedError', detail: 'd' },
    { name: 'WindowClosed' },
    { name: 'RepeatedId', id: '"1"', file: 'notes/b.txt' },
    { name: 'Superseded' },
    { name: 'Marked' },
    envelope('42'),
    envelope('42', null),
    { name: 'Rejected', by: 'status', status: 404, excerpt: 'Not Found' },
    { name: 'Rejected', by: 'redirect', status: 307, target: 'https://other.example' },
  ];

  it('is short, lowercase and without a period when it is shown in a row', () => {
    for (const cause of causes) {
      const reason = formatReason(cause);
      assert.match(reason, /^(?:[a-z{]|HTTP )/, reason);
      assert.ok(reason.length <= 45 && !reason.endsWith('.') && !/undefined|null/.test(reason), reason);
      assert.doesNotMatch(formatCause(cause), /undefined|null/);
    }
  });

  it('distinguishes the reasons why a file cannot be read', () => {
    const reasons = FAILURES.filter(({ name }) => name === 'SourceError').map(formatReason);
    assert.equal(new Set(reasons).size, reasons.length);
  });

  it("includes the error's name if the cause was stored by a newer version of the extension", () => {
    assert.equal(formatReason({ name: 'NewError' }), 'unexpected error: NewError');
    assert.equal(formatCause({ name: 'NewError' }), 'An unexpected error occurred: NewError.');
  });

  it('mentions a gateway only if one file is blocked while others are accepted', () => {
    const blocked = { name: 'Rejected', by: 'status', status: 403, excerpt: 'Request blocked' };
    assert.match(
      formatCause({ ...blocked, blocked: true }),
      /^HTTP 403: Request blocked\. .*a gateway such as a firewall/,
    );
    assert.equal(formatCause(blocked), 'HTTP 403: Request blocked');
  });

  it('explains why uploads are paused and when they will be retried', () => {
    const cause = { name: 'BadResponseError', reason: 'serverError', status: 502 };
    assert.equal(
      formatWhy({ reason: 'unconfirmed', untilMs: null, cause }),
      'server error (HTTP 502), waiting for Try Now',
    );
    assert.equal(formatWhy({ reason: 'unconfirmed', untilMs: 9, cause }), 'server error (HTTP 502), retrying');
    assert.equal(formatWhy({ reason: 'busy', untilMs: 13_000 }, 1000), 'the service is busy, retrying in 12 s');
    for (const untilMs of [0, 1000, 1400])
      assert.equal(formatWhy({ reason: 'busy', untilMs }, 1000), 'the service is busy, retrying in 1 s');
    for (const reason of ['store', 'badKey', 'noKey'])
      assert.notEqual(formatWhy({ reason, untilMs: null }), formatWhy({ reason: 'unconfirmed', untilMs: null }));
    for (const reason of ['removed', 'faulty', 'noKey', 'sandboxStopped'] as const)
      assert.ok(formatWhy({ reason } as WhyWaits));
    assert.equal(formatWhy({ reason: 'moved', host: 'h' }), 'moved to h');
  });
});
