import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ThemeIcon } from 'vscode';
import { oneLine } from '../../../../src/editor/platform/outsideText';
import { taskTooltip } from '../../../../src/editor/taskItems/formatHeader';
import { formatState } from '../../../../src/editor/taskItems/formatState';
import { taskItem, taskLabel } from '../../../../src/editor/taskItems/taskItem';
import { pointerNames } from '../../../../src/service/json/jsonPointer';
import { type TaskId, taskIdText } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { Following } from '../../../../src/tasks/following/follower';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { type Accepted, newTask, type TaskState, type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { fileSource } from '../../answeredTasks';
import { everyFailure, hostileTexts, tasks } from '../../generatedTasks';

const now = Date.UTC(2030, 0, 1, 12);
const HOUR = 3_600_000;

/** What Enter or a click does on the row of the task of these tests: nothing else, whatever it is called. */
const SHOWS_DETAILS = ['datasetImport.showDetails', [{ taskKey: 7 }]];

describe("A task's row", () => {
  const [failure] = everyFailure('host.example:443');
  assert.ok(failure);
  const refusal = { by: 'status', status: 403, excerpt: 'no' } as const;
  const rejectedPhase = { kind: 'rejected', refusal } as const;
  const reported = (meaning: TaskReport['meaning']): Accepted => ({
    kind: 'accepted',
    report: { status: meaning.toUpperCase(), meaning, progress: 0.5, message: undefined, from: {} },
  });
  const states: Readonly<Record<TaskState, TrackedTask>> = {
    queued: task({ phase: { kind: 'queued' }, taskId: undefined }),
    sending: task({ phase: { kind: 'sending', attemptId: 'A 1' }, taskId: undefined }),
    notSent: task({ phase: { kind: 'notSent', failure }, taskId: undefined }),
    rejected: task({ phase: rejectedPhase, taskId: undefined }),
    unconfirmed: task({ phase: { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 }, taskId: undefined }),
    withoutId: task({ taskId: undefined }),
    waiting: task({}),
    noReport: task({ phase: reported('none') }),
    running: task({ phase: reported('running') }),
    succeeded: task({ phase: reported('succeeded') }),
    failed: task({ phase: reported('failed') }),
    unknown: task({ phase: reported('unknown') }),
  };

  it('says when the task is checked next, where that is long from now', async () => {
    const soon: Following = { by: 'thisWindow', inMs: 119_000, isLatest: false };
    for (const [following, words] of [
      [soon, undefined],
      [{ ...soon, inMs: 42 * 60_000 }, 'next check in 42 min'],
      [{ ...soon, inMs: 1_000_000, isLatest: true }, 'next check within 17 min'],
      [{ by: 'otherWindow' }, undefined],
    ] as const) {
      const description = String(taskItem(states.running, undefined, now, undefined, following).description);
      assert.ok(words === undefined ? !description.includes('check') : description.includes(words), description);
    }
  });

  it('shows each state by icon and color, and a screen reader says it in words', () => {
    for (const [state, each] of Object.entries(states)) {
      assert.equal(taskState(each), state);
      const { iconPath, accessibilityInformation } = taskItem(each, undefined, now);
      assert.ok(iconPath instanceof ThemeIcon && iconPath.id !== '' && iconPath.color, state);
      const words = `notes.txt, ${formatState(taskState(each), each)}`;
      assert.ok(accessibilityInformation?.label.startsWith(words), words);
    }
  });

  it('has a shape of its own wherever it has a color of its own, as not everyone tells colors apart', () => {
    const canceled = task({ phase: { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } } });
    const rows = [
      ...Object.values(states).map((each) => taskItem(each, undefined, now)),
      taskItem(canceled, undefined, now),
      taskItem(states.running, undefined, now, { kind: 'sandboxStopped' }),
    ];
    const colors = Map.groupBy(rows, ({ iconPath }) => (iconPath as ThemeIcon).id);
    for (const [shape, its] of colors)
      assert.equal(new Set(its.map(({ iconPath }) => (iconPath as ThemeIcon).color?.id)).size, 1, shape);
  });

  it('tells a screen reader its name, state, age and dataset, even where the dataset is not shown', () => {
    const { description, accessibilityInformation } = taskItem(states.failed, undefined, now, undefined, undefined, {
      namesDataset: false,
      isInBatch: false,
    });
    assert.equal(description, 'no message recognized · 5 min ago');
    assert.equal(
      accessibilityInformation?.label,
      'notes.txt, failed, no message recognized, 5 min ago, dataset Manuals',
    );
  });

  it('says first why, and its state only where its icon does not say it', () => {
    const says = (each: TrackedTask) => String(taskItem(each, undefined, now).description);
    const withMessage = { status: 'FAILED', meaning: 'failed', message: 'Row 7 has no part.', from: {} } as const;
    const failed = task({ phase: { kind: 'accepted', report: { ...withMessage, progress: undefined } } });
    assert.equal(says(failed), 'Row 7 has no part. · 5 min ago · Manuals');
    assert.equal(says(states.rejected), 'HTTP 403: no · 5 min ago · Manuals');
    assert.match(says(states.notSent), /^The host .* 5 min ago · Manuals$/);
    assert.equal(says(states.succeeded), '5 min ago · Manuals');
    assert.match(says(states.unconfirmed), /^The host .* · unconfirmed · 5 min ago/);
    assert.match(says(states.running), /^running 50% · /);
  });

  it('says how long a running task has made no progress, from 3 h on and unless its last check failed', () => {
    const quiet = (...[quietMs, facts = {}]: [number, Partial<TrackedTask>?]) =>
      String(taskItem({ ...states.running, ...facts, checkedMs: now - quietMs }, undefined, now).description);
    assert.equal(quiet(3.9 * HOUR), 'running 50% · no progress for 3 h · 5 min ago · Manuals');
    assert.equal(quiet(3 * HOUR - 1), 'running 50% · 5 min ago · Manuals');
    assert.match(quiet(50 * HOUR), /^running 50% · no progress for 2 days · /);
    const lastQueryError = { kind: 'rejected', refusal } as const;
    assert.match(
      quiet(3 * HOUR, { lastQueryError }),
      /^HTTP 403: no · status check rejected · running 50% · 5 min ago/,
    );
    assert.doesNotMatch(quiet(3 * HOUR, { phase: reported('failed') }), /no progress/);
  });

  it('says inside its batch neither when nor where to, which the row of the batch says', () => {
    const inBatch = { namesDataset: true, isInBatch: true };
    const rows = [states.rejected, states.succeeded].map((each) =>
      taskItem(each, undefined, now, undefined, undefined, inBatch),
    );
    assert.deepEqual(
      rows.map(({ description }) => description),
      ['HTTP 403: no', ''],
    );
    assert.deepEqual(
      rows.map(({ accessibilityInformation }) => accessibilityInformation?.label),
      ['notes.txt, rejected, HTTP 403: no', 'notes.txt, succeeded'],
    );
  });

  it('tells of what waits to be sent again why the last try did not help', () => {
    const end = { kind: 'rejected', refusal: { by: 'status', status: 429, excerpt: 'Too many' } } as const;
    const attempt = { beganMs: now - 1000, endedMs: now, sentBytes: 2048, totalBytes: 2048, end };
    const again = taskItem({ ...states.queued, attempts: [attempt] }, undefined, now);
    assert.match(String(again.description), /^HTTP 429: Too many · queued, will be retried · .* ago · /);
  });

  it('shows that the last refresh failed, and keeps the state beside it', () => {
    const troubled = taskItem({ ...states.running, lastQueryError: { kind: 'failed', failure } }, undefined, now);
    assert.match(String(troubled.description), /^The host .* · status check failed · running 50% · /);
    assert.equal((troubled.iconPath as ThemeIcon).id, 'warning');
  });

  it('tells the menus what can be done with it', () => {
    const { sending, waiting, withoutId } = states;
    const of = (each: TrackedTask) => taskItem(each, undefined, now).contextValue;
    assert.equal(of(sending), 'task;file;open;inlineCancelImport;');
    assert.equal(of(states.queued), 'task;file;open;inlineCancelImport;');
    assert.equal(of(states.notSent), 'task;file;again;inlineImportAgain;inlineOpenSourceFile;');
    assert.equal(
      of(states.rejected),
      'task;file;again;editRequest;replaceAccessKey;inlineImportAgain;inlineEditRequest;',
    );
    assert.equal(of(states.unconfirmed), 'task;file;again;attachTaskId;inlineImportAgain;inlineAttachTaskId;');
    const ofText = { ...fileSource('Untitled-1.txt', 5), from: 'text' } as const;
    assert.equal(of({ ...waiting, source: ofText }), 'task;id;inlineRefreshTask;');
    assert.equal(of({ ...waiting, source: undefined }), 'task;id;inlineRefreshTask;');
    assert.equal(of({ ...waiting, hasImportResponse: true }), 'task;file;again;id;mapResponses;inlineRefreshTask;');
    assert.equal(
      of({ ...withoutId, hasImportResponse: true }),
      'task;file;again;mapResponses;attachTaskId;inlineMapResponses;inlineAttachTaskId;',
    );
    assert.equal(of(states.running), 'task;file;again;id;mapStatuses;inlineRefreshTask;');
  });

  it('is called by its file, or by its id to the digit where it was made elsewhere', () => {
    const elsewhere = task({ source: undefined, taskId: '9007199254740993123' as TaskId });
    assert.equal(taskItem(elsewhere, undefined, now).label, '9007199254740993123');
  });

  it('shows text from outside as it is: a plain label and description, in which VS Code draws no icons', () => {
    for (const text of hostileTexts) {
      const item = taskItem(hostile(text), undefined, now);
      assert.equal(item.label, text);
      assert.equal(typeof item.description, 'string');
      assert.ok(String(item.description).includes(text));
      assert.deepEqual([item.command?.command, item.command?.arguments], SHOWS_DETAILS);
    }
  });

  it('never says undefined, null or NaN of any task', () => {
    fc.assert(
      fc.property(tasks, fc.integer({ min: 0, max: 4_102_444_800_000 }), (each, nowMs) => {
        const { label, description, accessibilityInformation, contextValue } = taskItem(each, undefined, nowMs);
        const ownTask = [label, description, accessibilityInformation?.label, contextValue, taskTooltip(each, nowMs)];
        const said = without(ownTask.join('\n'), wordsOf(each));
        assert.doesNotMatch(said, /undefined|null|NaN|\[object|Invalid Date|\{\d\}/);
      }),
      { seed: 1 },
    );
  });
});

describe("A task's tooltip", () => {
  it('says its name, its state with the reason, what that means, and where the task and its file are', () => {
    const refusal = { by: 'status', status: 413, excerpt: 'Too large' } as const;
    const refused = task({ phase: { kind: 'rejected', refusal }, taskId: '9007199254740993123' as TaskId });
    assert.equal(
      taskTooltip(refused, now),
      'notes.txt\nRejected · HTTP 413: Too large\nManuals\nTask ID: 9007199254740993123\n/files/notes.txt',
    );
    assert.match(
      taskTooltip(task({ taskId: undefined }), now),
      /^The service accepted the file\. To follow its task, /m,
    );
  });

  it('shows hostile texts in one line each, without characters that reorder or hide', () => {
    const { length } = taskTooltip(hostile('harmless'), now).split('\n');
    for (const text of hostileTexts) {
      const lines = taskTooltip(hostile(text), now).split('\n');
      assert.equal(lines.length, length, text);
      for (const line of lines) assert.doesNotMatch(line, /[\r\t\u202e]/);
    }
  });
});

function task(change: Partial<TrackedTask>): TrackedTask {
  const told = newTask({
    dataset: 'Manuals',
    source: fileSource('notes.txt', 2048),
    createdMs: now - 5 * 60_000,
    taskId: '"t-1"' as TaskId,
    phase: { kind: 'accepted', report: undefined },
  });
  return { ...asTracked(7, told), ...change };
}

/** A task with the same words wherever words come from outside. */
function hostile(text: string): TrackedTask {
  const from = { pointer: `/${text}`, how: 'recognized' } as const;
  return task({
    dataset: text,
    source: { from: 'disk', path: text, relativePath: text, name: text, sizeBytes: 1 },
    taskId: JSON.stringify(text) as TaskId,
    taskIdFrom: from,
    phase: {
      kind: 'accepted',
      report: {
        status: text,
        meaning: 'unknown',
        progress: undefined,
        message: text,
        from: { status: from, message: from },
      },
    },
    lastQueryError: { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: text } },
  });
}

/** The words in a task that came from outside, longest first. */
function wordsOf(each: TrackedTask): string[] {
  const words: string[] = [taskLabel(each)];
  JSON.stringify(each, (name, value: unknown) => {
    // The names in a rule are places in a response.
    if (name.startsWith('/')) words.push(name, ...pointerNames(name));
    if (typeof value === 'string') words.push(value);
    return value;
  });
  if (each.taskId !== undefined) words.push(taskIdText(each.taskId));
  return words
    .flatMap((word) => [word, oneLine(word)])
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length);
}

function without(text: string, words: readonly string[]): string {
  return words.reduce((rest, word) => rest.replaceAll(word, '…'), text);
}
