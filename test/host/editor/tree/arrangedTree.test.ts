import assert from 'node:assert/strict';
import { notWaiting } from '../../../../src/editor/tree/batchItem';
import { pickTasks } from '../../../../src/editor/tree/pickTasks';
import type { TasksNode } from '../../../../src/editor/tree/tasksNode';
import { TasksTree } from '../../../../src/editor/tree/tasksTree';
import type { Arrangement } from '../../../../src/tasks/history/levels';
import { type Batch, type NewTask, newTask, type Phase } from '../../../../src/tasks/trackedTask';
import { always, fileSource, type OwnList, ownList } from '../../answeredTasks';
import { untilEvent } from '../../settled';

const now = new Date(2030, 4, 15, 12).getTime();
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
      const meant = await pickTasks(own.list, docs, [docs]);
      assert.deepEqual(
        meant.map(({ source }) => source?.name),
        ['1.txt'],
      );
    });

    it('redraws a task that changes at once, and has no row for it any more once it does not fit', async () => {
      const [one] = await added(task('1.txt', rejected), task('2.txt', rejected));
      arrange(onlyRejected);
      await labels();
      await own.list.change(one ?? 0, { phase: notSent }, always);
      assert.deepEqual(redrawn[0], [tree.node(one ?? 0)]);
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

    it('finds what is typed in names, paths and IDs', async () => {
      await added(task('notes.txt', rejected), task('letter.txt', rejected));
      for (const [text, names] of [
        ['OTES', ['notes.txt']],
        ['files/l', ['letter.txt']],
        ['files/', ['letter.txt', 'notes.txt']],
      ] as const) {
        arrange({ groupBy: 'batch', filter: { text } });
        assert.deepEqual(await labels(), names);
      }
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
