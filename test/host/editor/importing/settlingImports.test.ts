import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { window } from 'vscode';
import { importAgain, importInRows, retryFailed, retryUnconfirmed } from '../../../../src/editor/importing/importAgain';
import { cancelImport } from '../../../../src/editor/importing/register';
import { picks } from '../../../../src/editor/platform/window';
import type { Services } from '../../../../src/editor/services/services';
import { clicked } from '../../../../src/editor/targets';
import { attachTaskId } from '../../../../src/editor/taskCommands/attachTaskId';
import { openSourceFile } from '../../../../src/editor/taskCommands/openSourceFile';
import { refreshAllTasks } from '../../../../src/editor/taskCommands/refreshTask';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { Target } from '../../../../src/service/request/requests';
import { checkText } from '../../../../src/tasks/sending/checkedSource';
import { Gates } from '../../../../src/tasks/sending/gate';
import { Sources } from '../../../../src/tasks/sending/sources';
import { ImportQueue } from '../../../../src/tasks/serving/importQueue';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import {
  type Batch,
  newTask,
  type Phase,
  type Source,
  type TrackedTask,
  taskState,
} from '../../../../src/tasks/trackedTask';
import { refresherOf } from '../../../unit/tasks/following/refresherOf';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { activated, type Parts } from '../../activated';
import { always, fileSource, type OwnList, ownList } from '../../answeredTasks';
import { answering, untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';

const batch: Batch = { id: 'b-1', label: 'docs' };
const failure = { name: 'UnexpectedError', detail: '' } as const;
const notSent: Phase = { kind: 'notSent', failure };
const rejected: Phase = { kind: 'rejected', refusal: { by: 'status', status: 413, excerpt: '' } };
const unconfirmed: Phase = { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 };
const accepted: Phase = { kind: 'accepted', report: undefined };
const queued: Phase = { kind: 'queued' };
const reported = (meaning: 'running' | 'succeeded' | 'failed'): Phase => ({
  kind: 'accepted',
  report: { status: meaning, meaning, progress: undefined, message: undefined, from: {} },
});
const [running, succeeded, failed] = [reported('running'), reported('succeeded'), reported('failed')];

describe('An import', () => {
  let parts: Parts;
  let service: TinyService;
  let own: OwnList;
  let list: TaskList;
  let queue: ImportQueue;
  let sources: Sources;
  let destination: Promise<Target>;
  let deps: Services;
  let said: string[];

  before(async () => {
    parts = await activated();
    service = await startTinyService({
      'file-task': () => `{"code":"0","message":null,"data":{"taskId":"t-${service.requests.length}"}}`,
      'query-task': () => '{"code":"0","message":null,"data":{"status":"RUNNING"}}',
    });
    const { dataset, baseUrl } = { dataset: 'Manuals', baseUrl: service.baseUrl };
    await parts.keys.set({ name: dataset, baseUrl }, 'key');
    await parts.datasets.add({ name: dataset, baseUrl: baseUrl.href });
  });

  after(async () => {
    const dataset = parts.datasets.find('Manuals');
    if (dataset !== undefined) await parts.datasets.remove(dataset);
    await service.close();
  });

  beforeEach(() => {
    own = ownList();
    list = own.list;
    sources = new Sources(join(own.folder, 'texts'), sharedFiles);
    destination = Promise.resolve({ baseUrl: service.baseUrl, accessKey: 'key', contract: DEFAULT_CONTRACT });
    queue = new ImportQueue({
      service: parts.service,
      list,
      serving: own.serving,
      gates: new Gates(own.clock, () => 1),
      sources,
      findTarget: () => destination,
      clock: own.clock,
    });
    said = [];
    deps = {
      ...parts,
      list,
      queue,
      sources,
      messages: { done: async (text: string) => void said.push(text) },
    } as unknown as Services;
  });

  afterEach(() => {
    queue.dispose();
    own.dispose();
  });

  describe('that failed', () => {
    it('is sent again under the same task', async () => {
      const [task] = await tracked(rejected);
      await importAgain(deps, clicked(node(task)));
      await untilTasks(list, 1, ({ phase }) => phase.kind === 'accepted');
      assert.deepEqual([list.held.length, list.get(task.key)?.taskId], [1, `"t-${service.requests.length}"`]);
    });

    it('is sent again with all that failed of its batch, and none that may have been taken', async () => {
      const tasks = await tracked(rejected, unconfirmed, notSent, accepted);
      await retryFailed(deps, clicked({ batchId: batch.id }));
      await untilTasks(list, 3, ({ phase }) => phase.kind === 'accepted');
      assert.deepEqual(
        tasks.map(({ key }) => list.get(key)?.phase.kind),
        ['accepted', 'unconfirmed', 'accepted', 'accepted'],
      );
    });

    it('can be sent again from a text without a file', async () => {
      const bytes = Buffer.from('draft');
      const { source } = await checkText({ name: 'Untitled-1.txt', path: 'u', relativePath: 'u' }, bytes);
      await sources.write(source, bytes);
      const [task] = await list.add([newTask({ dataset: 'Manuals', source, createdMs: 0, phase: notSent })]);
      assert.ok(task);
      await importAgain(deps, clicked(node(task)));
      await untilTasks(list, 1, ({ phase }) => phase.kind === 'accepted');
      assert.match(service.requests.at(-1)?.body ?? '', /\bdraft\b/);
    });

    it('is not sent again where its dataset is gone, and it is said so', async () => {
      const source = fileSource('gone.txt', 1);
      const [task] = await list.add([newTask({ dataset: 'Gone', source, createdMs: 0, phase: notSent })]);
      assert.ok(task);
      await assert.rejects(importAgain(deps, clicked(node(task))), /Dataset 'Gone' no longer exists/);
      assert.equal(list.get(task.key)?.phase.kind, 'notSent');
    });

    it('is skipped if another window retried it since the user saw it, and the run counts it', async () => {
      const [stale] = await tracked(rejected);
      const there = own.listOfOtherWindow();
      await there.loaded();
      await there.change(stale.key, { phase: unconfirmed }, always);
      const sent = service.requests.length;
      const ended = once(queue.events, 'ended');
      await importInRows(deps, [stale]);
      const [run] = await ended;
      assert.deepEqual([run.results, run.alreadyImporting], [[], 1]);
      assert.deepEqual([list.get(stale.key)?.phase.kind, service.requests.length], ['unconfirmed', sent]);
    });

    it('is sent again though another has no dataset any more, which is said', async () => {
      const [here] = await tracked(notSent);
      const source = fileSource('gone.txt', 1);
      const [gone] = await list.add([newTask({ dataset: 'Gone', source, createdMs: 0, phase: notSent })]);
      assert.ok(gone);
      await assert.rejects(importAgain(deps, clicked(node(gone), node(here))), /Dataset 'Gone' no longer exists/);
      await untilTasks(list, 1, ({ key, phase }) => key === here.key && phase.kind === 'accepted');
    });

    it('is sent again with all that are unconfirmed, of its batch or of the list, after a question', async () => {
      const [one] = await tracked(unconfirmed, notSent);
      await list.add([
        newTask({ dataset: 'Manuals', source: fileSource('2.txt', 1), createdMs: 0, phase: unconfirmed }),
      ]);
      // Under test, VS Code tells a question by refusing to show it.
      await assert.rejects(retryUnconfirmed(deps, clicked({ batchId: batch.id })), /Import '0\.txt' again\?/);
      await assert.rejects(retryUnconfirmed(deps, clicked(node(one))), /Import '0\.txt' again\?/);
      await assert.rejects(retryUnconfirmed(deps, { from: 'nothing', rows: [] }), /Import 2 files again\?/);
      assert.equal(list.get(one.key)?.phase.kind, 'unconfirmed');
    });

    it('at its service is sent again with all that did not get in, and none of the others', async () => {
      const tasks = await tracked(failed, running, rejected, succeeded);
      await retryFailed(deps, clicked({ batchId: batch.id }));
      await untilTasks(list, 2, ({ phase }) => phase.kind === 'accepted' && phase.report === undefined);
      assert.deepEqual(
        tasks.map(({ key }) => taskState(list.get(key) ?? assert.fail())),
        ['waiting', 'running', 'waiting', 'succeeded'],
      );
      assert.ok(list.held.every(({ earlier }) => earlier === undefined));
    });

    it('is asked about where nothing has, and it is said so', async () => {
      await tracked(succeeded);
      await assert.rejects(
        retryFailed(deps, { from: 'nothing', rows: [] }),
        /^UserError: There are no failed imports\.$/,
      );
    });

    it('is not asked about where none is unconfirmed, and it is said so', async () => {
      const [task] = await tracked(notSent);
      for (const target of [{ from: 'nothing', rows: [] } as const, clicked(node(task))])
        await assert.rejects(retryUnconfirmed(deps, target), /^UserError: There are no unconfirmed imports\.$/);
    });
  });

  describe('that its dataset has', () => {
    it('is imported again unasked where the file has changed, and the row has the earlier one in mind', async () => {
      const [task] = await tracked(succeeded);
      await importAgain(deps, clicked(node(task)));
      await untilTasks(list, 1, ({ key, phase }) => key === task.key && phase.kind === 'accepted' && !phase.report);
      assert.notEqual(list.get(task.key)?.earlier, undefined);
    });

    it('is asked about where it has not changed, is being processed or may have been taken, once for all', async () => {
      const sent = service.requests.length;
      const [changed, unchanged, atWork, lost] = await tracked(succeeded, succeeded, running, unconfirmed);
      assert.ok(unchanged && atWork && lost);
      const { source } = unchanged;
      assert.ok(source);
      const sha256 = createHash('sha256').update(readFileSync(source.path)).digest('hex');
      await list.change(unchanged.key, { source: { ...source, sha256 } }, always);
      for (const task of [unchanged, atWork, lost])
        await assert.rejects(
          importAgain(deps, clicked(node(task))),
          new RegExp(`Import '${task.source?.name}' again\\?`),
        );
      const all = [changed, unchanged, atWork, lost].map(node);
      await assert.rejects(importAgain(deps, clicked(...all)), /Import 4 files again\?/);
      assert.equal(service.requests.length, sent);
    });
  });

  describe('that has not ended', () => {
    it('is cancelled before its turn, and alone', async () => {
      const release = holdBack();
      const { keys } = await queue.add(await files(3), 'Manuals');
      const [first, second, third] = keys;
      assert.ok(first !== undefined && second !== undefined && third !== undefined);
      await cancelImport({ list, queue, picks }, clicked({ taskKey: second }));
      assert.deepEqual(list.get(second)?.phase, { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } });
      assert.deepEqual([list.get(first)?.phase, list.get(third)?.phase], [queued, queued]);
      release();
      await untilTasks(list, 2, ({ phase }) => phase.kind === 'accepted');
    });

    it('is cancelled with its batch, also the one whose turn it is', async () => {
      const release = holdBack();
      const ended = once(queue.events, 'ended');
      const sent = service.requests.length;
      await queue.add(await files(3), 'Manuals', batch);
      await cancelImport({ list, queue, picks }, clicked({ batchId: batch.id }));
      release();
      await ended;
      assert.deepEqual(
        list.held.map(({ phase }) => phase.kind),
        ['notSent', 'notSent', 'notSent'],
      );
      assert.equal(service.requests.length, sent);
    });

    it('is canceled here where another window has it', async () => {
      const [theirs] = await own
        .listOfOtherWindow()
        .add([newTask({ dataset: 'Manuals', source: fileSource('theirs.txt', 1), createdMs: 0, phase: queued })]);
      assert.ok(theirs);
      await list.sync();
      await cancelImport({ list, queue, picks }, clicked(node(theirs)));
      assert.equal(list.get(theirs.key)?.phase.kind, 'notSent');
    });
  });

  it('is asked about though another one has no dataset any more, which is said', async () => {
    const found = { createdMs: 0, taskId: typedTaskId('t', 'string'), phase: accepted };
    const [gone] = await list.add(['Gone', 'Manuals'].map((dataset) => newTask({ ...found, dataset })));
    assert.ok(gone);
    const refresher = refresherOf(list, () => destination, own.clock, { service: parts.service });
    await assert.rejects(refreshAllTasks({ ...deps, refresher }), /Dataset 'Gone' no longer exists/);
    assert.deepEqual(
      list.held.map(({ dataset, phase }) => [dataset, phase.kind === 'accepted' && phase.report?.status]),
      [
        ['Manuals', 'RUNNING'],
        ['Gone', undefined],
      ],
    );
  });

  it('is asked for no id where it has one, or was certainly not taken', async () => {
    const [task] = await list.add([newTask({ dataset: 'Manuals', createdMs: 0, taskId: undefined, phase: notSent })]);
    assert.ok(task);
    await attachTaskId(deps, clicked(node(task)));
    assert.equal(list.get(task.key)?.taskId, undefined);
    assert.deepEqual(said, ["There is nothing left to choose for 'Task'."]);
  });

  it('gets another ID where the service accepted no query under the one that was typed, and keeps it where it did', async () => {
    const refusal = { by: 'envelope', status: 200, code: '1003', message: 'No such task' } as const;
    const facts = { dataset: 'Manuals', createdMs: 0, taskId: typedTaskId('7', 'number') } as const;
    const report = {
      status: 'RUNNING',
      meaning: 'running',
      progress: undefined,
      message: undefined,
      from: {},
    } as const;
    const lastQueryError = { kind: 'rejected', refusal } as const;
    const [wrong, right] = await list.add([
      newTask({ ...facts, phase: accepted, lastQueryError }),
      newTask({ ...facts, taskId: typedTaskId('8', 'number'), phase: { kind: 'accepted', report }, lastQueryError }),
    ]);
    assert.ok(wrong && right);
    const refresher = refresherOf(list, () => destination, own.clock, { service: parts.service });
    // The box begins with the present ID, and the first of its types is a text.
    for (const { key } of [wrong, right])
      await answering(attachTaskId({ ...deps, refresher }, clicked({ taskKey: key })), 'accept');
    const now = [wrong, right].map(({ key }) => list.get(key));
    assert.deepEqual(
      now.map((task) => [task?.taskId, task?.lastQueryError]),
      [
        ['"7"', undefined],
        ['8', lastQueryError],
      ],
    );
    assert.deepEqual(said, ["The last status check of '8' failed. Retry after the next status check."]);
  });

  it('has no file to open where it is of a text without one', async () => {
    const source: Source = { ...fileSource('Untitled-1.txt', 5), from: 'text' };
    const [task] = await list.add([newTask({ dataset: 'Manuals', source, createdMs: 0, phase: accepted })]);
    assert.ok(task);
    const before = window.activeTextEditor;
    await openSourceFile({ list, picks }, clicked(node(task)));
    assert.equal(window.activeTextEditor, before);
  });

  async function files(count: number): Promise<{ source: Source & { readonly from: 'disk' } }[]> {
    return Array.from({ length: count }, (_, index) => {
      const name = `${index}.txt`;
      const path = join(own.folder, name);
      writeFileSync(path, name);
      return { source: { ...fileSource(name, name.length), path } };
    });
  }

  /** Imports of one batch, each in its phase. */
  async function tracked(...phases: [Phase, ...Phase[]]): Promise<[TrackedTask, ...TrackedTask[]]> {
    const checked = await files(phases.length);
    const tasks = await list.add(
      phases.map((phase, index) => {
        const isReported = phase.kind === 'accepted' && phase.report !== undefined;
        const taskId = isReported ? typedTaskId(`e-${index}`, 'string') : undefined;
        return newTask({ dataset: 'Manuals', source: checked[index]?.source, createdMs: 0, batch, phase, taskId });
      }),
    );
    return tasks as [TrackedTask, ...TrackedTask[]];
  }

  /** Keeps all imports from being sent until what it gives is called. */
  function holdBack(): () => void {
    const target = destination;
    const { promise, resolve } = Promise.withResolvers<Target>();
    destination = promise;
    return () => resolve(target);
  }

  function node({ key }: TrackedTask): { taskKey: number } {
    return { taskKey: key };
  }
});
