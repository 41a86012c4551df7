import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Action } from '../../../../src/editor/platform/userError';
import type { Services } from '../../../../src/editor/services';
import { clicked } from '../../../../src/editor/targets';
import { clearFinished } from '../../../../src/editor/taskCommands/clearFinished';
import { formatRemoval, removeTask, removeTasks } from '../../../../src/editor/taskCommands/removeTask';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { newestTasks } from '../../../../src/tasks/history/walk';
import { checkText } from '../../../../src/tasks/sending/checkedSource';
import { Sources } from '../../../../src/tasks/sending/sources';
import { newTask, type Phase, type Source, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { fileSource, type OwnList, ownList } from '../../answeredTasks';

const failure = { name: 'CanceledError', detail: '' } as const;
const notSent: Phase = { kind: 'notSent', failure };
const unconfirmed: Phase = { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 };
const running = reported('running');
const succeeded = reported('succeeded');
const queued: Phase = { kind: 'queued' };
const batch = { id: 'b-1', label: 'docs' };

function reported(meaning: 'running' | 'succeeded'): Phase {
  return { kind: 'accepted', report: { status: meaning, meaning, progress: undefined, message: undefined, from: {} } };
}

describe('Remove from List', () => {
  let own: OwnList;
  let folder: string;
  let sources: Sources;
  let said: { readonly message: string; readonly actions: readonly Action[] }[];
  let deps: Services;

  beforeEach(() => {
    own = ownList();
    folder = path.join(own.folder, 'texts');
    sources = new Sources(folder, sharedFiles);
    said = [];
    const done = async (message: string, ...actions: Action[]) => void said.push({ message, actions });
    const arrangement = { current: { filter: undefined } };
    deps = { list: own.list, sources, messages: { done }, arrangement } as unknown as Services;
  });

  afterEach(() => own.dispose());

  it('removes a single task at once, says so, and its button Undo puts the very same task back', async () => {
    const [task, other] = await tracked(succeeded, succeeded);
    await removeTask(deps, clicked(node(task)));
    assert.deepEqual(await keysLeft(), [other?.key]);
    assert.deepEqual(
      said.map(({ message, actions }) => [message, actions.map(({ label }) => label)]),
      [["Removed '0.txt' from the list. Nothing is deleted on the service.", ['Undo']]],
    );
    await undo();
    const asStored = (one?: TrackedTask) => JSON.parse(JSON.stringify({ ...one, revision: undefined }));
    assert.deepEqual(asStored(await own.list.find(task.key)), asStored(task));
    await assert.rejects(undo(), /^UserError: '0\.txt' is already in the list\.$/);
  });

  it('says of an unconfirmed import which dataset may have received it', async () => {
    const [task] = await tracked(unconfirmed);
    await removeTask(deps, clicked(node(task)));
    const [{ message } = { message: '' }] = said;
    assert.equal(
      message,
      "Removed '0.txt' from the list. Manuals may have received it. Nothing is deleted on the service.",
    );
  });

  it('deletes the file of a text with its task, and its button Undo brings both back', async () => {
    const [source] = await texts(1);
    const [task] = await own.list.add([newTask({ dataset: 'Manuals', source, createdMs: 0, phase: notSent })]);
    assert.ok(task);
    await removeTask(deps, clicked(node(task)));
    assert.deepEqual(readdirSync(folder), []);
    await undo();
    assert.deepEqual([await keysLeft(), readdirSync(folder)], [[task.key], [source?.textFile]]);
    const body = await sources.open(task.source ?? assert.fail());
    assert.equal(await text(body.chunks()), 'draft 0');
    await body.close();
  });

  it('asks once before it removes several, or a group, and then removes none unasked', async () => {
    const tasks = await tracked(succeeded, unconfirmed, queued);
    // Under test, VS Code tells a question by refusing to show it.
    const question = /Remove 2 tasks from the list\?/;
    await assert.rejects(removeTask(deps, clicked(...tasks.map(node))), question);
    await assert.rejects(removeTask(deps, clicked({ batchId: batch.id })), question);
    const one = tasks.filter(({ phase }) => phase.kind !== 'unconfirmed').map(node);
    await assert.rejects(removeTask(deps, clicked(...one)), /Remove '0\.txt' from the list\?/);
    assert.equal((await keysLeft()).length, 3);
    assert.deepEqual(said, []);
  });

  it('says before how many are unconfirmed, are still running, or stay as they are to be sent', async () => {
    const each = await tracked(unconfirmed, running);
    assert.equal(
      formatRemoval(each, 1),
      [
        'Nothing is deleted on the service.',
        '1 is unconfirmed: the service may have received it.',
        '1 is still running, and will no longer be checked.',
        '1 is still being imported, and stays in the list.',
      ].join(' '),
    );
    assert.equal(
      formatRemoval([...each, ...each], 2),
      [
        'Nothing is deleted on the service.',
        '2 are unconfirmed: the service may have received them.',
        '2 are still running, and will no longer be checked.',
        '2 are still being imported, and stay in the list.',
      ].join(' '),
    );
    assert.equal(formatRemoval([], 0), 'Nothing is deleted on the service.');
  });

  it('leaves imports that have not ended, and says what to do', async () => {
    const tasks = await tracked(queued, queued);
    const stays = /^UserError: '0\.txt' is still being imported\. Cancel the import first, or wait until it ends\.$/;
    await assert.rejects(removeTask(deps, clicked(node(tasks[0]))), stays);
    await assert.rejects(removeTask(deps, clicked(...tasks.map(node))), stays);
    assert.equal((await keysLeft()).length, 2);
  });

  it('leaves an import that another window has put back into its queue, and says so', async () => {
    const [task] = await tracked(notSent);
    await own.listOfOtherWindow().beginAgain([[task.key, () => ({ phase: { kind: 'queued' } })]]);
    await assert.rejects(removeTask(deps, clicked(node(task))), /^UserError: '0\.txt' is still being imported/);
    assert.equal(own.list.get(task.key)?.phase.kind, 'queued');
  });

  it('removes all that were agreed to, and gives those that stay', async () => {
    const tasks = await tracked(succeeded, unconfirmed, notSent, queued);
    const keys = tasks.map(({ key }) => key);
    const staying = await removeTasks(deps, tasks);
    assert.deepEqual([staying.map(({ key }) => key), await keysLeft()], [keys.slice(3), keys.slice(3)]);
  });

  it('Clear Finished asks with the number of tasks that have succeeded, and says where there are none', async () => {
    await tracked(running, notSent);
    await assert.rejects(clearFinished(deps), /^UserError: No task in the list has succeeded\.$/);
    await tracked(succeeded);
    await assert.rejects(clearFinished(deps), /Remove 1 task that has succeeded from the list\?/);
    await tracked(succeeded, unconfirmed);
    await assert.rejects(clearFinished(deps), /Remove 2 tasks that have succeeded from the list\?/);
    assert.equal((await keysLeft()).length, 5);
  });

  /** Imports of one batch, each in its phase. */
  async function tracked(...phases: [Phase, ...Phase[]]): Promise<[TrackedTask, ...TrackedTask[]]> {
    const tasks = phases.map((phase, index) => {
      const taskId = phase.kind === 'accepted' ? typedTaskId(`t-${index}`, 'string') : undefined;
      const source = fileSource(`${index}.txt`, 5);
      return newTask({ dataset: 'Manuals', source, createdMs: 0, batch, phase, taskId });
    });
    return (await own.list.add(tasks)) as [TrackedTask, ...TrackedTask[]];
  }

  /** Texts whose files are written. */
  function texts(count: number): Promise<Source[]> {
    return Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const name = `Untitled-${index}`;
        const bytes = Buffer.from(`draft ${index}`);
        const { source } = await checkText({ name, path: name, relativePath: name }, bytes);
        await sources.write(source, bytes);
        return source;
      }),
    );
  }

  async function undo(): Promise<void> {
    await said[0]?.actions[0]?.run();
  }

  async function keysLeft(): Promise<number[]> {
    const tasks = await newestTasks(own.list.history, () => true, 10);
    return tasks.map(({ key }) => key);
  }

  function node({ key }: TrackedTask): { taskKey: number } {
    return { taskKey: key };
  }
});
