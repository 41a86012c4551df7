import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Disposable } from 'vscode';
import type { Announcements } from '../../../../src/editor/announcing/announcements';
import { announceEnds } from '../../../../src/editor/announcing/endAnnouncer';
import type { Action } from '../../../../src/editor/platform/userError';
import type { TasksView } from '../../../../src/editor/tree/tasksView';
import { SqliteFile } from '../../../../src/tasks/database/sqliteFile';
import { Notices } from '../../../../src/tasks/store/notices';
import { TASK_SCHEMA } from '../../../../src/tasks/store/taskSchema';
import { type Batch, newTask, type Phase, type TrackedTask } from '../../../../src/tasks/trackedTask';
import { always, fileSource, type OwnList, ownList } from '../../answeredTasks';
import { inTime } from '../../until';

const batch: Batch = { id: 'b', label: 'docs' };

describe('The end of tasks at their service', () => {
  let own: OwnList;
  let file: SqliteFile;
  let said: { how: string; words: string; actions: readonly Action[] }[];
  let revealed: number[];
  let announcers: Disposable[];
  let heard: () => void;

  beforeEach(() => {
    own = ownList();
    file = new SqliteFile(join(own.folder, 'tasks.sqlite'), TASK_SCHEMA, () => assert.fail('set aside'));
    [said, revealed, heard] = [[], [], () => {}];
    // Two of them stand for two windows.
    announcers = [announcer(), announcer()];
  });
  afterEach(async () => {
    for (const each of announcers) each.dispose();
    await file.close();
    own.dispose();
  });

  it('is said once of a single file that failed, in the words of the service, with a button that leads to it', async () => {
    const [task] = await add(1);
    await ends(task, failed('The file has no text.'));
    await untilSaid(1);
    assert.deepEqual(words(), ["problem: 'file 0.txt' failed at Manuals: The file has no text."]);
    said[0]?.actions[0]?.run();
    assert.deepEqual(revealed, [task?.key]);
    // What would be said a second time comes before what is said next.
    const [next] = await add(1);
    await ends(next, failed(undefined));
    await untilSaid(2);
    assert.equal(words()[1], "problem: 'file 0.txt' failed at Manuals. No message was recognized in the response.");
  });

  it('is said once of a batch: how many succeeded and failed, with the first that failed to be shown', async () => {
    const [one, two, three] = await add(3, batch);
    await ends(one, succeeded);
    await ends(two, failed('no'));
    await ends(three, succeeded);
    await untilSaid(1);
    assert.deepEqual(words(), ["problem: Manuals: 2 of 3 files of 'docs' succeeded, 1 failed."]);
    assert.deepEqual(
      said[0]?.actions.map(({ label }) => label),
      ['Show Failed', 'Show Batch'],
    );
    said[0]?.actions[0]?.run();
    assert.deepEqual(revealed, [two?.key]);
  });

  it('is no problem of a batch of which all succeeded, or whose problems were told when its import ended', async () => {
    const [one, two] = await add(2, batch);
    await ends(one, succeeded);
    await ends(two, succeeded);
    await untilSaid(1);
    assert.deepEqual(words(), ["done: Manuals: all 2 files of 'docs' succeeded."]);
    const [three, four] = await add(2, { id: 'c', label: 'logs' });
    await ends(three, { kind: 'rejected', refusal: { by: 'status', status: 413, excerpt: '' } });
    await ends(four, failed('no'));
    await untilSaid(2);
    assert.equal(words()[1], "problem: Manuals: 0 of 2 files of 'logs' succeeded, 1 failed, 1 rejected.");
    const [five, six] = await add(2, { id: 'd', label: 'tables' });
    await ends(five, { kind: 'rejected', refusal: { by: 'status', status: 413, excerpt: '' } });
    await ends(six, succeeded);
    await untilSaid(3);
    assert.equal(words()[2], "done: Manuals: 1 of 2 files of 'tables' succeeded, 1 rejected.");
    assert.deepEqual(
      said[2]?.actions.map(({ label }) => label),
      ['Show Failed', 'Show Batch'],
    );
  });

  it('is said of the last import of a batch alone, where all of the others had ended before it', async () => {
    const [one, two] = await add(2, batch);
    await ends(one, succeeded);
    await ends(two, failed('no'));
    await untilSaid(1);
    await own.list.change(two?.key ?? 0, { phase: { kind: 'queued' }, createdMs: 2 }, always);
    await ends(two, succeeded);
    await untilSaid(2);
    assert.equal(words()[1], "done: Manuals: the last import of 'docs' ended: 1 succeeded.");
    // Nothing of the next one reaches the service, which was reported as it ended.
    await own.list.change(one?.key ?? 0, { phase: { kind: 'queued' }, createdMs: 3 }, always);
    await ends(one, { kind: 'rejected', refusal: { by: 'status', status: 413, excerpt: '' } });
    await own.list.change(two?.key ?? 0, { phase: { kind: 'queued' }, createdMs: 4 }, always);
    await ends(two, failed('no'));
    await untilSaid(3);
    assert.equal(words()[2], "problem: Manuals: the last import of 'docs' ended: 1 failed.");
    said[2]?.actions[0]?.run();
    assert.deepEqual(revealed, [two?.key]);
  });

  function announcer(): Disposable {
    const say =
      (how: string) =>
      async (text: string, ...actions: Action[]) => {
        said.push({ how, words: text, actions });
        heard();
      };
    const announcements = { done: say('done'), problem: say('problem') } as unknown as Announcements;
    const tasksView = { reveal: async (key: number) => void revealed.push(key) } as TasksView;
    const announced = { list: own.list, notices: new Notices(file), announcements, tasksView };
    return announceEnds(announced, (error) => assert.fail(String(error)));
  }

  async function add(count: number, of?: Batch): Promise<TrackedTask[]> {
    return own.list.add(
      Array.from({ length: count }, (_, index) =>
        newTask({
          dataset: 'Manuals',
          source: fileSource(`file ${index}.txt`, 1),
          createdMs: 1,
          batch: of,
          taskId: undefined,
          phase: { kind: 'accepted', report: { ...report('running'), status: 'RUNNING' } },
        }),
      ).map((task, index) => ({ ...task, taskId: JSON.stringify(`t-${index}`) as TrackedTask['taskId'] })),
    );
  }

  async function ends(task: TrackedTask | undefined, phase: Phase): Promise<void> {
    assert.equal(await own.list.change(task?.key ?? 0, { phase }, always), true);
  }

  function untilSaid(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    heard = () => said.length >= count && resolve();
    heard();
    return inTime(`${count} messages`, promise);
  }

  function words(): string[] {
    return said.map((each) => `${each.how}: ${each.words}`);
  }
});

function report(meaning: 'running' | 'succeeded' | 'failed', message?: string) {
  return { status: meaning, meaning, progress: undefined, message, from: {} } as const;
}

const succeeded: Phase = { kind: 'accepted', report: report('succeeded') };

function failed(message: string | undefined): Phase {
  return { kind: 'accepted', report: report('failed', message) };
}
