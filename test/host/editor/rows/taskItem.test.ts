import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commands, type MarkdownString, ThemeIcon } from 'vscode';
import { formatState } from '../../../../src/editor/rows/formatState';
import { taskItem, taskLabel } from '../../../../src/editor/rows/taskItem';
import { taskTooltip } from '../../../../src/editor/rows/taskTooltip';
import { SANDBOX_NAME } from '../../../../src/service/contract/dataset';
import { pointerNames } from '../../../../src/service/json/jsonPointer';
import type { TaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import type { Following } from '../../../../src/tasks/following/follower';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import {
  type Accepted,
  newTask,
  type Phase,
  type TaskState,
  type TrackedTask,
  taskState,
} from '../../../../src/tasks/trackedTask';
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
    stalled: task({ phase: { ...reported('running'), isStalled: true }, checkedMs: now - 3 * HOUR }),
    succeeded: task({ phase: reported('succeeded') }),
    failed: task({ phase: reported('failed') }),
    unknown: task({ phase: reported('unknown') }),
    unreadable: task({ phase: { kind: 'unreadable' } }),
  };

  it('says when the task is checked next: in its tooltip always, in the row where that is long', async () => {
    const said: Record<string, Following> = {
      'next check in 40 s': { by: 'thisWindow', inMs: 39_001, isLatest: false, isSlowed: false },
      'next check in 42 min': { by: 'thisWindow', inMs: 42 * 60_000, isLatest: false, isSlowed: false },
      'next check within 90 s': { by: 'thisWindow', inMs: 90_000, isLatest: true, isSlowed: false },
      'next check within 17 min': { by: 'thisWindow', inMs: 1_000_000, isLatest: true, isSlowed: false },
      'checked by another window': { by: 'otherWindow' },
    };
    for (const [words, following] of Object.entries(said)) {
      assert.ok(taskTooltip(states.running, undefined, following).value.includes(words), words);
      const { description } = taskItem(states.running, undefined, now, undefined, following);
      assert.equal(String(description).includes(words), words.endsWith('min'), words);
    }
    assert.doesNotMatch(taskTooltip(states.running).value, /check/);
  });

  it('says in its tooltip that it is checked less often as reading the responses takes long, where that is so', () => {
    for (const isSlowed of [true, false]) {
      const { value } = taskTooltip(states.running, undefined, { by: 'thisWindow', inMs: 1, isLatest: true, isSlowed });
      assert.equal(value.includes('as reading the responses of Manuals takes long'), isSlowed, value);
    }
  });

  for (const [state, each] of Object.entries(states)) {
    it(`tells by icon and color, and a screen reader in words, that a task is ${state}`, () => {
      assert.equal(taskState(each), state);
      const item = taskItem(each, undefined, now);
      assert.ok(item.iconPath instanceof ThemeIcon && item.iconPath.id !== '');
      assert.ok(item.iconPath.color);
      // A screen reader says no icons.
      assert.ok(item.accessibilityInformation?.label.startsWith(`notes.txt, ${formatState(taskState(each), each)}`));
    });
  }

  it('looks unlike every other state that means something else', () => {
    const looks = Object.values(states).map((each) => taskItem(each, undefined, now));
    const read = looks.map(({ description, iconPath }) => `${(iconPath as ThemeIcon).id} ${description}`);
    assert.equal(new Set(read).size, looks.length);
    const { succeeded, failed, unconfirmed, rejected, unknown, running } = states;
    const icons = [succeeded, failed, unconfirmed, rejected, unknown, running].map(iconOf);
    assert.equal(new Set(icons).size, icons.length);
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

  it('says how long nothing new came of a stalled task, after what was reported last, also by a clock set back', () => {
    const quiet = (...[quietMs, facts = {}]: [number, Partial<TrackedTask>?]) =>
      String(taskItem({ ...states.stalled, ...facts, checkedMs: now - quietMs }, undefined, now).description);
    assert.equal(quiet(3.9 * HOUR), 'running 50% · nothing new for 3 h · 5 min ago · Manuals');
    assert.match(quiet(50 * HOUR), /^running 50% · nothing new for 2 days · /);
    assert.match(quiet(-5 * HOUR), /^running 50% · nothing new for 1 h · /);
    const lastQueryError = { kind: 'rejected', refusal } as const;
    assert.match(
      quiet(3 * HOUR, { lastQueryError }),
      /^HTTP 403: no · status check rejected · running 50% · 5 min ago/,
    );
    assert.doesNotMatch(quiet(3 * HOUR, { phase: { ...reported('failed'), isStalled: true } }), /nothing new/);
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

  it('has colors that each theme sets, high contrast too', () => {
    const colors = Object.values(states).map(
      (each) => (taskItem(each, undefined, now).iconPath as ThemeIcon).color?.id,
    );
    // Those of lists are for problems and are not set in high contrast.
    for (const color of colors) assert.doesNotMatch(color ?? '', /^list\./);
  });

  it('tells how far the sending is, and how far the service is', () => {
    const sending = taskItem(states.sending, { sentBytes: 999, totalBytes: 1000 }, now);
    assert.match(String(sending.description), /^importing 99%/);
    assert.match(String(taskItem(states.running, undefined, now).description), /^running 50%/);
    assert.doesNotMatch(String(taskItem(states.succeeded, undefined, now).description), /%/);
  });

  it('tells to the percent what the service says', () => {
    const { phase } = states.running;
    const report = phase.kind === 'accepted' ? phase.report : undefined;
    assert.ok(report);
    for (let percent = 0; percent <= 100; percent++) {
      const running = {
        ...states.running,
        phase: { ...phase, report: { ...report, progress: percent / 100 } } as Phase,
      };
      assert.match(String(taskItem(running, undefined, now).description), new RegExp(`^running ${percent}%`));
    }
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
    assert.equal(
      of({ ...waiting, hasLastResponse: true }),
      'task;file;again;id;response;inlineRefreshTask;inlineShowLastResponse;',
    );
    assert.equal(of({ ...waiting, source: undefined }), 'task;id;inlineRefreshTask;');
    assert.equal(of({ ...waiting, hasImportResponse: true }), 'task;file;again;id;chooseTaskId;inlineRefreshTask;');
    assert.equal(
      of({ ...withoutId, hasImportResponse: true }),
      'task;file;again;chooseTaskId;attachTaskId;inlineChooseTaskId;inlineAttachTaskId;',
    );
    assert.equal(of(states.running), 'task;file;again;id;chooseStatusMeaning;inlineRefreshTask;');
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
        const ownTask = [label, description, accessibilityInformation?.label, contextValue, taskTooltip(each).value];
        const said = without(ownTask.join('\n'), wordsOf(each));
        assert.doesNotMatch(said, /undefined|null|NaN|\[object|Invalid Date|\{\d\}/);
      }),
    );
  });
});

describe("A task's tooltip", () => {
  it('says that the service responded before the whole file was sent, where it did', () => {
    const end = { kind: 'accepted', report: undefined } as const;
    const attempt = { beganMs: now, endedMs: now, sentBytes: 1, totalBytes: 2, end };
    const words = /responded before the whole file was sent/;
    assert.match(taskTooltip(task({ attempts: [attempt] })).value, words);
    assert.doesNotMatch(taskTooltip(task({ attempts: [{ ...attempt, sentBytes: 2 }] })).value, words);
  });

  it('trusts no HTML, no icons, and no commands but those that help where a task is not understood or was rejected', () => {
    fc.assert(
      fc.property(tasks, (each) => {
        const { isTrusted, supportHtml, supportThemeIcons } = taskTooltip(each);
        const enabledCommands = [
          ...helpfulCommands(each).map((name) => `datasetImport.${name}`),
          ...helpfulAfterRejection(each),
        ];
        assert.deepEqual(isTrusted, enabledCommands.length === 0 ? undefined : { enabledCommands });
        assert.deepEqual([supportHtml, supportThemeIcons].map(Boolean), [false, false]);
      }),
    );
  });

  it('has a link for what is not understood, which gives the command the task, and else none', async () => {
    const argument = encodeURIComponent('[{"taskKey":7,"isOffer":true}]');
    const notUnderstood = (status: string | undefined): Phase => ({
      kind: 'accepted',
      report: { status, meaning: 'unknown', progress: undefined, message: undefined, from: {} },
    });
    const reportedFailed: Phase = {
      kind: 'accepted',
      report: { status: 'FAILED', meaning: 'failed', progress: undefined, message: undefined, from: {} },
    };
    for (const [each, ...links] of [
      [task({ taskId: undefined, hasImportResponse: true }), ['chooseTaskId', 'Choose the Task ID…']],
      [
        task({ phase: notUnderstood(undefined), hasLastResponse: true }),
        ['chooseStatus', 'Choose the Status…'],
        ['stateRules', 'Edit State Rules…'],
      ],
      [task({ phase: notUnderstood('Z') }), ['chooseStatusMeaning', 'Map Statuses…']],
      [task({ phase: reportedFailed, hasLastResponse: true }), ['chooseMessage', 'Choose the Message…']],
      [task({ taskId: undefined }), ['attachTaskId', 'Attach Task ID…']],
      [task({ phase: notUnderstood(undefined) })],
      [task({ hasImportResponse: true, hasLastResponse: true })],
    ] as const) {
      const expected = links.map(([name, label]) => [`command:datasetImport.${name}?${argument}`, label]);
      assert.deepEqual(linksOf(await rendered(taskTooltip(each))), expected);
    }
  });

  it('goes on offering what helps after a rejection: the request, the key, or the ID where no query was accepted yet', async () => {
    const refusal = { by: 'envelope', status: 200, code: '1004', message: 'No such task' } as const;
    const lastQueryError = { kind: 'rejected', refusal } as const;
    const badKey = { ...lastQueryError, badKey: true } as const;
    const hasImportResponse = true;
    const taskIdFrom = { pointer: '/x', how: 'mapped' } as const;
    const running = {
      status: 'RUNNING',
      meaning: 'running',
      progress: undefined,
      message: undefined,
      from: {},
    } as const;
    const [edit, key] = ['Edit Request…', 'Replace Access Key…'];
    for (const [each, labels] of [
      [task({ phase: { kind: 'rejected', refusal } }), [edit, key]],
      [task({ phase: { kind: 'rejected', refusal }, dataset: SANDBOX_NAME }), [edit]],
      [task({ lastQueryError, hasImportResponse, taskIdFrom }), [edit, 'Choose the Task ID…']],
      [task({ lastQueryError, hasImportResponse }), [edit, 'Attach Task ID…']],
      [task({ lastQueryError, source: undefined }), [edit, key, 'Attach Task ID…']],
      [task({ lastQueryError, phase: { kind: 'accepted', report: running } }), [edit]],
      [task({ lastQueryError: badKey }), [key]],
      [task({ phase: { kind: 'queued' }, lastQueryError }), []],
      [task({}), []],
    ] as const) {
      const links = linksOf(await rendered(taskTooltip(each)));
      assert.deepEqual(
        links.map(([, label]) => label),
        labels,
        JSON.stringify(each),
      );
      for (const [href] of links)
        assert.ok(href.endsWith(`?${encodeURIComponent('[{"taskKey":7,"isOffer":true}]')}`), href);
    }
  });

  for (const text of hostileTexts) {
    it(`shows as plain text, though it trusts a command: ${JSON.stringify(text)}`, async () => {
      const tooltip = taskTooltip(hostile(text));
      const enabledCommands = ['datasetImport.chooseStatusMeaning', 'datasetImport.editRequest'];
      assert.deepEqual(tooltip.isTrusted, { enabledCommands });
      const shown = await rendered(tooltip);
      assert.deepEqual(
        linksOf(shown).map(([, label]) => label),
        ['Map Statuses…', 'Edit Request…'],
      );
      assert.deepEqual(tagsOf(shown), tagsOf(await rendered(taskTooltip(hostile('harmless')))));
      const places = 8; // label, state, dataset, id, status, message, last refresh, file
      const visible = text.replace('\u202e', '\\u202e').replaceAll(/\s+/g, ' ');
      assert.equal(words(shown).split(visible).length - 1, places);
    });
  }

  it('has the id to the digit, and the answer of a service that refused', () => {
    const refusal = { by: 'status', status: 413, excerpt: 'Too large' } as const;
    const refused = task({ phase: { kind: 'rejected', refusal }, taskId: '9007199254740993123' as TaskId });
    assert.match(taskTooltip(refused).value, /9007199254740993123/);
    assert.match(taskTooltip(refused).value, /413.*Too large/);
  });

  it('lists the attempts where there was more than one, of many the last five', async () => {
    const { phase } = task({ phase: { kind: 'rejected', refusal: { by: 'status', status: 429, excerpt: 'busy' } } });
    assert.ok(phase.kind === 'rejected');
    const attempt = { beganMs: now, endedMs: now, sentBytes: 1024, totalBytes: 2048, end: phase };
    const tries = async (count: number, change: Partial<TrackedTask>) => {
      const shown = words(await rendered(taskTooltip(task({ ...change, attempts: new Array(count).fill(attempt) }))));
      return [...shown.matchAll(/Attempt (\d+):/g)].map(([, number]) => Number(number));
    };
    assert.deepEqual(await tries(1, { phase }), []);
    assert.deepEqual(await tries(1, { phase: { kind: 'queued' } }), [1]);
    assert.deepEqual(await tries(2, { phase }), [1, 2]);
    assert.deepEqual(await tries(7, { phase }), [3, 4, 5, 6, 7]);
    const two = words(await rendered(taskTooltip(task({ phase, attempts: [attempt, attempt] }))));
    assert.match(two, /Attempt 2: .*HTTP 429: busy · 1\.0 KB of 2\.0 KB of the request was sent\./);
  });

  it('says the facts alone: where each was read is in the details', async () => {
    const from = {
      status: { pointer: '/stage', how: 'mapped' },
      progress: { pointer: '/done', how: 'recognized' },
    } as const;
    const report = { status: 'IN_DATASET', meaning: 'succeeded', progress: 0.5, message: 'read', from } as const;
    const taskIdFrom = { pointer: '/importTask/id', how: 'recognized' } as const;
    const shown = words(await rendered(taskTooltip(task({ taskIdFrom, phase: { kind: 'accepted', report } }))));
    assert.match(shown, /Task ID: t-1 Status: IN_DATASET Progress: 50% Message: read Size: /);
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

function iconOf(each: TrackedTask): string {
  const icon = taskItem(each, undefined, now).iconPath as ThemeIcon;
  return `${icon.id} ${icon.color?.id}`;
}

/** What VS Code's own Markdown makes of it. It lets HTML and links through, as a tooltip does not. */
async function rendered({ value }: MarkdownString): Promise<string> {
  return (await commands.executeCommand<string>('markdown.api.render', value)) ?? '';
}

/** The commands that help where a task is not understood, as the tasks of these tests tell it. */
function helpfulCommands({ phase, taskId, hasImportResponse, hasLastResponse, lastQueryError }: TrackedTask): string[] {
  if (phase.kind !== 'accepted') return [];
  if (taskId === undefined) return [hasImportResponse ? 'chooseTaskId' : 'attachTaskId'];
  const { report } = phase;
  const isUnclear = report?.meaning === 'unknown' && report.error !== undefined;
  if (report?.meaning === 'unknown' && report.status !== undefined && !isUnclear) return ['chooseStatusMeaning'];
  const isRefusal = lastQueryError?.kind === 'rejected' && lastQueryError.refusal.by === 'envelope';
  if (!hasLastResponse || isRefusal) return [];
  if (isUnclear) return ['stateRules'];
  if (report?.meaning === 'failed' && report.message === undefined) return ['chooseMessage'];
  return report?.meaning === 'unknown' ? ['chooseStatus', 'stateRules'] : [];
}

/** The commands that help after a rejection, as the tasks of these tests tell it. */
function helpfulAfterRejection({
  dataset,
  source,
  phase,
  taskId,
  taskIdFrom,
  hasImportResponse,
  lastQueryError,
}: TrackedTask): string[] {
  const rejected = phase.kind === 'accepted' && lastQueryError?.kind === 'rejected' ? lastQueryError : undefined;
  const last = phase.kind === 'rejected' ? phase : rejected;
  const [edit, key] = ['datasetImport.editRequest', 'datasetImport.replaceAccessKey'];
  if (last === undefined) return [];
  if ('badKey' in last && last.badKey) return [key];
  const keys = dataset === SANDBOX_NAME ? [] : [key];
  if (phase.kind !== 'accepted') return [edit, ...keys];
  if (phase.report !== undefined) return [edit];
  const ofTracked = source === undefined ? keys : [];
  if (taskId === undefined) return [edit, ...ofTracked];
  const isChosen = taskIdFrom !== undefined && hasImportResponse;
  return [edit, ...ofTracked, isChosen ? 'datasetImport.chooseTaskId' : 'datasetImport.attachTaskId'];
}

function linksOf(html: string): [href: string, label: string][] {
  return [...html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = '', label = '']) => [
    href,
    label,
  ]);
}

function tagsOf(html: string): string[] {
  return [...new Set([...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag = '']) => tag))].toSorted();
}

/** What is read of HTML: its text, whatever white space is in it. */
function words(html: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
  return html
    .replaceAll(/<\/?(?:p|br|strong|span|a)\b[^>]*>/g, ' ')
    .replaceAll(/&([a-z]+);/g, (entity, name: string) => entities[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
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
  return words.filter((word) => word !== '').toSorted((a, b) => b.length - a.length);
}

function without(text: string, words: readonly string[]): string {
  return words.reduce((rest, word) => rest.replaceAll(word, '…'), text);
}
