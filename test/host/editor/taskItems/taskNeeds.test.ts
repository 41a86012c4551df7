import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { taskItem } from '../../../../src/editor/taskItems/taskItem';
import { HELP_COMMANDS, neededCommands, usefulCommands } from '../../../../src/editor/taskItems/taskNeeds';
import { SANDBOX_NAME } from '../../../../src/service/contract/dataset';
import type { TaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import type { WhyNotAsked } from '../../../../src/tasks/serving/whyNotAsked';
import { withParts } from '../../../../src/tasks/severalTasks';
import { type Accepted, newTask, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { extension } from '../../activated';
import { fileSource } from '../../answeredTasks';
import { everyFailure, tasks } from '../../generatedTasks';

type Commands = readonly string[];

const refusal = { by: 'envelope', status: 200, code: '1004', message: 'No such task' } as const;
const lastQueryError = { kind: 'rejected', refusal } as const;
const [failure] = everyFailure('host.example:443');
const hasImportResponse = true;
const hasLastResponse = true;

/** Tasks in every state, with what they need, and what else can be changed. */
const states: Readonly<Record<string, readonly [task: TrackedTask, needed: Commands, alsoUseful?: Commands]>> = {
  queued: [task({ phase: { kind: 'queued' }, taskId: undefined }), []],
  sending: [task({ phase: { kind: 'sending', attemptId: 'A 1' }, taskId: undefined }), []],
  'not uploaded': [task({ phase: { kind: 'notSent', failure: failure ?? assert.fail() }, taskId: undefined }), []],
  unconfirmed: [
    task({
      phase: { kind: 'unconfirmed', failure: failure ?? assert.fail(), sentBytes: 1, totalBytes: 2 },
      taskId: undefined,
      hasImportResponse,
    }),
    [],
    ['attachTaskId'],
  ],
  rejected: [task({ phase: { kind: 'rejected', refusal }, hasImportResponse }), ['editRequest', 'replaceAccessKey']],
  'rejected by the sandbox, whose key is fixed': [
    task({ phase: { kind: 'rejected', refusal }, dataset: SANDBOX_NAME }),
    ['editRequest'],
  ],
  'without an ID': [task({ taskId: undefined, hasImportResponse }), ['mapResponses'], ['attachTaskId']],
  'without an ID or a response': [task({ taskId: undefined }), ['attachTaskId']],
  waiting: [task({ hasImportResponse, hasLastResponse }), [], ['mapResponses']],
  'tracked by its ID': [task({}), []],
  'not reported yet': [task({ hasImportResponse, hasLastResponse, phase: told('none') }), [], ['mapResponses']],
  running: [
    task({ hasImportResponse, hasLastResponse, phase: told('running', { status: 'RUNNING' }) }),
    [],
    ['mapResponses', 'mapStatuses'],
  ],
  'running by the state expression': [
    task({ hasLastResponse, phase: told('running', { byExpression: 'running' }) }),
    [],
    ['mapResponses'],
  ],
  'of an unknown status': [
    task({ hasLastResponse, phase: told('unknown', { status: 'Z' }) }),
    ['mapStatuses', 'mapResponses'],
  ],
  'whose state expression yields no state': [
    task({ hasLastResponse, phase: told('unknown', { byExpression: '"DONE"' }) }),
    ['mapResponses'],
  ],
  'without a status': [task({ hasLastResponse, phase: told('unknown') }), ['mapResponses']],
  'without a status or a response': [task({ phase: told('unknown') }), []],
  succeeded: [
    task({ hasLastResponse, phase: told('succeeded', { status: 'DONE' }) }),
    [],
    ['mapResponses', 'mapStatuses'],
  ],
  'failed with a message': [
    task({ hasLastResponse, phase: told('failed', { status: 'FAILED', message: 'Line 7' }) }),
    [],
    ['mapResponses', 'mapStatuses'],
  ],
  'failed without a message': [
    task({ hasLastResponse, phase: told('failed', { status: 'FAILED' }) }),
    ['mapResponses'],
    ['mapStatuses'],
  ],
  'not known to the service, its ID chosen': [
    task({ hasImportResponse, lastQueryError, taskIdFrom: { pointer: '/id', how: 'mapped' } }),
    ['editRequest', 'mapResponses'],
  ],
  'not known to the service, its ID typed': [task({ lastQueryError }), ['editRequest', 'attachTaskId']],
  'tracked by its ID and not known to the service, which has accepted nothing else': [
    task({ lastQueryError, source: undefined }),
    ['editRequest', 'replaceAccessKey', 'attachTaskId'],
  ],
  'rejected by its key after a report': [
    task({ hasLastResponse, lastQueryError: { ...lastQueryError, badKey: true }, phase: told('running') }),
    ['replaceAccessKey'],
  ],
  // The last response is the rejection, in which nothing can be chosen.
  'rejected after a report': [task({ hasLastResponse, lastQueryError, phase: told('running') }), ['editRequest']],
  'out of reach after it was rejected': [
    task({
      hasLastResponse,
      lastQueryError: { kind: 'failed', failure: failure ?? assert.fail() },
      phase: told('running', { status: 'RUNNING' }),
    }),
    [],
    ['mapResponses', 'mapStatuses'],
  ],
  'of several tasks, one failed and one of an unknown status': [
    task({
      hasLastResponse,
      phase: withParts({ kind: 'accepted', report: undefined, lastPart: id('t-1') }, [
        { taskId: id('t-1'), report: told('failed', { status: 'FAILED', message: 'no' }).report },
        { taskId: id('t-2'), report: told('unknown', { status: 'Z' }).report },
      ]),
    }),
    ['mapStatuses', 'mapResponses'],
  ],
};

const away: readonly WhyNotAsked[] = [
  { kind: 'removed' },
  { kind: 'moved', host: 'other.example' },
  { kind: 'sandboxStopped' },
];

describe('The commands that help with a task', () => {
  it('fit its state, and are none while its service cannot be asked', () => {
    for (const [state, [each, needed, alsoUseful = []]] of Object.entries(states)) {
      assert.deepEqual(neededCommands(each, undefined), needed, state);
      assert.deepEqual(new Set(usefulCommands(each, undefined)), new Set([...needed, ...alsoUseful]), state);
      assert.deepEqual(neededCommands(each, { kind: 'noKey' }), needed, state);
      for (const why of away) assert.deepEqual([neededCommands(each, why), usefulCommands(each, why)], [[], []], state);
    }
  });

  it('are all on its row, and no others are', () => {
    const entries = menuEntries();
    for (const command of HELP_COMMANDS) assert.ok(entries.some((entry) => entry.command === command));
    const whys = fc.constantFrom(undefined, { kind: 'noKey' } as const, ...away);
    fc.assert(
      fc.property(
        fc.oneof(tasks, fc.constantFrom(...Object.values(states).map(([each]) => each))),
        whys,
        (each, why) => {
          const row = taskItem(each, undefined, 0, why).contextValue ?? '';
          const offered = entries.flatMap(({ command, fits }) => (fits.test(row) ? [command] : []));
          assert.deepEqual(new Set(offered), new Set(usefulCommands(each, why)));
        },
      ),
      { seed: 4, numRuns: 1000 },
    );
  });
});

/** The entries of these commands in the context menu of a row, with what they ask of it. */
function menuEntries() {
  const manifest = JSON.parse(readFileSync(join(extension().extensionPath, 'package.json'), 'utf8')) as {
    contributes: { menus: Record<string, { command?: string; group: string; when: string }[]> };
  };
  const { menus } = manifest.contributes;
  const entries = menus['view/item/context'] ?? [];
  return entries.flatMap(({ command = '', group, when }) => {
    const [, pattern] = /^view == datasetImport\.tasks && viewItem =~ \/(.*)\/$/.exec(when) ?? [];
    const name = command.replace(/^datasetImport\./, '');
    const isHelp = HELP_COMMANDS.some((each) => each === name);
    return pattern !== undefined && isHelp && !group.startsWith('inline')
      ? [{ command: name, fits: new RegExp(pattern) }]
      : [];
  });
}

function id(text: string): TaskId {
  return JSON.stringify(text) as TaskId;
}

function told(meaning: TaskReport['meaning'], more: Partial<TaskReport> = {}): Accepted & { report: TaskReport } {
  const report = { status: undefined, meaning, progress: undefined, message: undefined, from: {}, ...more };
  return { kind: 'accepted', report };
}

function task(change: Partial<TrackedTask>): TrackedTask {
  const known = asTracked(
    7,
    newTask({
      dataset: 'Manuals',
      source: fileSource('notes.txt', 2048),
      createdMs: 0,
      taskId: id('t-1'),
      phase: { kind: 'accepted', report: undefined },
    }),
  );
  return { ...known, ...change };
}
