import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from 'vscode';
import { askAboutMoved } from '../../../../src/editor/importing/askAboutMoved';
import { importAgain } from '../../../../src/editor/importing/importAgain';
import type { Messages } from '../../../../src/editor/platform/messages';
import type { Action } from '../../../../src/editor/platform/userError';
import type { Services } from '../../../../src/editor/services/services';
import { clicked } from '../../../../src/editor/targets';
import { confirmSharedId } from '../../../../src/editor/taskCommands/attachTaskId';
import { refreshTask } from '../../../../src/editor/taskCommands/refreshTask';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { Refresher } from '../../../../src/tasks/following/refresher';
import { Gates } from '../../../../src/tasks/sending/gate';
import { Sources } from '../../../../src/tasks/sending/sources';
import { ImportQueue } from '../../../../src/tasks/serving/importQueue';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { newTask, type Phase, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { refresherOf } from '../../../unit/tasks/following/refresherOf';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { activated, type Parts } from '../../activated';
import { always, fileSource, type OwnList, ownList } from '../../answeredTasks';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';
import { untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';
import { until } from '../../until';

const OLD = 'https://old.example.com';
const facts = { dataset: 'Manuals', createdMs: 0, phase: { kind: 'accepted', report: undefined } } as const;

describe('An import whose dataset has moved to another origin', () => {
  let kept: OwnDatasets;
  let parts: Parts;
  let service: TinyService;
  let own: OwnList;
  let list: TaskList;
  let queue: ImportQueue;
  let asking: Disposable;
  let said: { words: string; actions: readonly Action[] }[];
  let deps: Services & { refresher: Refresher };

  before(async () => {
    kept = ownDatasets();
    parts = { ...(await activated()), datasets: kept.datasets, keys: kept.keys };
    service = await startTinyService({
      'file-task': () => `{"code":"0","message":null,"data":{"taskId":"t-${service.requests.length}"}}`,
      'query-task': () => '{"code":"0","message":null,"data":{"status":"RUNNING"}}',
    });
    kept.setting.set([{ name: 'Manuals', baseUrl: service.baseUrl.href }]);
    await parts.keys.set({ name: 'Manuals', baseUrl: service.baseUrl }, 'key');
  });

  after(async () => {
    kept.dispose();
    await service.close();
  });

  beforeEach(() => {
    own = ownList();
    list = own.list;
    const findTarget = (name: string) => parts.datasets.target(name);
    const sources = new Sources('', sharedFiles);
    queue = new ImportQueue({
      service: parts.service,
      list,
      serving: own.serving,
      gates: new Gates(own.clock, () => 1),
      sources,
      findTarget,
      originOf: (name) => parts.datasets.find(name)?.baseUrl.origin,
      clock: own.clock,
    });
    said = [];
    const messages = {
      warn: async (words: string, ...actions: Action[]) => {
        said.push({ words, actions });
      },
    } as unknown as Messages;
    deps = {
      ...parts,
      list,
      queue,
      sources,
      refresher: refresherOf(list, findTarget, own.clock, { service: parts.service }),
    };
    asking = askAboutMoved({ ...parts, queue, messages });
  });

  afterEach(() => {
    asking.dispose();
    queue.dispose();
    own.dispose();
  });

  it('is asked about with one message a dataset, and sent where a person says so', async () => {
    await queue.add(files(3), 'Manuals', undefined, OLD);
    await untilSaid(1);
    const { words, actions } = said[0] ?? assert.fail();
    const { host } = service.baseUrl;
    assert.equal(words, `Dataset 'Manuals' moved from old.example.com to ${host}. 3 files are waiting to be uploaded.`);
    assert.deepEqual(
      actions.map(({ label }) => label),
      [`Send to ${host}`, "Don't Send"],
    );
    assert.ok(list.held.every(({ phase }) => phase.kind === 'queued'));
    await actions[0]?.run();
    await untilTasks(list, 3, ({ phase }) => phase.kind === 'accepted');
    assert.equal(said.length, 1);
  });

  it('is not sent where a person would rather not', async () => {
    await queue.add(files(2), 'Manuals', undefined, OLD);
    await untilSaid(1);
    await said[0]?.actions[1]?.run();
    await untilTasks(list, 2, ({ phase }) => phase.kind === 'notSent');
  });

  it('is not sent to a third origin by an answer that named another', async () => {
    await queue.add(files(1), 'Manuals', undefined, OLD);
    await untilSaid(1);
    kept.setting.set([{ name: 'Manuals', baseUrl: 'https://third.example.com' }]);
    await said[0]?.actions[0]?.run();
    await untilSaid(2);
    assert.match(said[1]?.words ?? '', /from old\.example\.com to third\.example\.com/);
    assert.deepEqual(
      list.held.map(({ phase, origin }) => [phase.kind, origin]),
      [['queued', OLD]],
    );
    kept.setting.set([{ name: 'Manuals', baseUrl: service.baseUrl.href }]);
  });

  it('is asked about likewise where it is to be sent again', async () => {
    const task = await tracked({ kind: 'rejected', refusal: { by: 'status', status: 413, excerpt: '' } });
    // VS Code shows no dialog in tests, and tells its words instead.
    await assert.rejects(
      importAgain(deps, clicked({ taskKey: task.key })),
      new RegExp(`Dataset 'Manuals' moved to ${service.baseUrl.host}\\. Send 'a\\.txt' there\\?`),
    );
    assert.deepEqual([list.get(task.key)?.phase.kind, list.get(task.key)?.origin], ['rejected', OLD]);
  });

  it('is not asked about at the new origin by Refresh, which says why', async () => {
    const task = await tracked({ kind: 'accepted', report: undefined });
    await assert.rejects(
      refreshTask(deps, clicked({ taskKey: task.key })),
      new RegExp(`belongs to old\\.example\\.com, and dataset 'Manuals' has moved to ${service.baseUrl.host}`),
    );
    assert.equal(JSON.stringify(list.get(task.key)), JSON.stringify(task));
  });

  it('may have an ID that another task has only where a person says so, or where that is of another destination', async () => {
    const task = await tracked({ kind: 'accepted', report: undefined });
    const [other] = await list.add([newTask({ ...facts, origin: task.origin, source: task.source })]);
    const [elsewhere] = await list.add([newTask({ ...facts, origin: service.baseUrl.origin })]);
    assert.ok(other && elsewhere);
    const asNumber = typedTaskId('7', 'number');
    await list.change(task.key, { taskId: typedTaskId('7', 'string') }, always);
    await assert.rejects(
      confirmSharedId(deps, other, asNumber),
      /Task 7 is already attached to 'a\.txt'\. Attach it to 'a\.txt' too\?/,
    );
    const [first, second] = ['6', '7'].map((id) => ({ taskId: typedTaskId(id, 'string'), report: undefined }));
    assert.ok(first && second);
    const several: Phase = { kind: 'accepted', report: undefined, parts: [first, second] };
    await list.change(task.key, { taskId: first.taskId, phase: several }, always);
    await assert.rejects(confirmSharedId(deps, other, asNumber), /Task 7 is already attached to 'a\.txt'\./);
    assert.equal(await confirmSharedId(deps, elsewhere, asNumber), true);
    assert.equal(await confirmSharedId(deps, task, asNumber), true);
  });

  async function tracked(phase: Phase): Promise<TrackedTask> {
    const [source] = files(1).map((checked) => checked.source);
    const [task] = await list.add([
      newTask({ dataset: 'Manuals', origin: OLD, source, createdMs: 0, taskId: typedTaskId('t', 'string'), phase }),
    ]);
    return task ?? assert.fail();
  }

  function files(count: number) {
    return ['a.txt', 'b.txt', 'c.txt'].slice(0, count).map((name) => {
      const path = join(own.folder, name);
      writeFileSync(path, name);
      return { source: { ...fileSource(name, name.length), path } };
    });
  }

  /** Waits until so many messages were said. */
  async function untilSaid(count: number): Promise<void> {
    await until(`message ${count}`, () => said.length >= count);
  }
});
