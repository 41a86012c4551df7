import assert from 'node:assert/strict';
import { notWaiting } from '../../../../src/editor/taskItems/batchItem';
import type { TasksNode } from '../../../../src/editor/taskItems/tasksNode';
import { type TasksRow, tasksOfRows } from '../../../../src/editor/tree/pickTasks';
import { TasksTree } from '../../../../src/editor/tree/tasksTree';
import type { Arrangement } from '../../../../src/tasks/history/levels';
import { type Batch, type NewTask, newTask, type Phase } from '../../../../src/tasks/trackedTask';
import { always, fileSource, type OwnList, ownList } from '../../answeredTasks';
import { untilEvent } from '../../settled';

const now = new Date(2030, 4, 15, 12).getTime();
const DAY = 86_400_000;
const batch: Batch = { id: 'b-1', label: 'docs' };
const rejected: Phase = { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } };
const notSent: Phase = { kind: 'notSent', failure: { name: 'CanceledError', detail: '' } };
const onlyRejected: Arrangement = { groupBy: 'batch', filter: { states: ['rejected'] } };

describe('The tree of tasks, arranged otherwise', () => {
  let own: OwnList;
  let tree: TasksTree;
  let redrawn: (TasksNode[] | undefined)[];

  beforeEach(() => {
    own = ownList(() => now);
  });

  afterEach(() => {
    tree.dispose();
    own.dispose();
  });

  describe('with a filter', () => {
    it('has the batches and tasks that fit alone, and counts in a batch those that do', async () => {
      await added(
        task('1.txt', rejected, { batch }),
        task('2.txt', notSent, { batch }),
        task('3.txt', rejected, { createdMs: now + 1 }),
      );
      await added(task('4.txt', notSent), task('5.txt', notSent, { batch: { id: 'b-2', label: 'other' } }));
      arrange(onlyRejected);
      assert.deepEqual(await labels(), ['3.txt', 'docs']);
      const [, docs] = await tree.getChildren();
      assert.ok(docs);
      assert.match(String((await tree.getTreeItem(docs)).description), /^1 rejected · /);
      assert.deepEqual(await labels(docs), ['1.txt']);
    });

    it('means by the row of a batch what stands below it alone', async () => {
      await added(task('1.txt', rejected, { batch }), task('2.txt', notSent, { batch }));
      arrange(onlyRejected);
      const [docs] = await tree.getChildren();
      const meant = await tasksOfRows(own.list, [docs as TasksRow]);
      assert.deepEqual(
        meant.map(({ source }) => source?.name),
        ['1.txt'],
      );
    });

    it('has no row for a task any more once it does not fit', async () => {
      const [one] = await added(task('1.txt', rejected), task('2.txt', rejected));
      arrange(onlyRejected);
      await labels();
      await own.list.change(one ?? 0, { phase: notSent }, always);
      await untilEvent(tree.onDidChangeTreeData, () => redrawn.includes(undefined));
      assert.deepEqual(await labels(), ['2.txt']);
    });

    it('says that nothing fits, and no more so once something does', async () => {
      await added(task('1.txt', notSent));
      arrange(onlyRejected);
      assert.deepEqual(await labels(), []);
      assert.equal(tree.hasNoMatch, true);
      tree.arrange({ groupBy: 'batch', filter: undefined });
      assert.deepEqual(await labels(), ['1.txt']);
      assert.equal(tree.hasNoMatch, false);
    });
  });

  describe('with another grouping', () => {
    it('has a row for each group with the counts of its tasks, problems first, and below it these', async () => {
      await added(task('1.txt', notSent, { createdMs: now - 1 }), task('2.txt', rejected, { batch }));
      await added(task('old.txt', notSent, { createdMs: now - 3 * DAY }), task('3.txt', notSent, { dataset: 'Logs' }));
      arrange({ groupBy: 'dataset', filter: undefined });
      const [logs, manuals] = await tree.getChildren();
      assert.ok(logs && manuals);
      assert.equal((await tree.getTreeItem(manuals)).description, '1 rejected · 2 not uploaded');
      assert.deepEqual([await labels(logs), await labels(manuals)], [['3.txt'], ['2.txt', '1.txt', 'old.txt']]);
      arrange({ groupBy: 'dataset', filter: { states: ['notSent'] } });
      assert.deepEqual(await labels(), ['Logs', 'Manuals']);
      assert.deepEqual(await labels((await tree.getChildren())[1]), ['1.txt', 'old.txt']);
    });

    it('means by the row of a group what stands below it, in menus that fit it', async () => {
      await added(task('1.txt', notSent), task('2.txt', rejected, { batch }), task('3.txt', { kind: 'queued' }));
      arrange({ groupBy: 'state', filter: undefined });
      const [first, second, third] = await tree.getChildren();
      assert.ok(first && second && third);
      const meant = await tasksOfRows(own.list, [first, second] as TasksRow[]);
      assert.deepEqual(meant.map(({ source }) => source?.name).toSorted(), ['1.txt', '2.txt']);
      const items = await Promise.all([first, third].map((each) => tree.getTreeItem(each)));
      assert.deepEqual(
        items.map(({ label, description, contextValue }) => [label, description, contextValue]),
        [
          ['Rejected', '1', 'batch;retry;'],
          ['Queued', '1', 'batch;open;'],
        ],
      );
    });

    it('has a row for each reason, in the words that its tasks share, and moves a task to another as its reason changes', async () => {
      const no = (message: string): Phase => {
        return { kind: 'rejected', refusal: { by: 'envelope', status: 200, code: '7', message } };
      };
      const rows = [no('Row 1: no title'), no('Row 27: no title'), no('not <b>UTF-8</b>'), { kind: 'queued' } as const];
      const [, , third] = await added(...rows.map((phase, index) => task(`${index}.txt`, phase)));
      arrange({ groupBy: 'reason', filter: undefined });
      assert.deepEqual(await labels(), ['Code 7: Row … no title', 'Code 7: not <b>UTF-8</b>', 'No problems']);
      const [first] = await tree.getChildren();
      assert.ok(first);
      assert.equal((await tree.getTreeItem(first)).description, '2 rejected');
      assert.deepEqual((await labels(first)).toSorted(), ['0.txt', '1.txt']);
      await own.list.change(third ?? 0, { phase: { kind: 'queued' } }, always);
      await untilEvent(tree.onDidChangeTreeData, () => redrawn.includes(undefined));
      assert.deepEqual(await labels((await tree.getChildren())[1]), ['3.txt', '2.txt']);
    });

    it('leads from a task to the row of its group, and moves it to another one as its state changes', async () => {
      const [one] = await added(task('1.txt', rejected), task('2.txt', rejected));
      arrange({ groupBy: 'state', filter: undefined });
      const [group] = await tree.getChildren();
      assert.ok(group && one !== undefined);
      await tree.getChildren(group);
      assert.equal(tree.getParent(tree.node(one)), group);
      await own.list.change(one, { phase: notSent }, always);
      await untilEvent(tree.onDidChangeTreeData, () => redrawn.includes(undefined));
      const [first, second] = await tree.getChildren();
      assert.equal(first, group);
      assert.deepEqual([await labels(first), await labels(second)], [['2.txt'], ['1.txt']]);
      assert.equal(tree.getParent(tree.node(one)), second);
    });
  });

  function arrange(arrangement: Arrangement): void {
    tree?.dispose();
    tree = new TasksTree(own.list, () => now, notWaiting, arrangement);
    redrawn = [];
    tree.onDidChangeTreeData((nodes) => redrawn.push(nodes));
  }

  async function added(...tasks: NewTask[]): Promise<number[]> {
    return (await own.list.add(tasks)).map(({ key }) => key);
  }

  async function labels(node?: TasksNode): Promise<unknown[]> {
    const items = await Promise.all((await tree.getChildren(node)).map((each) => tree.getTreeItem(each)));
    return items.map(({ label }) => label);
  }

  function task(name: string, phase: Phase, facts: Partial<NewTask> = {}): NewTask {
    return newTask({ dataset: 'Manuals', source: fileSource(name, 8), createdMs: now, phase, ...facts });
  }
});
