import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { formatNext, type NextCommand, nextCommands } from '../../../../src/editor/taskItems/nextCommands';
import { taskItem } from '../../../../src/editor/taskItems/taskItem';
import type { TaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import { newTask, type Phase, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { extension } from '../../activated';
import { fileSource } from '../../answeredTasks';
import { tasks } from '../../generatedTasks';

const failure = { name: 'CanceledError', detail: '' } as const;
const refusal = { by: 'envelope', status: 200, code: '1001', message: 'no' } as const;
const response = { hasLastResponse: true, hasImportResponse: true };
const noId = { taskId: undefined };

describe('The next steps for a task', () => {
  const expected: Readonly<Record<string, readonly [TrackedTask, ...NextCommand[]]>> = {
    'that is queued': [task({ ...noId, phase: { kind: 'queued' } }), 'cancelImport'],
    'that is importing': [task({ ...noId, phase: { kind: 'sending', attemptId: 'A 1' } }), 'cancelImport'],
    'that was not uploaded': [task({ ...noId, phase: { kind: 'notSent', failure } }), 'importAgain', 'openSourceFile'],
    'that was rejected': [
      task({ ...noId, ...response, phase: { kind: 'rejected', refusal } }),
      ...(['importAgain', 'editRequest', 'replaceAccessKey'] as const),
    ],
    'that is unconfirmed': [
      task({ ...noId, phase: { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 } }),
      ...(['importAgain', 'attachTaskId'] as const),
    ],
    'without an ID': [task({ ...noId, ...response }), ...(['mapResponses', 'attachTaskId'] as const)],
    'that is running': [task({ ...response, phase: reported('running') }), 'refreshTask'],
    'whose status is unknown': [
      task({ ...response, phase: reported('unknown') }),
      ...(['mapStatuses', 'mapResponses', 'refreshTask'] as const),
    ],
    'that has succeeded': [
      task({ ...response, phase: reported('succeeded') }),
      ...(['openSourceFile', 'importAgain'] as const),
    ],
    'that has failed': [
      task({ ...response, phase: reported('failed') }),
      ...(['importAgain', 'openSourceFile'] as const),
    ],
  };
  it('fit its state, the likeliest one first', () => {
    for (const [which, [each, ...commands]] of Object.entries(expected))
      assert.deepEqual(nextCommands(each, undefined), commands, which);
  });

  it('are on its row as two icons at most, the likeliest ones', () => {
    const entries = inlineEntries();
    fc.assert(
      fc.property(tasks, fc.constantFrom(undefined, { kind: 'removed' } as const), (each, why) => {
        const row = taskItem(each, undefined, 0, why).contextValue ?? '';
        const shown = entries.flatMap(({ command, fits }) => (fits.test(row) ? [command] : []));
        const [first, second] = nextCommands(each, why);
        assert.deepEqual(
          new Set(shown),
          new Set([first, second].flatMap((name) => (name === undefined ? [] : [`datasetImport.${name}`]))),
        );
      }),
      { seed: 4, numRuns: 1000 },
    );
  });

  it('are called as they are in menus', () => {
    const words: Record<string, string> = JSON.parse(read('package.nls.json'));
    for (const [, ...commands] of Object.values(expected))
      for (const command of commands) assert.equal(formatNext(command), words[`command.${command}`]);
  });
});

/** The icons that rows of tasks can have, with what they ask of the row. */
function inlineEntries() {
  const manifest: {
    contributes: { menus: { 'view/item/context': { command: string; group: string; when: string }[] } };
  } = JSON.parse(read('package.json'));
  return manifest.contributes.menus['view/item/context'].flatMap(({ command, group, when }) => {
    const [, pattern] = /^view == datasetImport\.tasks && viewItem =~ \/(.*)\/$/.exec(when) ?? [];
    return pattern !== undefined && group.startsWith('inline') ? [{ command, fits: new RegExp(pattern) }] : [];
  });
}

function read(file: string): string {
  return readFileSync(join(extension().extensionPath, file), 'utf8');
}

function reported(meaning: TaskReport['meaning']): Phase {
  const report = { status: 'STATUS', meaning, progress: undefined, message: 'why', from: {} };
  return { kind: 'accepted', report };
}

function task(change: Partial<TrackedTask>): TrackedTask {
  const known = newTask({
    dataset: 'Manuals',
    source: fileSource('notes.txt', 5),
    createdMs: 0,
    taskId: '"t-1"' as TaskId,
    phase: { kind: 'accepted', report: undefined },
  });
  return { ...asTracked(7, known), ...change };
}
