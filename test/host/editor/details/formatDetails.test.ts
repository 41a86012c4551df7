import assert from 'node:assert/strict';
import { env } from 'vscode';
import { type DetailsContent, formatDetails } from '../../../../src/editor/details/formatDetails';
import type { TaskId } from '../../../../src/service/json/taskId';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { type Attempt, type EndedPhase, type NewTask, newTask, type Phase } from '../../../../src/tasks/trackedTask';
import { answerWith, fileSource } from '../../answeredTasks';

const silent = { name: 'ConnectionLostError', reason: 'silent', host: 'a.example', detail: '' } as const;
const tooLarge = { by: 'status', status: 413, excerpt: 'Too large' } as const;

describe('The text of the details of a task', () => {
  it('tells the state and the reason in the second line, and what to do where the state is not certain', () => {
    const reported = (report: object) => {
      const known = {
        status: undefined,
        meaning: 'running',
        progress: undefined,
        message: undefined,
        from: {},
      } as const;
      return { kind: 'accepted', report: { ...known, ...report } } as Phase;
    };
    const failedCheck = { kind: 'failed', failure: silent } as const;
    const cases: readonly (readonly [Partial<NewTask>, ...string[]])[] = [
      [{ phase: { kind: 'rejected', refusal: tooLarge } }, 'Rejected · HTTP 413: Too large'],
      [
        { phase: { kind: 'unconfirmed', failure: silent, sentBytes: 2, totalBytes: 2 } },
        'Unconfirmed · The request was sent, but a.example did not respond in time.',
        'The service may have received the file. If it has, attach the task ID. If it has not, retry the import. Retrying may create a duplicate.',
      ],
      [
        { phase: { kind: 'accepted', report: undefined }, taskId: undefined },
        'Task ID not recognized',
        'The service accepted the file. To follow its task, choose or attach the task ID.',
      ],
      [{ phase: reported({ meaning: 'failed', message: 'Torn page' }) }, 'Failed · Torn page'],
      [{ phase: reported({ meaning: 'failed' }) }, 'Failed · No message was recognized in the response.'],
      [
        { phase: reported({ meaning: 'unknown', status: 'SO_SO' }) },
        "Status 'SO_SO'",
        'The task counts as unfinished until you select what this status means.',
      ],
      [
        { phase: reported({ message: 'page 3' }), lastQueryError: failedCheck },
        'Running · page 3 · Status check failed: The request was sent, but a.example did not respond in time.',
        'The state may have changed since the last successful check.',
      ],
      [
        { phase: reported({}), checkedMs: 0 },
        'Running',
        `The service has reported no progress since ${new Date(0).toLocaleString(env.language)}. The status is still checked.`,
      ],
    ];
    for (const [known, ...lines] of cases)
      assert.deepEqual(linesOf({ task: taskWith(known) }).slice(0, lines.length + 2), ['a.txt', ...lines, '']);
    const why = { kind: 'noKey' } as const;
    const notChecked = linesOf({ task: taskWith({ phase: reported({}) }), why });
    assert.deepEqual(notChecked.slice(1, 3), ['Running', 'Not checked: no access key']);
  });

  it('tells in sentences how each attempt ended', () => {
    const ends: readonly EndedPhase[] = [
      { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } },
      { kind: 'unconfirmed', failure: silent, sentBytes: 2, totalBytes: 2 },
      { kind: 'rejected', refusal: tooLarge },
      { kind: 'accepted', report: undefined },
    ];
    const said = linesOf({ task: taskWith({ attempts: ends.map(attempt) }) }).flatMap((line) => {
      return /Attempt .*$/.exec(line) ?? [];
    });
    assert.deepEqual(said, [
      'Attempt 1 was not uploaded. Canceled.',
      'Attempt 2 is unconfirmed. The request was sent, but a.example did not respond in time.',
      'Attempt 3 was rejected: HTTP 413: Too large',
      'Attempt 4 was accepted.',
    ]);
  });

  it('calls what a status check found what it is, and not the end of the task', () => {
    const end = { kind: 'accepted', report: undefined } as const;
    const text = textOf({
      task: taskWith({ attempts: [attempt(end, 5)] }),
      timeline: [
        { kind: 'sending', atMs: 5 },
        { kind: 'accepted', atMs: 5 },
        { kind: 'taskId', taskId: '"t"' as TaskId, atMs: 5 },
        { kind: 'status', meaning: 'none', atMs: 6 },
        { kind: 'queryError', error: { kind: 'failed', failure: silent }, atMs: 6 },
        { kind: 'status', status: 'DONE', meaning: 'unknown', atMs: 7 },
        { kind: 'status', status: 'DONE', meaning: 'succeeded', readAnew: true, atMs: 8 },
      ],
      nextCheck: { by: 'thisWindow', atMs: 9, isLatest: false },
    });
    const timeline = text.split('\n\n').find((block) => block.startsWith('Timeline\n'));
    assert.deepEqual(
      timeline?.split('\n').map((line) => line.replace(/^ {2}\d.*? {2}/, '').trim()),
      [
        'Timeline',
        'The upload started.',
        'Attempt 1 was accepted.',
        'Task ID: t',
        'Status check: no status yet',
        'Status check failed: The request was sent, but a.example did not respond in time.',
        "Status check: status 'DONE'",
        "Mapping changed: succeeded ('DONE')",
        'Next status check',
      ],
    );
  });

  it('names each of several tasks with its state and the reason', () => {
    const failed = { status: 'BAD', meaning: 'failed', progress: undefined, message: 'Torn page', from: {} } as const;
    const parts = [
      { taskId: '"t"' as TaskId, report: undefined },
      { taskId: '"u"' as TaskId, report: failed },
    ];
    const lines = linesOf({ task: taskWith({ phase: { kind: 'accepted', report: failed, parts } }) });
    assert.equal(lines[1], 'Failed · 1 of 2 tasks ended · Torn page');
    assert.ok(lines.includes('  Task 1 of 2  t · accepted'), lines.join('\n'));
    assert.ok(lines.includes("  Task 2 of 2  u · failed ('BAD') · Torn page"), lines.join('\n'));
  });

  it('shows the response to the import and the one to the status check', () => {
    const responses = { importResponse: answerWith('{"taskId":"t"}'), lastResponse: answerWith('{"items":[1]}') };
    const text = textOf({ task: taskWith({}), responses });
    assert.match(
      text,
      /\n\nResponse to the Import\n {2}\{\n {4}"code": "0",[\s\S]*\n {2}\}\n\nResponse to the Status Check\n/,
    );
    const rejected = { kind: 'rejected', refusal: tooLarge } as const;
    const refused = { importResponse: undefined, lastResponse: answerWith('{}') };
    assert.match(textOf({ task: taskWith({ phase: rejected }), responses: refused }), /\n\nResponse to the Import\n/);
  });

  it('cannot be faked by the name of a file or the words of a service', () => {
    const hostile = '\n\nLast Response\n\nTimeline\nResponse to the Import\n\u202e[x](command:a)';
    const report = {
      status: hostile,
      meaning: 'unknown',
      progress: undefined,
      message: hostile,
      from: {},
    } as const;
    const text = textOf({
      task: taskWith({
        dataset: `D${hostile}`,
        source: fileSource(`a${hostile}.txt`, 1),
        taskId: JSON.stringify(`t${hostile}`) as TaskId,
        phase: { kind: 'accepted', report },
      }),
      responses: { importResponse: answerWith(JSON.stringify({ hostile })), lastResponse: undefined },
    });
    const lines = text.split('\n');
    const titles = lines.slice(3).filter((line) => /^\S/.test(line));
    assert.deepEqual(titles, ['Task', 'File', 'Response to the Import']);
    assert.ok(!text.includes('\u202e'));
  });
});

function attempt(end: EndedPhase, endedMs: number): Attempt {
  return { beganMs: endedMs, endedMs, sentBytes: 2, totalBytes: 2, end };
}

function taskWith(known: Partial<NewTask>) {
  const phase = { kind: 'accepted', report: undefined } as const;
  const source = fileSource('a.txt', 1);
  return asTracked(1, newTask({ dataset: 'D', source, createdMs: 0, taskId: '"t"' as TaskId, phase, ...known }));
}

function textOf(details: Pick<DetailsContent, 'task'> & Partial<DetailsContent>): string {
  const responses = { importResponse: undefined, lastResponse: undefined };
  return formatDetails({ nowMs: 3 * 3_600_000, timeline: [], responses, ...details });
}

function linesOf(details: Parameters<typeof textOf>[0]): string[] {
  return textOf(details).split('\n');
}
